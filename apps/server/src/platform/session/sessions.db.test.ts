import type { UserId } from '@exchange/core/ids.ts';
import { instant } from '@exchange/core/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { databaseOver, type Database } from '../database/database.ts';
import { newId, systemRandom } from '../secrets/random.ts';
import { deviceName } from './device-name.ts';
import { SESSION_LIMITS } from './store.ts';
import { SignInSessions } from './sessions.ts';

const ORIGIN = { userAgent: 'test/1', address: '203.0.113.1' };

describe('sessions', () => {
  let testDb: TestDatabase;
  let database: Database;
  let nowMs = 1_800_000_000_000;
  const clock = { now: () => instant(nowMs), monotonicMs: () => nowMs };
  const make = () => new SignInSessions({ database, clock, random: systemRandom });

  beforeAll(async () => {
    testDb = await testDatabase();
    database = databaseOver(testDb.pool);
  });
  afterAll(() => testDb.drop());

  let users = 0;
  const createUser = async () => {
    users += 1;
    const id = newId(systemRandom, clock.now()) as UserId;
    await testDb.pool.query(
      `insert into user_account (id, uid, house_name, invitation_code, locale, created_at)
       values ($1, $2, $3, $3, 'en-US', 0)`,
      [id, String(10_000_000 + users), `test-${users}`],
    );
    return id;
  };
  const open = (sessions: SignInSessions, userId: UserId) =>
    database.transaction((tx) => sessions.open(tx, userId, ORIGIN));

  it('sessions are cached after the first lookup, and their use is recorded once a minute', async () => {
    const sessions = make();
    const userId = await createUser();
    const { token, session } = await open(sessions, userId);
    expect(await sessions.find(token)).toEqual(session);
    expect(sessions.find(token)).toEqual(session);
    nowMs += 60_000;
    const recheck = sessions.find(token);
    expect(recheck).toBeInstanceOf(Promise);
    expect(await recheck).toEqual(session);
    const { rows: useRows } = await testDb.pool.query('select seen_at from user_session where id = $1', [
      session.id,
    ]);
    expect(useRows).toEqual([{ seen_at: BigInt(nowMs) }]);
  });

  it('ID-030 a malformed token needs no lookup', () => {
    const sessions = make();
    for (const token of ['', 'x', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)} `, "' or 1=1 --"]) {
      expect(sessions.find(token)).toBeUndefined();
    }
  });

  it('ID-031 a session that ends during its lookup is never cached as live', async () => {
    const sessions = make();
    const userId = await createUser();
    for (let n = 0; n < 20; n += 1) {
      const { token, session } = await open(sessions, userId);
      const lookups = Promise.all([1, 2, 3].map(async () => sessions.find(token)));
      sessions.forget(await database.transaction((tx) => sessions.endOne(tx, userId, session.id)));
      await lookups;
      expect(await sessions.find(token)).toBeUndefined();
    }
  });

  it('ID-034 concurrent logins and logouts succeed, and the number of live sessions stays limited', async () => {
    const sessions = make();
    const userId = await createUser();
    for (let round = 0; round < 6; round += 1) {
      for (let n = 0; n < 60; n += 1) {
        nowMs += n % 7;
        await database.transaction((tx) => sessions.open(tx, userId, ORIGIN, 1_000));
      }
      await Promise.all(Array.from({ length: 16 }, () => open(sessions, userId)));
      const { rows: live } = await testDb.pool.query(
        'select id from user_session where user_id = $1 and ended_at is null',
        [userId],
      );
      expect(live).toHaveLength(SESSION_LIMITS.perUser);
    }
  });

  it('ID-032 a user keeps the 20 latest sessions, and listeners are notified of each ended one', async () => {
    const sessions = make();
    const ended: string[] = [];
    sessions.onSessionEnded((id) => ended.push(id));
    const userId = await createUser();
    const opened = [];
    for (let n = 0; n < SESSION_LIMITS.perUser + 2; n += 1) {
      nowMs += 1;
      const session = await open(sessions, userId);
      sessions.forget(session.displaced);
      opened.push(session);
    }
    expect(ended).toEqual(opened.slice(0, 2).map(({ session }) => session.id));
    expect(await sessions.live(userId)).toHaveLength(SESSION_LIMITS.perUser);
    expect(await sessions.find(opened[1]?.token ?? '')).toBeUndefined();
    expect(await sessions.find(opened[2]?.token ?? '')).toEqual(opened[2]?.session);
  });

  it('ID-094 EDGE-190 a lookup writes nothing but the last use, at most once a minute', async () => {
    const userId = await createUser();
    const { token, session } = await open(make(), userId);
    const versionOf = async () =>
      (await testDb.pool.query('select xmin::text, seen_at from user_session where id = $1', [session.id]))
        .rows[0] as unknown;
    const opened = await versionOf();
    nowMs += 59_999;
    // Each new `SignInSessions` has an empty cache, so each call looks the session up in the database.
    for (let n = 0; n < 5; n += 1) expect(await make().find(token)).toEqual(session);
    expect(await versionOf()).toEqual(opened);
    nowMs += 1;
    await Promise.all([1, 2, 3].map(async () => make().find(token)));
    const noted = await versionOf();
    expect(noted).toMatchObject({ seen_at: BigInt(nowMs) });
    expect(await make().find(token)).toEqual(session);
    expect(await versionOf()).toEqual(noted);
  });

  it('ID-096 a shared account keeps as many sessions as its limit, the last used ones', async () => {
    const sessions = make();
    const userId = await createUser();
    const opened = [];
    for (let n = 0; n < 4; n += 1) {
      nowMs += 1;
      opened.push(await database.transaction((tx) => sessions.open(tx, userId, ORIGIN, 3)));
    }
    expect(opened[3]?.displaced).toEqual([opened[0]?.session]);
    expect(await sessions.live(userId)).toHaveLength(3);
  });

  it('ID-033 cleaning up ends expired sessions, and days of activity are counted', async () => {
    const sessions = make();
    const userId = await createUser();
    const { token } = await open(sessions, userId);
    for (let day = 0; day < 3; day += 1) {
      nowMs += 86_400_000;
      await sessions.find(token);
    }
    expect(await sessions.activeDays(userId)).toBe(4);
    nowMs += SESSION_LIMITS.idleMs;
    const ended: string[] = [];
    sessions.onSessionEnded((_, owner) => ended.push(owner));
    await sessions.cleanUp();
    expect(ended).toContain(userId);
    nowMs += 100 * 86_400_000;
    await sessions.cleanUp();
    const { rows: remaining } = await testDb.pool.query('select 1 from user_session where user_id = $1', [
      userId,
    ]);
    expect(remaining).toEqual([]);
    expect(await sessions.activeDays(userId)).toBe(0);
  });

  it('devices are named by browser and system', () => {
    const safari =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1';
    const edge =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0';
    expect(deviceName(safari)).toBe('Safari · iPhone');
    expect(deviceName(edge)).toBe('Edge · Windows');
    expect(deviceName('curl/8.1 (x)')).toBe('curl/8.1');
    expect(deviceName('<script>')).toBe('–');
  });
});
