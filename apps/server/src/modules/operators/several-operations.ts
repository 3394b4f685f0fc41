import { Decimal } from '@exchange/core/decimal.ts';
import {
  PERIOD_DECISION_VALUE,
  PERIOD_VALUE,
  SEVERAL_MAX,
  type RoutineCall,
} from '@exchange/core/operator-period.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { fillWords } from '@exchange/core/locale.ts';
import { pathParametersOf, type OperatorWarning } from '@exchange/wire/operation.ts';
import { operatorRefusal } from '@exchange/wire/words/operator-refusals.ts';
import { permits } from '../../platform/console/gate.ts';
import type { Operation, OperatorCall } from '../../platform/console/operation.ts';
import type { Log } from '../../platform/log.ts';
import type { Proposals } from './proposals.ts';

interface Parts {
  readonly proposals: Pick<Proposals, 'operationNamed' | 'routineOf' | 'runConfirmed' | 'requireAlone'>;
  readonly log: Pick<Log, 'error'>;
}

/**
 * One decision of a joint confirmation: the path parameters that identify the row, and the call that makes the
 * decision.
 */
interface Item {
  readonly row: Readonly<Record<string, string>>;
  readonly call: OperatorCall;
}

/** Whether one decision of a joint confirmation, that about `row`, took effect, was refused or failed. */
export interface ItemOutcome {
  readonly row: Readonly<Record<string, string>>;
  readonly state: 'done' | 'refused' | 'failed';
  /** English text: why the decision was refused, or that it failed; empty if it took effect. */
  readonly error: string;
}

/**
 * Joint confirmations: one code, or one confirmation period, confirms several decisions of one kind. Each decision is
 * checked and recorded like a single one; if one is refused or fails, the others are made nevertheless.
 */
export class SeveralDecisions {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Refuses a call with an operation that is unknown, not permitted to the operator or only for single decisions, a
   * call without rows, with more than `SEVERAL_MAX` rows or malformed ones, and decisions that together release more
   * value than a confirmation period allows.
   */
  async check(call: OperatorCall): Promise<void> {
    const { value } = await this.routine(call);
    if (value.isMore(PERIOD_VALUE))
      throw new Refused(
        refusal('aboveMaximum', 'l.several_value', {
          field: 'rows',
          limit: PERIOD_VALUE.toString(),
          value: value.toString(),
        }),
      );
  }

  /** A warning for each decision of a joint confirmation that would be refused now, with the reason. */
  async warnings(call: OperatorCall): Promise<readonly OperatorWarning[]> {
    const { operation, items } = this.itemsOf(call);
    const warnings: OperatorWarning[] = [];
    for (const { row, call: single } of items) {
      try {
        await this.parts.proposals.requireAlone(operation, single);
      } catch (cause) {
        if (!(cause instanceof Refused)) throw cause;
        warnings.push({ field: 'rows', text: `${nameOfRow(row)}: ${textOf(cause)}` });
      }
    }
    return warnings;
  }

  /**
   * The number and total value of the decisions that a confirmation period must cover. A decision whose value cannot be
   * computed, or exceeds that of a single decision in a period, adds no value; it will be refused.
   */
  async routine(call: OperatorCall): Promise<RoutineCall> {
    const { operation, items } = this.itemsOf(call);
    let value = Decimal.zero;
    let greatestValue = Decimal.zero;
    for (const { call: single } of items) {
      const routine = await this.routineOf(operation, single);
      if (routine === undefined || routine.greatestValue.isMore(PERIOD_DECISION_VALUE)) continue;
      value = value.plus(routine.value);
      if (routine.greatestValue.isMore(greatestValue)) ({ greatestValue } = routine);
    }
    return { decisions: items.length, value, greatestValue };
  }

  /**
   * Makes the decisions of a joint confirmation one after another, even if one is refused or fails. Returns
   * the outcome of each.
   */
  async run(call: OperatorCall): Promise<{ readonly outcomes: readonly ItemOutcome[] }> {
    const { operation, items } = this.itemsOf(call);
    const outcomes: ItemOutcome[] = [];
    for (const { row, call: single } of items) {
      try {
        await this.parts.proposals.runConfirmed(operation, single);
        outcomes.push({ row, state: 'done', error: '' });
      } catch (cause) {
        if (!(cause instanceof Refused)) this.parts.log.error('operator.item_failed', { row, cause });
        const state = cause instanceof Refused ? 'refused' : 'failed';
        const error = cause instanceof Refused ? textOf(cause) : 'It failed; the log says why.';
        outcomes.push({ row, state, error });
      }
    }
    return { outcomes };
  }

  /**
   * What one decision uses of a confirmation period: a number of decisions and a value in USDT. Undefined if
   * the computation is refused, for example because the row is not found; the decision is then refused too.
   */
  private async routineOf(operation: Operation, call: OperatorCall): Promise<RoutineCall | undefined> {
    try {
      return await this.parts.proposals.routineOf(operation, call);
    } catch (cause) {
      if (cause instanceof Refused) return undefined;
      throw cause;
    }
  }

  private itemsOf({ fields, operator }: OperatorCall): {
    readonly operation: Operation;
    readonly items: readonly Item[];
  } {
    const named = fields['operation'] ?? '';
    const operation = this.parts.proposals.operationNamed(named);
    if (operation?.takesSeveral !== true || !permits(operation, operator))
      throw invalidChoice('operation', named);
    const names = pathParametersOf(operation.path);
    const rows = recordsIn(fields['rows'] ?? '', 'rows').map((row) => {
      if (names.length === 0 || names.some((name) => typeof row[name] !== 'string' || row[name] === ''))
        throw new Refused(refusal('invalidField', 'l.field_invalid', { field: 'rows' }));
      return Object.fromEntries(names.map((name) => [name, row[name] as string]));
    });
    const distinct = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
    const [values = {}] = recordsIn(`[${fields['values'] || '{}'}]`, 'values');
    const declared = Object.keys(operation.fields ?? {});
    const sent = Object.fromEntries(
      declared.flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name]]] : [])),
    ) as Record<string, string>;
    const reason = fields['reason'];
    const shared = reason === undefined ? sent : { ...sent, reason };
    return {
      operation,
      items: distinct.map((row) => ({ row, call: { parameters: row, fields: shared, operator } })),
    };
  }
}

/** Parses a JSON list of 1 to `SEVERAL_MAX` objects; refuses any other text, naming the request field `field`. */
function recordsIn(json: string, field: string): readonly Readonly<Record<string, unknown>>[] {
  const list = parsed(json);
  if (
    !Array.isArray(list) ||
    list.length === 0 ||
    list.some((row) => typeof row !== 'object' || row === null)
  )
    throw new Refused(refusal('invalidField', 'l.field_invalid', { field }));
  if (list.length > SEVERAL_MAX)
    throw new Refused(refusal('aboveMaximum', 'l.several_max', { field, limit: String(SEVERAL_MAX) }));
  return list as readonly Readonly<Record<string, unknown>>[];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function nameOfRow(row: Readonly<Record<string, string>>): string {
  return Object.values(row).join(' ');
}

function textOf({ refusal: { key, parameters } }: Refused): string {
  return fillWords(operatorRefusal(key), parameters, 'en-US');
}
