import { randomUUID } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { recordingLog, type RecordingLog } from '../../../testing/recording-log.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { openDatabase } from '../../platform/database/pool.ts';
import { AccountRepository } from './account-repository.ts';
import { AccountStatuses } from './account-statuses.ts';

describe('account statuses changed by other processes', () => {
  let ownDatabase: TestDatabase;
  let clock: FakeClock;
  let log: RecordingLog;
  let statuses: AccountStatuses;
  let user: UserId;
  beforeAll(async () => {
    ownDatabase = await testDatabase();
  });
  afterAll(() => ownDatabase.drop());
  beforeEach(async () => {
    [clock, log] = [new FakeClock(), recordingLog()];
    const accounts = new AccountRepository(databaseOver(ownDatabase.pool).store);
    statuses = new AccountStatuses({ accounts, clock, log });
    user = randomUUID() as UserId;
    await ownDatabase.pool.query(
      `insert into user_account (id, uid, house_name, invitation_code, locale, created_at)
       values ($1::uuid, (10000000 + floor(random() * 80000000))::int::text, $1, $1, 'en-US', 0)`,
      [user],
    );
    await statuses.pollChanges();
  });

  it('DB-105 the recipients of a transaction’s messages are read on its own connection', async () => {
    const pool = openDatabase({ connection: ownDatabase.connection, log: () => undefined, size: 1 });
    const database = databaseOver(pool);
    const accounts = new AccountRepository(database.store);
    const found = await database.transaction((tx) => accounts.addressees([user], tx));
    expect([...found]).toEqual([[user, { isSystemUser: true }]]);
    await pool.end();
  });

  const isFrozen = async () => (await statuses.prepare(user))!.frozen;
  const freeze = 'update user_account set frozen = true where id = $1';

  it('ID-103 a change by SQL takes effect after the next poll; unrelated changes are ignored', async () => {
    expect(await isFrozen()).toBe(false);
    await ownDatabase.pool.query('update user_account set nickname = $2 where id = $1', [user, 'Someone1']);
    const noted = 'select from user_account where id = $1 and standing_changed_by is not null';
    expect((await ownDatabase.pool.query(noted, [user])).rowCount).toBe(0);
    await ownDatabase.pool.query(freeze, [user]);
    expect((await ownDatabase.pool.query(noted, [user])).rowCount).toBe(1);
    expect(await isFrozen()).toBe(false);
    await statuses.pollChanges();
    expect(await isFrozen()).toBe(true);
  });

  it('ID-103 a transaction that stays open across several polls is not missed', async () => {
    expect(await isFrozen()).toBe(false);
    const slow = await ownDatabase.pool.connect();
    await slow.query('begin');
    await slow.query(freeze, [user]);
    for (let later = 0; later < 3; later += 1) {
      await ownDatabase.pool.query(
        'update user_account set kyc_status = ($2::int + kyc_status) % 4 where id <> $1',
        [user, 1],
      );
      await statuses.pollChanges();
      expect(await isFrozen()).toBe(false);
    }
    await slow.query('commit');
    slow.release();
    await statuses.pollChanges();
    expect(await isFrozen()).toBe(true);
  });

  it('ID-104 a status without a successful poll for five seconds is read again', async () => {
    expect(await isFrozen()).toBe(false);
    await ownDatabase.pool.query(freeze, [user]);
    clock.advance(4_999);
    expect(await isFrozen()).toBe(false);
    clock.advance(1);
    expect(await isFrozen()).toBe(true);
  });
});
