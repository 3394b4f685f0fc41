import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sql } from 'kysely';
import { inSnapshot } from './snapshot.ts';
import { databaseOver, tablesOf } from './database.ts';
import { createKysely, openDatabase, relaxLimits } from './pool.ts';

let database: TestDatabase;
const messages: string[] = [];
const log = (_level: string, message: string) => messages.push(message);

beforeAll(async () => {
  database = await testDatabase({ withSchema: false });
});
afterAll(() => database.drop());

it('DB-033 numbers and dates are read without losing digits', async () => {
  const { rows } = await database.pool.query(`SELECT
    9007199254740993::int8 AS whole,
    ARRAY[9007199254740993, NULL]::int8[] AS wholes,
    0.123456789012345678::numeric(38,18) AS amount,
    ARRAY[0.123456789012345678, 12345678901234567890.5]::numeric[] AS amounts,
    '2026-03-29'::date AS day,
    7::int4 AS small`);
  expect(rows).toEqual([
    {
      whole: 9_007_199_254_740_993n,
      wholes: [9_007_199_254_740_993n, null],
      amount: '0.123456789012345678',
      amounts: ['0.123456789012345678', '12345678901234567890.5'],
      day: '2026-03-29',
      small: 7,
    },
  ]);
});

it('DB-034 a statement that exceeds its time limit is ended', async () => {
  const pool = openDatabase({ connection: database.connection, log, statementTimeoutMs: 50 });
  await expect(pool.query('SELECT pg_sleep(5)')).rejects.toThrow('statement timeout');
  await pool.end();
});

it('DB-100 statements during a start may take longer; later ones are limited on the same connection', async () => {
  const pool = openDatabase({ connection: database.connection, log, size: 1, statementTimeoutMs: 50 });
  const restore = relaxLimits([pool], { connectMs: 60_000, statementMs: 60_000 });
  const session = async () =>
    (
      await pool.query<{ pid: number; limit: string }>(
        `SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') AS limit`,
      )
    ).rows[0];
  const before = await session();
  expect(before?.limit).toBe('1min');
  await pool.query('SELECT pg_sleep(0.2)');
  restore();
  expect(await session()).toEqual({ pid: before?.pid, limit: '50ms' });
  await expect(pool.query('SELECT pg_sleep(5)')).rejects.toThrow('statement timeout');
  await pool.end();
});

it('DB-064 a read-only pool refuses every statement that writes', async () => {
  const reader = openDatabase({ connection: database.connection, log, isReadOnly: true });
  const { reader: queries, store } = databaseOver(database.pool, { reader });
  const write = sql`CREATE TABLE written (n int4)`;
  await expect(write.execute(queries)).rejects.toThrow('read-only transaction');
  await expect(inSnapshot(queries, (snapshot) => write.execute(snapshot))).rejects.toThrow('read-only');
  await write.execute(store);
  expect((await sql`SELECT n FROM written`.execute(queries)).rows).toEqual([]);
  await reader.end();
});

it('DB-035 the loss of an idle connection is survived by opening a new one', async () => {
  const pool = openDatabase({ connection: database.connection, log, name: 'reads', size: 1 });
  const { rows } = await pool.query<{ pid: number; name: string }>(
    `SELECT pg_backend_pid() AS pid, current_setting('application_name') AS name`,
  );
  expect(rows[0]?.name).toBe('reads');
  const lost = new Promise((resolve) => pool.once('error', resolve));
  await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await lost;
  expect(messages).toContain('idle database connection lost');
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

it('DB-037 the loss of an idle but checked-out connection is survived', async () => {
  const pool = openDatabase({ connection: database.connection, log, size: 1 });
  const lent = await pool.connect();
  const { rows } = await lent.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const lost = new Promise((resolve) => lent.once('end', resolve));
  await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await lost;
  await expect(lent.query('SELECT 1')).rejects.toThrow(/.+/);
  lent.release(true);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

it('DB-039 every session has keepalive settings that detect a dead peer within 25 s', async () => {
  // The test's own connection uses a Unix socket, which has no keepalives. So the test checks the settings of
  // connections over the network.
  const { rows } = await database.pool.query<{ name: string; asked: string }>(
    "SELECT name, reset_val AS asked FROM pg_settings WHERE name LIKE 'tcp_keepalives%'",
  );
  const asked = Object.fromEntries(rows.map(({ name, asked }) => [name, Number(asked)]));
  const { tcp_keepalives_idle = 0, tcp_keepalives_interval = 0, tcp_keepalives_count = 0 } = asked;
  expect(tcp_keepalives_idle).toBeGreaterThan(0);
  expect(tcp_keepalives_idle + tcp_keepalives_interval * tcp_keepalives_count).toBe(25);
});

it('DB-036 createKysely returns a typed query builder over the pool', async () => {
  await database.pool.query('CREATE TABLE coin (unit text PRIMARY KEY, places int4 NOT NULL)');
  const db = createKysely<{ coin: { unit: string; places: number } }>(database.pool);
  await db.insertInto('coin').values({ unit: 'BTC', places: 8 }).execute();
  expect(await db.selectFrom('coin').select('places').where('unit', '=', 'BTC').execute()).toEqual([
    { places: 8 },
  ]);
});

it('DB-073 a pool that ended without connections leaves no timer', async () => {
  vi.useFakeTimers();
  try {
    const pool = openDatabase({ connection: database.connection, log });
    expect(vi.getTimerCount()).toBe(1);
    await pool.end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('DB-106 code that writes over a reader does not compile', () => {
  type Written = { written: { n: number } };
  const tables = tablesOf<Written>();
  const { reader, store } = databaseOver(database.pool);
  const writes = [
    () => tables(store).insertInto('written'),
    () => store.transaction().execute(async (tx) => tables(tx).updateTable('written')),
    // @ts-expect-error -- a reader cannot write
    () => tables(reader).insertInto('written'),
    // @ts-expect-error -- nor can it with tables of its own
    () => reader.withTables<Written>().updateTable('written'),
    // @ts-expect-error -- nor can a snapshot
    () => inSnapshot(reader, async (snapshot) => tables(snapshot).deleteFrom('written')),
    // @ts-expect-error -- nor can it open a transaction that may write
    () => reader.transaction(),
  ];
  expect(writes).toHaveLength(6);
});
