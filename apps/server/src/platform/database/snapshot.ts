import type { Reader, Tx } from './database.ts';

/** Runs `work` with a reader whose queries all read the same committed state of the database, and cannot write. */
export function inSnapshot<T>(reader: Reader, work: (snapshot: Tx) => Promise<T>): Promise<T> {
  return reader.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}
