import type { DatabaseError, Request } from './messages.ts';

/** What keeps a request from reaching the database, whole or at all. */
export type RequestFault =
  /** The connection breaks before the request reaches the database. */
  | { readonly kind: 'cutBefore' }
  /** The database gets half of the request, then the connection breaks. */
  | { readonly kind: 'cutWithin' }
  /** Half-open: from now on nothing passes in either direction, and nobody is told. */
  | { readonly kind: 'silenceBefore' }
  /** An error is the answer to what never arrived. A fatal one also ends the connection. */
  | { readonly kind: 'errorInstead'; readonly error: DatabaseError };

/** What is done to the answer of a request that the database has carried out. */
export type AnswerFault =
  /** The connection breaks before any of the answer arrives. */
  | { readonly kind: 'cutAfter' }
  /** Half of the answer arrives. */
  | { readonly kind: 'cutWithinAnswer' }
  /** The answer comes late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Half-open: the answer does not arrive, nor does anything after it. */
  | { readonly kind: 'silenceAfter' }
  /** An error is the answer, and the end of the connection. */
  | { readonly kind: 'errorAfter'; readonly error: DatabaseError };

export type Fault = RequestFault | AnswerFault;

/** Whether the request reaches the database in spite of the fault. */
export function isCarriedOut(fault: Fault): fault is AnswerFault {
  return !['cutBefore', 'cutWithin', 'silenceBefore', 'errorInstead'].includes(fault.kind);
}

/** Which request a fault is meant for: the next one of this kind on a connection of this name. */
export interface Target {
  readonly application: string;
  readonly isMeant: (request: Request, inTransaction: boolean) => boolean;
}

/** The statement with which the writer makes a batch durable: the batch itself, or COMMIT where it is in a transaction. */
export const BATCH_COMMIT: Target = {
  application: 'exchange-writer',
  isMeant: ({ text, statement }, inTransaction) =>
    inTransaction ? text.toLowerCase() === 'commit' : statement.startsWith('batch_'),
};

const refused = (state: string, message: string): Fault => ({
  kind: 'errorInstead',
  error: { severity: 'ERROR', state, message },
});

/** Every way in which the commit of a batch goes wrong, the worst one first. */
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
  'disk full': refused('53100', 'could not extend file: No space left on device'),
  'serialization failure': refused('40001', 'could not serialize access due to concurrent update'),
  deadlock: refused('40P01', 'deadlock detected'),
  'statement timeout': refused('57014', 'canceling statement due to statement timeout'),
  'reply 0.2 s late': { kind: 'delay', ms: 200 },
  'reply 2 s late': { kind: 'delay', ms: 2_000 },
  'reply 5 s late': { kind: 'delay', ms: 5_000 },
  'reply 15 s late': { kind: 'delay', ms: 15_000 },
};
