import type pg from 'pg';

/**
 * Makes the database sessions of a process recognisable by a mark, and admits new ones only while the process may
 * write. The process that replaces it ends all sessions with its mark, and no new one is admitted. So nothing that the
 * replaced process still sends is executed, neither single statements nor open transactions.
 */
export interface SessionFence {
  /** Beginning of the application name of each database session of the process, with a blank at its end. */
  readonly mark: string;
  /**
   * Rejects if the process may not write any more; called with each new connection of a database pool before its first
   * use.
   */
  readonly admit: (client: pg.ClientBase) => Promise<void>;
}
