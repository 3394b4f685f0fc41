import type { TestExchange } from './exchange.ts';

/**
 * Makes the database refuse changes of certain rows, so that no step can process these rows. Returns a function that
 * permits the changes again.
 *
 * @param when SQL of a condition on `old` and `new`, e.g. `old.id = '…'`
 */
export async function poisonRows(
  exchange: TestExchange,
  table: string,
  event: 'insert' | 'update',
  when: string,
): Promise<() => Promise<void>> {
  const { pool } = exchange.database;
  await pool.query(
    `create or replace function poison() returns trigger language plpgsql as
     $$ begin raise exception 'poisoned'; end $$`,
  );
  await pool.query(
    `create trigger poison before ${event} on ${table} for each row when (${when}) execute function poison()`,
  );
  return async () => {
    await pool.query(`drop trigger poison on ${table}`);
  };
}
