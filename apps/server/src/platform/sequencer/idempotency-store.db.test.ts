import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asRuntime, testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { createKysely, openDatabase } from '../database/pool.ts';
import { removeOldAnswers } from './idempotency-store.ts';

const DAY_MS = 86_400_000;

describe('old answers', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  it('SEQ-050 leave after seven days, however many, and those of other operations stay', async () => {
    const clock = new FakeClock();
    const insert = (operation: string, count: number, at: number) =>
      database.pool.query(
        `insert into idempotency (actor, operation, key, fingerprint, answer, at)
         select gen_random_uuid(), $1, n::text, 'f', 'a', $3::bigint + n from generate_series(1, $2::int) n`,
        [operation, count, at],
      );
    await insert('spot.place', 12_000, clock.now() - 8 * DAY_MS);
    await insert('spot.place', 40, clock.now() - 6 * DAY_MS);
    await insert('faucet.claim', 7, clock.now() - 80 * DAY_MS);
    // As the role that the server works as.
    const pool = openDatabase({ connection: asRuntime(database.connection), log: () => undefined });
    try {
      expect(await removeOldAnswers(createKysely(pool), 'spot.', clock)).toBe(12_000);
    } finally {
      await pool.end();
    }
    const { rows } = await database.pool.query<{ operation: string; n: number }>(
      'select operation, count(*)::int as n from idempotency group by 1 order by 1',
    );
    expect(rows).toEqual([
      { operation: 'faucet.claim', n: 7 },
      { operation: 'spot.place', n: 40 },
    ]);
  });
});
