import { describeOperation, type OperationField, type Role } from '../operation.ts';
import { EVENT_TIME, ID, OPERATION, optional, ORDINAL, TEXT, WORD } from './columns.ts';

/** Column of a queue with the operator who has claimed the row; the server adds it to the rows of each queue. */
export const CLAIMED_BY = optional({ kind: 'text', label: 'Taken by' } as const);
/** Minutes after which an operator's claim of a row in a queue expires. */
const CLAIM_MINUTES = 30;

const TO: OperationField = { label: 'Operator', kind: 'text', startsEmpty: true };

/**
 * Describes the operations by which operators share the work of a queue: claim a row, release it, assign it to another
 * operator, and list what operators did in the queue since 00:00 UTC. While an operator has claimed a row, other
 * operators cannot decide it. The rows need a column `id`.
 *
 * @param path path of the queue's list
 *
 * @param readers roles that may list what operators did
 *
 * @param deciders roles that may claim, release, assign and decide rows; approvers may assign them too
 */
function queueOperations<const Path extends string>(
  path: Path,
  { readers, deciders }: { readonly readers: readonly Role[]; readonly deciders: readonly Role[] },
) {
  return {
    take: describeOperation({
      method: 'POST',
      path: `${path}/:id/take`,
      name: 'Take',
      summary: `Reserves a row for you for ${CLAIM_MINUTES} minutes: others cannot decide it meanwhile.`,
      roles: deciders,
      concerns: [path],
      sharesWork: true,
      withoutCode: 'It decides nothing and lapses by itself.',
      isImmediate: true,
    }),
    release: describeOperation({
      method: 'POST',
      path: `${path}/:id/put-back`,
      name: 'Put back',
      summary: 'Ends your reservation of a row.',
      roles: deciders,
      concerns: [path],
      sharesWork: true,
      withoutCode: 'It decides nothing.',
      isImmediate: true,
    }),
    assign: describeOperation({
      method: 'POST',
      path: `${path}/:id/assign`,
      name: 'Assign',
      summary: `Reserves a row for another operator for ${CLAIM_MINUTES} minutes, also one that somebody has taken.`,
      roles: ['approver', ...deciders],
      concerns: [path],
      fields: { to: TO },
      sharesWork: true,
      withoutCode: 'It decides nothing and lapses by itself.',
    }),
    done: describeOperation({
      method: 'GET',
      path: `${path}/done`,
      name: 'Done today',
      summary: 'What operators did in this queue since 00:00 UTC, newest first.',
      roles: readers,
      rows: {
        in: 'done',
        key: ['sequence'],
        title: ['action'],
        shown: ['at', 'operator', 'action', 'event', 'reason', 'approvedBy'],
        empty: 'Nothing was done today.',
        columns: {
          at: EVENT_TIME,
          operator: TEXT,
          action: OPERATION,
          event: WORD,
          record: ID,
          reason: TEXT,
          approvedBy: optional(TEXT),
          sequence: ORDINAL,
        },
      },
    }),
  } as const;
}

/**
 * By queue: the operations that claim, release and assign a row, and the list of what operators did there
 * today.
 */
export const QUEUES = {
  withdrawals: queueOperations('/ops/withdrawals', {
    readers: ['finance', 'approver', 'support', 'auditor'],
    deciders: ['finance'],
  }),
  reportedDeposits: queueOperations('/ops/deposits/reported', {
    readers: ['finance', 'approver', 'auditor'],
    deciders: ['finance'],
  }),
  submissions: queueOperations('/ops/kyc/submissions', { readers: ['reviewer'], deciders: ['reviewer'] }),
  supportRequests: queueOperations('/ops/support/requests', { readers: ['support'], deciders: ['support'] }),
} as const;
