import { sql, type RawBuilder } from 'kysely';
import type { Reader, Tx } from './database.ts';

/** Work that waits in a table until a transaction processes and deletes it. */
export interface WorkQueue<Item> {
  /**
   * Reads at most `limit` keys of waiting items in a fixed order: those after the key `after`, or the first ones if
   * `after` is undefined.
   */
  waiting(reader: Reader, after: string | undefined, limit: number): Promise<readonly string[]>;
  /**
   * Deletes the waiting items with these keys and returns them, oldest first. Items that were already processed, or
   * that another transaction is processing, are omitted. If the transaction is rolled back, the items wait again.
   */
  dequeue(tx: Tx, keys: readonly string[]): Promise<readonly Item[]>;
}

/**
 * Returns a queue in a table with a primary key `id` of type uuid.
 *
 * @param columns the columns that `load` needs beside `id`
 * @param load turns deleted rows into items, in the order of the rows
 * @param filter condition for the rows of the table that belong to the queue; all by default
 */
export function queueInTable<Row extends { readonly id: string }, Item>(
  table: string,
  columns: readonly (keyof Row & string)[],
  load: (tx: Tx, rows: readonly Row[]) => Promise<readonly Item[]>,
  filter: RawBuilder<unknown> = sql`true`,
): WorkQueue<Item> {
  return {
    waiting: async (reader, after, limit) => {
      const isAfter = after === undefined ? sql`true` : sql`id > ${after}::uuid`;
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(table)} where ${filter} and ${isAfter} order by id limit ${limit}
      `.execute(reader);
      return rows.map(({ id }) => id);
    },
    dequeue: async (tx, keys) => {
      const { rows } = await sql<Row>`
        delete from ${sql.table(table)} where id in (
          select id from ${sql.table(table)} where id = any(${keys}::uuid[]) order by id for update skip locked
        ) returning ${sql.join(['id', ...columns].map((column) => sql.ref(column)))}
      `.execute(tx);
      if (rows.length === 0) return [];
      return load(
        tx,
        rows.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
      );
    },
  };
}
