import { isUuid } from '@exchange/core/ids.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, later, MINUTE_MS, minuteText } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { permits } from '../../platform/console/gate.ts';
import type { Operation, OperatorCall } from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { OperatorAccounts } from './accounts.ts';
import { claimRow, claimsOf, releaseClaim } from './repository.ts';

/** Milliseconds after which an operator's claim of a queue row ends. */
const CLAIM_MS = 30 * MINUTE_MS;
/** The column of a console list that shows the operator who has claimed the row; lists with this column are queues. */
const CLAIMED_BY = 'claimedBy';

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly accounts: Pick<OperatorAccounts, 'byName'>;
}

/** Identifies a row of an operators' queue. */
interface QueueRow {
  readonly queue: string;
  readonly record: string;
}

/**
 * Claims of queue rows, so that two operators do not work on the same one. A claim ends after 30 minutes, or earlier
 * when its operator releases the row or decides about it without a second operator, or when the row is assigned to
 * another operator.
 */
export class Claims {
  private readonly parts: Parts;
  private queues: ReadonlySet<string> = new Set();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Determines the queues whose rows can be claimed: those lists of `operations` with the column `claimedBy`. */
  use(operations: readonly Operation[]): void {
    const claimed = operations.filter(
      ({ method, rows }) => method === 'GET' && rows?.columns[CLAIMED_BY] !== undefined,
    );
    this.queues = new Set(claimed.map(({ path }) => path));
  }

  /**
   * The queue row about which an operator's call decides; undefined if the operation belongs to no queue or the call
   * contains no row id.
   */
  rowOf({ concerns = [] }: Operation, { parameters }: OperatorCall): QueueRow | undefined {
    const queue = concerns.find((list) => this.queues.has(list));
    const record = parameters['id'] ?? '';
    return queue === undefined || !isUuid(record) ? undefined : { queue, record };
  }

  /**
   * Claims a queue row for an operator for `CLAIM_MS` from now, also if the operator has it already. Refuses a row that
   * another operator has claimed, unless `isAssigned` is true: the claim then replaces the other one.
   */
  async take(row: QueueRow, operator: string, { isAssigned = false } = {}): Promise<void> {
    // Between the failed claim and the check of the other operator's claim, that claim may end. The check then passes,
    // and the row is claimed again.
    while (!(await this.claim(row, operator, isAssigned))) await this.requireFree(row, operator);
  }

  private claim(row: QueueRow, operator: string, isAssigned: boolean): Promise<boolean> {
    const { clock, database } = this.parts;
    const now = clock.now();
    const until = later(now, CLAIM_MS);
    return claimRow(database.store, { ...row, operator, until }, { now, isAssigned });
  }

  /**
   * Claims a row for the operator named `to`, also if another one has claimed it. Refuses an unknown operator and one
   * whose roles do not permit `operation`.
   */
  async assign(row: QueueRow, to: string, operation: Pick<Operation, 'roles'>): Promise<void> {
    const operator = await this.parts.accounts.byName(to.trim());
    if (operator === undefined || !permits(operation, operator)) throw invalidChoice('to', to);
    await this.take(row, operator.name, { isAssigned: true });
  }

  /** Ends this operator's claim of a row; does nothing if the operator has none. Another operator's claim stays. */
  release({ queue, record }: QueueRow, operator: string): Promise<void> {
    return releaseClaim(this.parts.database.store, { queue, record, operator });
  }

  /** Refuses if another operator has claimed the row. */
  async requireFree({ queue, record }: QueueRow, operator: string): Promise<void> {
    const claim = (await this.claimsOf(queue, [record])).get(record);
    if (claim === undefined || claim.operator === operator) return;
    throw new Refused(
      refusal('closed', 'l.claimed', {
        operator: claim.operator,
        time: minuteText(instant(claim.until)),
      }),
    );
  }

  /**
   * Adds to each row in the response of a queue the operator who has claimed it; returns the responses of other
   * operations unchanged.
   */
  async withClaims(operation: Operation, answer: unknown): Promise<unknown> {
    const name = operation.rows?.in;
    if (name === undefined || !this.queues.has(operation.path)) return answer;
    const list = (answer as Record<string, unknown>)[name] as readonly { readonly id: string }[];
    const claims = await this.claimsOf(
      operation.path,
      list.map(({ id }) => id),
    );
    const rows = list.map((row) => ({ ...row, [CLAIMED_BY]: claims.get(row.id)?.operator }));
    return { ...(answer as object), [name]: rows };
  }

  private claimsOf(queue: string, records: readonly string[]) {
    const { clock, database } = this.parts;
    return claimsOf(database.store, { queue, records, now: clock.now() });
  }
}
