import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { copiedTable, databaseOver, type CopiedRow, type Database } from './database.ts';
import { openDatabase } from './pool.ts';

let testDb: TestDatabase;
let database: Database;
const ITEMS = copiedTable<{ id: bigint; name: string | null; amount: string; sold: boolean }>('item', {
  id: 'bigint',
  name: 'text',
  amount: 'numeric',
  sold: 'boolean',
});

beforeAll(async () => {
  testDb = await testDatabase({ withSchema: false });
  database = databaseOver(testDb.pool);
  await testDb.pool.query(`create table item (id int8, name text, amount numeric(38,18), sold boolean)`);
});
afterAll(() => testDb.drop());

const read = async (select: string): Promise<CopiedRow[]> => {
  const rows: CopiedRow[] = [];
  await database.copying((copy) => copy(select, (cells) => rows.push(cells)));
  return rows;
};

it('DB-038 rows are read in bulk with their types, for any text', async () => {
  const names = ['', 'a\tb\nc\rd\\e\\N', '\b\f\v', '\\N', 'tạo 订单 🚀', null];
  for (const [index, name] of names.entries()) {
    await testDb.pool.query('insert into item values ($1, $2, $3, $4)', [
      9_007_199_254_740_993n + BigInt(index),
      name,
      '0.123456789012345678',
      index % 2 === 0,
    ]);
  }
  const rows: ReturnType<typeof ITEMS.read>[] = [];
  await database.copying((copy) => copy(`${ITEMS.select} order by id`, (row) => rows.push(ITEMS.read(row))));
  expect(rows).toEqual(
    names.map((name, index) => ({
      id: 9_007_199_254_740_993n + BigInt(index),
      name,
      amount: '0.123456789012345678',
      sold: index % 2 === 0,
    })),
  );
});

it('DB-038 rows that exceed a socket read arrive in order', async () => {
  const rows = await read('select n from generate_series(1, 200000) as n');
  expect(rows.length).toBe(200_000);
  expect(rows.every(([cell], index) => cell === String(index + 1))).toBe(true);
});

it('DB-038 all reads see the same snapshot', async () => {
  const counts: CopiedRow[] = [];
  await database.copying(async (copy) => {
    await copy('select count(*) from item', (row) => counts.push(row));
    await testDb.pool.query(`insert into item values (1, 'late', 0, false)`);
    await copy('select count(*) from item', (row) => counts.push(row));
  });
  expect(counts[1]).toEqual(counts[0]);
});

it('DB-038 reads are exempt from the statement timeout', async () => {
  const pool = openDatabase({ connection: testDb.connection, log: () => undefined, statementTimeoutMs: 50 });
  await databaseOver(pool).copying((copy) => copy('select pg_sleep(0.2)', () => undefined));
  await expect(pool.query('select pg_sleep(0.2)')).rejects.toThrow('statement timeout');
  await pool.end();
});

it('DB-038 failures on either side are reported and leave no open connection', async () => {
  const pool = openDatabase({ connection: testDb.connection, log: () => undefined, size: 1 });
  const limited = databaseOver(pool);
  const refuse = () => {
    throw new Error('not a row of ours');
  };
  await expect(limited.copying((copy) => copy('select 1 from nowhere', refuse))).rejects.toThrow('nowhere');
  await expect(
    limited.copying((copy) => copy('select 1 from generate_series(1, 100000)', refuse)),
  ).rejects.toThrow('not a row of ours');
  await expect(
    limited.copying((copy) => copy('select pg_terminate_backend(pg_backend_pid())', refuse)),
  ).rejects.toThrow('terminating connection');
  expect((await pool.query('select 7 as seven')).rows).toEqual([{ seven: 7 }]);
  await pool.end();
});
