import { instant, startOfDay } from '@exchange/core/time.ts';
import { OPERATIONS } from '@exchange/wire/console/catalogue.ts';
import { QUEUES } from '@exchange/wire/console/queues.ts';
import { operationKey } from '@exchange/wire/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  idOf,
  serveAction,
  serveList,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Claims } from './claims.ts';
import { auditRows } from './repository.ts';

/** Maximum length of the list of decisions that all operators made in a queue on the current UTC day. */
const DONE_MAX = 200;
/** Events of the audit log that are decisions: executed, or proposed to a second operator. */
const DECISIONS = ['done', 'proposed'];

interface Parts {
  readonly clock: Clock;
  readonly database: Database;
  readonly claims: Claims;
}

/**
 * For each queue, the operations with which operators claim a row, release it, assign it to another operator, and list
 * the decisions that operators made in the queue on the current UTC day.
 */
export function claimOperations(parts: Parts): Operation[] {
  return Object.values(QUEUES).flatMap((queue) => operationsOf(parts, queue));
}

function operationsOf(
  { clock, database, claims }: Parts,
  { take, release, assign, done }: (typeof QUEUES)[keyof typeof QUEUES],
): Operation[] {
  const [list] = take.concerns;
  const rowOf = (call: OperatorCall) => ({ queue: list, record: idOf(call) });
  const actions = OPERATIONS.filter(
    (operation) =>
      operation.method === 'POST' &&
      operation.concerns?.includes(list) === true &&
      operation.sharesWork !== true,
  ).map(operationKey);
  return [
    serveAction(take, {
      run: async (call) => {
        await claims.take(rowOf(call), call.operator.name);
        return {};
      },
    }),
    serveAction(release, {
      run: async (call) => {
        await claims.release(rowOf(call), call.operator.name);
        return {};
      },
    }),
    serveAction(assign, {
      run: async (call) => {
        await claims.assign(rowOf(call), new FieldValues(call.fields).text('to'), take);
        return {};
      },
    }),
    serveList(done, async () => {
      const rows = await auditRows(database.reader, {
        actions,
        events: DECISIONS,
        from: startOfDay(instant(clock.now())),
        before: Number.MAX_SAFE_INTEGER,
        limit: DONE_MAX,
      });
      return {
        list: rows.map((row) => ({
          at: Number(row.at),
          operator: row.operator,
          action: row.action,
          event: row.event,
          record: (JSON.parse(row.parameters) as { readonly id?: string }).id ?? '',
          reason: row.reason,
          approvedBy: row.approved_by,
          sequence: String(row.sequence),
        })),
        hasMore: rows.length === DONE_MAX,
      };
    }),
  ];
}
