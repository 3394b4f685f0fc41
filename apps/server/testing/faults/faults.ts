import type { DatabaseError, Request } from './messages.ts';

/** Faults because of which the database does not receive a complete request. */
export type RequestFault =
  /** The connection breaks before the request reaches the database. */
  | { readonly kind: 'cutBefore' }
  /** The database receives half of the request, then the connection breaks. */
  | { readonly kind: 'cutWithin' }
  /**
   * The connection becomes half-open before the request reaches the database: nothing passes in either direction, and
   * neither side is notified.
   */
  | { readonly kind: 'silenceBefore' }
  /**
   * The client receives an error although the database has not received the request. An error with another severity
   * than `ERROR` also ends the connection.
   */
  | { readonly kind: 'errorInstead'; readonly error: DatabaseError };

/** Faults of the response to a request that the database has executed. */
export type ResponseFault =
  /** The connection breaks before any part of the response arrives. */
  | { readonly kind: 'cutAfter' }
  /** Half of the response arrives, then the connection breaks. */
  | { readonly kind: 'cutWithinAnswer' }
  /** The response of the database is forwarded `ms` milliseconds late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /**
   * The connection becomes half-open after the database has executed the request: the client receives neither the
   * response nor anything later.
   */
  | { readonly kind: 'silenceAfter' }
  /** The client receives an error instead of the response. Unless its severity is `ERROR`, the connection ends. */
  | { readonly kind: 'errorAfter'; readonly error: DatabaseError };

export type Fault = RequestFault | ResponseFault;

/**
 * Returns true for the faults that affect the response, so that the database executes the request; false for those that
 * keep it from receiving a complete request.
 */
export function isExecuted(fault: Fault): fault is ResponseFault {
  return !['cutBefore', 'cutWithin', 'silenceBefore', 'errorInstead'].includes(fault.kind);
}

/**
 * Criteria that select the database request for a fault: the next matching request on a connection with this
 * application name.
 */
export interface FaultTarget {
  readonly application: string;
  readonly matches: (request: Request, inTransaction: boolean) => boolean;
}

/**
 * Criteria that select the statement by which the writer commits a batch of steps: the batch statement, or
 * COMMIT in a transaction.
 */
export const BATCH_COMMIT: FaultTarget = {
  application: 'exchange-writer',
  matches: ({ text, statement }, inTransaction) =>
    inTransaction ? text.toLowerCase() === 'commit' : statement.startsWith('batch_'),
};

const errorInstead = (state: string, message: string): Fault => ({
  kind: 'errorInstead',
  error: { severity: 'ERROR', state, message },
});

/** Faults of the commit of a batch of steps, by the fault's name. */
export const COMMIT_FAULTS: Readonly<Record<string, Fault>> = {
  'reply to the commit lost': { kind: 'cutAfter' },
  'connection cut before the commit': { kind: 'cutBefore' },
  'commit cut in the middle': { kind: 'cutWithin' },
  'reply to the commit cut in the middle': { kind: 'cutWithinAnswer' },
  'half-open before the commit': { kind: 'silenceBefore' },
  'half-open after the commit': { kind: 'silenceAfter' },
  'session ended after the commit': {
    kind: 'errorAfter',
    error: {
      severity: 'FATAL',
      state: '57P01',
      message: 'terminating connection due to administrator command',
    },
  },
  'disk failed while syncing': {
    kind: 'errorInstead',
    error: { severity: 'PANIC', state: '58030', message: 'could not fsync file: Input/output error' },
  },
  'disk full': errorInstead('53100', 'could not extend file: No space left on device'),
  'serialization failure': errorInstead('40001', 'could not serialize access due to concurrent update'),
  deadlock: errorInstead('40P01', 'deadlock detected'),
  'statement timeout': errorInstead('57014', 'canceling statement due to statement timeout'),
  'reply 0.2 s late': { kind: 'delay', ms: 200 },
  'reply 2 s late': { kind: 'delay', ms: 2_000 },
  'reply 5 s late': { kind: 'delay', ms: 5_000 },
  'reply 15 s late': { kind: 'delay', ms: 15_000 },
};
