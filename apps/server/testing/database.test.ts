import { expect, it } from 'vitest';
import { testDatabase } from './database.ts';

it('DB-050 gives every test a database of its own with the whole schema', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
  await one.pool.query('CREATE TABLE only_here (id int4)');
  const { rows } = await two.pool.query<{ here: string | null; schema: string | null }>(
    `SELECT to_regclass('only_here')::text AS here, to_regclass('schema_migration')::text AS schema`,
  );
  expect(rows).toEqual([{ here: null, schema: 'schema_migration' }]);
  await one.drop();
  const left = await two.pool.query('SELECT 1 FROM pg_database WHERE datname = $1', [
    'database' in one.connection
      ? one.connection.database
      : new URL(one.connection.connectionString).pathname.slice(1),
  ]);
  expect(left.rows).toEqual([]);
  const began = performance.now();
  const three = await testDatabase();
  console.log(`clone of the template: ${Math.round(performance.now() - began)} ms`);
  await three.drop();
  await two.drop();
});
