import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { assertDurable } from './durability.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ withSchema: false });
});
afterAll(() => database.drop());

it('DB-030 a server that keeps acknowledged commits is accepted', async () => {
  await expect(assertDurable((sql) => database.pool.query(sql))).resolves.toBeUndefined();
});

it('DB-031 a session whose commits do not wait for the disk is refused', async () => {
  const client = await database.pool.connect();
  try {
    await client.query('SET synchronous_commit = off');
    await expect(assertDurable((sql) => client.query(sql))).rejects.toThrow(/synchronous_commit is off/);
    await client.query('SET synchronous_commit = local');
    await expect(assertDurable((sql) => client.query(sql))).resolves.toBeUndefined();
  } finally {
    client.release(true);
  }
});

it('DB-032 the error names all reasons together: fsync, torn pages, version', async () => {
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'on',
    server_version_num: '140012',
    server_version: '14.12',
  };
  const rows = Object.entries(settings).map(([name, setting]) => ({ name, setting }));
  await expect(assertDurable(() => Promise.resolve({ rows }))).rejects.toThrow(
    /fsync is off.*full_page_writes is off.*version is 14\.12, must be 15 or later/,
  );
});
