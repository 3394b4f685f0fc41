import { expect, it } from 'vitest';
import { testDatabase } from './database.ts';

it('DB-050 gives every test its own database with the complete schema', async () => {
  const [first, second] = await Promise.all([testDatabase(), testDatabase()]);
  await first.pool.query('CREATE TABLE only_here (id int4)');
  const { rows } = await second.pool.query<{ here: string | null; schema: string | null }>(
    `SELECT to_regclass('only_here')::text AS here, to_regclass('schema_migration')::text AS schema`,
  );
  expect(rows).toEqual([{ here: null, schema: 'schema_migration' }]);
  await first.drop();
  const databases = await second.pool.query('SELECT 1 FROM pg_database WHERE datname = $1', [
    'database' in first.connection
      ? first.connection.database
      : new URL(first.connection.connectionString).pathname.slice(1),
  ]);
  expect(databases.rows).toEqual([]);
  const startMs = performance.now();
  const third = await testDatabase();
  console.log(`clone of the template: ${Math.round(performance.now() - startMs)} ms`);
  await third.drop();
  await second.drop();
});
