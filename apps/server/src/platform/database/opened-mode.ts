import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * A database belongs to the mode it was first opened in: play money and real money never meet. Throws with
 * a sentence for the operator when the mode is another.
 */
export async function requireMode(database: Database, mode: 'demo' | 'live'): Promise<void> {
  await sql`insert into database_setting (name, value) values ('mode', ${mode}) on conflict do nothing`.execute(
    database.reader,
  );
  const found = await sql<{ value: string }>`select value from database_setting where name = 'mode'`.execute(
    database.reader,
  );
  const opened = found.rows[0]?.value;
  if (opened !== mode) {
    throw new Error(
      `this database was opened in ${opened} mode and cannot be used in ${mode} mode: set MODE or DATA_DIR`,
    );
  }
}
