import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { migrate, requireNotNewer } from './migrate.ts';

const root = mkdtempSync(join(tmpdir(), 'amethyst-migrations-'));
const directory = join(root, 'migrations');
const messages: string[] = [];
let database: TestDatabase;

beforeEach(async () => {
  mkdirSync(directory);
  database = await testDatabase({ withSchema: false });
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await database.drop();
});
afterAll(() => rmSync(root, { recursive: true }));

function write(name: string, sql: string): void {
  writeFileSync(join(directory, name), sql);
}
const run = () =>
  migrate({ connection: database.connection, directory, log: (_level, message) => messages.push(message) });

async function tables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}

it('DB-040 files are applied once and in order', async () => {
  write('0002_coins.sql', 'ALTER TABLE coin ADD places int4; INSERT INTO coin VALUES (1, 8);');
  write('0001_first.sql', 'CREATE TABLE coin (id int4);');
  expect(await run()).toEqual({ version: 2, applied: [1, 2] });
  const began = performance.now();
  expect(await run()).toEqual({ version: 2, applied: [] });
  console.log(`up to date: ${(performance.now() - began).toFixed(1)} ms`);
  write('0010_later.sql', 'CREATE TABLE pair (id int4);');
  expect(await run()).toEqual({ version: 10, applied: [10] });
  expect(await tables()).toEqual(['coin', 'pair', 'schema_migration']);
  expect((await database.pool.query('SELECT * FROM coin')).rows).toEqual([{ id: 1, places: 8 }]);
});

it('DB-041 a failing file is rolled back completely, earlier files stay, and the error names the line', async () => {
  write('0001_first.sql', 'CREATE TABLE coin (id int4);');
  write(
    '0002_broken.sql',
    'CREATE TABLE pair (id int4);\nINSERT INTO coin VALUES (1);\nSELECT * FROM nowhere;',
  );
  await expect(run()).rejects.toThrow(/0002_broken failed at line 3: relation "nowhere" does not exist/);
  expect(await tables()).toEqual(['coin', 'schema_migration']);
  expect((await database.pool.query('SELECT * FROM coin')).rows).toEqual([]);
  write('0002_broken.sql', 'CREATE TABLE pair (id int4);');
  expect(await run()).toEqual({ version: 2, applied: [2] });
});

it('DB-042 a changed file is refused after its application, except for different line ends', async () => {
  write('0001_first.sql', 'CREATE TABLE coin (id int4);\n');
  await run();
  write('0001_first.sql', 'CREATE TABLE coin (id int4);\r\n');
  expect(await run()).toEqual({ version: 1, applied: [] });
  write('0001_first.sql', 'CREATE TABLE coin (id int8);\n');
  await expect(run()).rejects.toThrow(/0001_first was changed after it had been applied/);
});

it('DB-043 a database migrated by a newer server is refused', async () => {
  write('0001_first.sql', 'CREATE TABLE coin (id int4);');
  write('0002_second.sql', 'CREATE TABLE pair (id int4);');
  await run();
  rmSync(join(directory, '0002_second.sql'));
  await expect(run()).rejects.toThrow(/0002_second, which this version of the server does not know/);
  const check = () => requireNotNewer({ connection: database.connection, directory });
  await expect(check()).rejects.toThrow(/0002_second, which this version/);
  write('0002_second.sql', 'CREATE TABLE pair (id int4);');
  write('0003_third.sql', 'CREATE TABLE third (id int4);');
  await check();
  await expect(database.pool.query('SELECT FROM third')).rejects.toThrow('does not exist');
});

it('DB-044 duplicate numbers, late numbers and invalid names are refused', async () => {
  write('0002_second.sql', 'CREATE TABLE pair (id int4);');
  await run();
  write('0001_first.sql', 'CREATE TABLE coin (id int4);');
  await expect(run()).rejects.toThrow(/0001_first comes before 2/);
  write('0002_again.sql', 'SELECT 1;');
  await expect(run()).rejects.toThrow(/two migrations have the number 2/);
  write('third.sql', 'SELECT 1;');
  await expect(run()).rejects.toThrow(/third\.sql is not named like/);
});

it('DB-045 several servers may migrate at once; each file is applied once', async () => {
  write('0001_first.sql', 'CREATE TABLE coin (id int4); SELECT pg_sleep(0.05);');
  write('0002_second.sql', 'CREATE TABLE pair (id int4);');
  const outcomes = await Promise.all([run(), run(), run()]);
  expect(outcomes.flatMap((outcome) => outcome.applied)).toEqual([1, 2]);
});
