import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withRuntimeRole, testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { createKysely, openDatabase } from '../database/pool.ts';
import { IdempotencyStore, removeOldAnswers } from './idempotency-store.ts';
import { Submission } from './submission.ts';

const DAY_MS = 86_400_000;

describe('removal of old answers', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  it('SEQ-050 answers are removed after seven days, except those of withdrawals and deposits', async () => {
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
    await insert('fund.buy', 2, clock.now() - 6 * DAY_MS);
    await insert('withdrawals.submit', 3, clock.now() - 800 * DAY_MS);
    await insert('deposits.submitProof', 4, clock.now() - 800 * DAY_MS);
    // The test's pool connects with the restricted database role that the server uses.
    const pool = openDatabase({ connection: withRuntimeRole(database.connection), log: () => undefined });
    try {
      expect(await removeOldAnswers(createKysely(pool), clock)).toMatchObject({ removed: 12_007 });
    } finally {
      await pool.end();
    }
    const { rows } = await database.pool.query<{ operation: string; n: number }>(
      'select operation, count(*)::int as n from idempotency group by 1 order by 1',
    );
    expect(rows).toEqual([
      { operation: 'deposits.submitProof', n: 4 },
      { operation: 'fund.buy', n: 2 },
      { operation: 'spot.place', n: 40 },
      { operation: 'withdrawals.submit', n: 3 },
    ]);
  });

  it('SEQ-790 with any number of stored keys, a new key needs no query and a stored key is found', async () => {
    const clock = new FakeClock();
    const actor = '0199aa00-0000-7000-8000-000000000001';
    // The test stores far more idempotency keys than one layer of this filter holds, for an operation whose answers are
    // removed and for one whose answers are permanent.
    await database.pool.query(
      `insert into idempotency (actor, operation, key, fingerprint, answer, at)
       select $1, operation, n::text, 'f', 'first', $2
       from generate_series(1, 8000) n, unnest(array['spot.place', 'withdrawals.submit']) operation`,
      [actor, clock.now() - 8 * DAY_MS],
    );
    const pool = openDatabase({ connection: withRuntimeRole(database.connection), log: () => undefined });
    try {
      const reader = createKysely(pool);
      const answers = new IdempotencyStore(reader, clock, 14);
      const find = (operation: string, key: string) =>
        answers.find(Submission.create({ actor, operation, key, sent: {} }));
      await answers.learn();
      for (const operation of ['spot.place', 'withdrawals.submit']) {
        for (const key of ['1', '4000', '8000']) expect(await find(operation, key)).toBe('first');
        let queries = 0;
        for (let key = 10_000; key < 11_000; key += 1)
          if (find(operation, String(key)) !== undefined) queries += 1;
        expect(queries).toBeLessThan(60);
      }

      const { before } = await removeOldAnswers(reader, clock);
      answers.removedBefore(before);
      expect(find('spot.place', '4000')).toBeUndefined();
      expect(await find('withdrawals.submit', '4000')).toBe('first');
      await answers.close();
    } finally {
      await pool.end();
    }
  });

  it('SEQ-017 the key of a slow step remains in memory while a lookup runs that does not see its answer', async () => {
    const clock = new FakeClock();
    const pool = openDatabase({
      connection: withRuntimeRole(database.connection),
      log: () => undefined,
      size: 1,
    });
    const submissionOf = (key: string) =>
      Submission.create({
        actor: '0199aa00-0000-7000-8000-000000000001',
        operation: 'spot.place',
        key,
        sent: {},
      });
    try {
      const answers = new IdempotencyStore(createKysely(pool), clock, 14);
      // The test uses the only connection of the pool, so the lookup of another key does not end.
      const connection = await pool.connect();
      const lookup = answers.find(submissionOf('another'));
      const slow = submissionOf('slow');
      answers.remember(slow, Promise.resolve('done'));
      // Other steps are accepted while the slow one is not stored.
      for (const key of ['2', '3', '4']) {
        clock.advance(16_000);
        answers.remember(submissionOf(key), Promise.resolve('other'));
      }
      answers.settle(slow);
      clock.advance(16_000);
      answers.remember(submissionOf('5'), Promise.resolve('other'));
      expect(await answers.running(slow)).toBe('done');

      connection.release();
      expect(await lookup).toBeUndefined();
    } finally {
      await pool.end();
    }
  });
});
