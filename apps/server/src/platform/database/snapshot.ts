import type { Reader, Store, Tx } from './database.ts';

/** Runs `work` with a reader whose queries all read the same committed state of the database, and cannot write. */
export function inSnapshot<T>(reader: Reader, work: (snapshot: Reader) => Promise<T>): Promise<T> {
  // Every reader is a query builder that can open transactions, like a `Store`. The type `Reader` only hides its
  // methods that write.
  const store = reader as Store;
  return store.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/**
 * Runs `work` in one transaction that may write, and whose queries all read the same committed state of the database.
 * It fails if it changes a row that another transaction has changed meanwhile.
 */
export function writingInSnapshot<T>(store: Store, work: (transaction: Tx) => Promise<T>): Promise<T> {
  return store.transaction().setIsolationLevel('repeatable read').execute(work);
}
