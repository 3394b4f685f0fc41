import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type pg from 'pg';
import { copyingOut, type CopyRows } from './copy-out.ts';

export { copiedTable, type CopiedRow, type CopyRows } from './copy-out.ts';

/** What modules get of the database; each repository narrows it to its own tables with `withTables`. */
export interface Database {
  readonly reader: Reader;
  /** Reads many rows, all as of one moment, row by row as they come. */
  copying<T>(work: (copy: CopyRows) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Reads; each repository narrows it to its own tables. */
export type Reader = Kysely<unknown>;

/** A transaction under way. Money never moves through one: that is the sequencer's. */
export type Tx = Transaction<unknown>;

/** The database behind a pool. */
export function databaseOver(pool: pg.Pool): Database {
  const reader = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return {
    reader,
    copying: (work) => copyingOut(pool, work),
    transaction: (work) => reader.transaction().execute(work),
  };
}
