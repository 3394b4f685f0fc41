import { later } from '@exchange/core/time.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import * as wire from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAddress } from '../../../testing/calling.ts';
import { SoftwareAuthenticator, type Deviation } from '../../../testing/software-authenticator.ts';
import { totpCode } from '../../platform/secrets/totp.ts';
import { passwordChanged, protectionChanged } from './events.ts';
import { PasskeyRepository } from './passkey-repository.ts';
import { identityHouse, type IdentityHouse, type TestUser } from './testing/identity-fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FAILED = { code: -5, errKey: 'l.passkey_failed' };
const NOT_ADDED = { errKey: 'l.passkey_failed', data: { field: 'credential' } };

describe('passkeys', () => {
  let house: IdentityHouse;
  beforeAll(async () => {
    house = await identityHouse();
    await house.identity.start();
  });
  afterAll(async () => {
    await house.identity.stop();
    await house.close();
  });

  const mailed = ({ email, token }: TestUser, endpoint: Endpoint, bound: Record<string, string>) =>
    house.codeFor(email, 'bind', token, { endpoint, about: new URLSearchParams(bound).toString() });
  const infoOf = async ({ token }: Pick<TestUser, 'token'>) =>
    (await house.call(wire.userInfo, {}, { token })).data;
  const listOf = async (user: TestUser) => (await house.call(wire.passkeys, {}, user)).data.list;
  const add = async (user: TestUser, device: SoftwareAuthenticator, name = 'Phone') => {
    const code = await mailed(user, wire.addPasskey, { name });
    const options = (await house.call(wire.newPasskey, {}, user)).data;
    return house.call(wire.addPasskey, { credential: device.create(options), name, code }, user);
  };
  /** Creates a user with a passkey on a security key. */
  const anOwner = async (device = new SoftwareAuthenticator()) => {
    const user = await house.aUser();
    const added = await add(user, device);
    expect(added.code, added.body).toBe(1);
    return { user, device, passkey: added.data };
  };
  const signInOptions = async () =>
    (await house.call(wire.passkeyOptions, {}, { address: anAddress() })).data;
  const login = async (device: SoftwareAuthenticator, deviation: Deviation = {}) =>
    house.call(
      wire.passkeyLogin,
      { passkey: device.get(await signInOptions(), deviation) },
      { address: anAddress() },
    );
  const confirm = async (
    user: TestUser,
    device: SoftwareAuthenticator,
    endpoint: Endpoint,
    bound: Record<string, string>,
  ) => {
    const about = new URLSearchParams(bound).toString();
    const options = await house.call(wire.confirmWithPasskey, { act: endpoint.path, about }, user);
    return device.get(options.data);
  };
  const latestMail = async ({ email }: TestUser) => (await house.outbox.latest(email))[0]?.text ?? '';

  it('PKY-001 PKY-004 is added with a mailed code, notifies its owner, ends other sessions and holds withdrawals', async () => {
    const user = await house.aUser();
    const device = new SoftwareAuthenticator();
    const events: unknown[] = [];
    house.events.on(protectionChanged, ({ userId, kind, name }) => {
      if (userId === user.userId) events.push([kind, name]);
    });
    const code = await house.codeFor(user.email, 'login');
    const other = await house.call(wire.login, { account: user.email, password: user.password, code });
    expect(await infoOf(user)).toMatchObject({ passkeys: 0, security: 1 });
    const added = await add(user, device, 'Work laptop');
    expect(added.code, added.body).toBe(1);
    expect(added.data).toMatchObject({ name: 'Work laptop', kind: 'key', lastTime: 0 });
    expect(await listOf(user)).toEqual([added.data]);
    expect(events).toEqual([['passkeyAdded', 'Work laptop']]);
    expect(await latestMail(user)).toContain('The passkey “Work laptop” was added');
    expect((await house.call(wire.userInfo, {}, { token: other.data.token })).code).toBe(-2);
    expect(await infoOf(user)).toMatchObject({
      passkeys: 1,
      security: 3,
      holdReason: 'passkeyAdded',
      holdUntil: later(house.clock.now(), DAY_MS),
    });
  });

  it('PKY-002 the handle of an account is random, and one account has several passkeys with names', async () => {
    const { user, passkey } = await anOwner();
    const options = (await house.call(wire.newPasskey, {}, user)).data;
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
    expect(Buffer.from(options.user.id, 'base64url').toString('hex')).not.toContain(
      user.userId.replaceAll('-', ''),
    );
    expect((await house.call(wire.newPasskey, {}, user)).data.user.id).toBe(options.user.id);
    expect(options.excludeCredentials).toHaveLength(1);
    const second = await add(user, new SoftwareAuthenticator({ isSynced: true }), 'Tablet');
    expect(second.data.kind).toBe('synced');
    const fields = { id: passkey.id, name: '  Old phone ' };
    expect((await house.call(wire.renamePasskey, fields, user)).data.name).toBe('Old phone');
    expect((await listOf(user)).map(({ name }) => name).toSorted()).toEqual(['Old phone', 'Tablet']);
    const stranger = await house.aUser();
    expect(await house.call(wire.renamePasskey, fields, stranger)).toMatchObject({ errKey: 'l.not_found' });
  });

  it('PKY-002 an eleventh passkey and one that exists already are refused', async () => {
    const { user, device } = await anOwner();
    const again = await add(user, device);
    expect(again.errKey).toBe('l.passkey_known');
    const stored = house.testDatabase.pool;
    await stored.query(
      `insert into passkey (id, user_id, credential_id, public_key, sign_count, kind, name, created_at)
       select gen_random_uuid(), $1, decode(md5(n || $2), 'hex'), '', 0, 'key', n::text, n
       from generate_series(1, 9) n`,
      [user.userId, user.email],
    );
    expect(await house.call(wire.newPasskey, {}, user)).toMatchObject({ errKey: 'l.passkeys_max' });
  });

  it('PKY-005 signs in alone, and sessions and login history say so', async () => {
    const { user, device, passkey } = await anOwner();
    const entered = await login(device);
    expect(entered.code, entered.body).toBe(1);
    expect(entered.data).toMatchObject({ userId: user.userId, email: user.email });
    const { list } = (await house.call(wire.sessions, {}, { token: entered.data.token })).data;
    expect(list.map(({ method }) => method).toSorted()).toEqual(['passkey', 'password']);
    const records = (await house.call(wire.loginRecords, {}, { token: entered.data.token })).data.list;
    expect(records[0]).toMatchObject({ kind: 'signedIn', method: 'passkey' });
    const [used] = await listOf(user);
    expect(used).toMatchObject({ id: passkey.id, lastTime: house.clock.now() });
  });

  it('PKY-005 a passkey with password replaces mailed and authenticator code', async () => {
    const { user, device } = await anOwner();
    const { key } = (await house.call(wire.getGoogleKey, {}, user)).data;
    const code = await house.codeFor(user.email, 'bind', user.token, { endpoint: wire.bindGoogle });
    const bound = await house.call(
      wire.bindGoogle,
      { code, googleCode: totpCode(key, house.clock.now()) },
      user,
    );
    expect(bound.code, bound.body).toBe(1);
    const enter = async (account: string, password: string, deviation: Deviation = {}) =>
      house.call(
        wire.login,
        { account, password, passkey: device.get(await signInOptions(), deviation) },
        { address: anAddress() },
      );
    expect((await enter(user.email, user.password)).code).toBe(1);
    const failed = { code: 0, errKey: 'l.login_failed' };
    const stranger = await house.aUser();
    const answers = [
      await enter(user.email, 'Wrong7password'),
      await enter(stranger.email, stranger.password),
      await enter('nobody@example.com', user.password),
      await enter(user.email, user.password, { isUserVerified: false }),
    ];
    for (const answer of answers) expect(answer.errKey, answer.body).toBe(failed.errKey);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    // Without a passkey, the login requires the mailed code.
    const without = await house.call(wire.login, { account: user.email, password: user.password });
    expect(without).toMatchObject({ errKey: 'l.enter_code' });
  });

  it('PKY-003 PKY-008 a replayed, expired, borrowed or forged answer signs nobody in, with one answer for all', async () => {
    const { device } = await anOwner();
    const replayed = device.get(await signInOptions());
    const address = anAddress();
    expect((await house.call(wire.passkeyLogin, { passkey: replayed }, { address })).code).toBe(1);
    const unknown = new SoftwareAuthenticator();
    unknown.create({ challenge: 'AA', rp: { id: 'localhost' }, user: { id: 'AAAA' } });
    const { user } = await anOwner();
    const otherPurpose = (await house.call(wire.newPasskey, {}, user)).data.challenge;
    const answers = [
      await house.call(wire.passkeyLogin, { passkey: replayed }, { address }),
      await login(device, { origin: 'https://localhost.example' }),
      await login(device, { rpId: 'example.com' }),
      await login(device, { isUserVerified: false }),
      await login(device, { userHandle: Buffer.alloc(32).toString('base64url') }),
      await login(device, { challenge: Buffer.alloc(54).toString('base64url') }),
      await login(device, { challenge: otherPurpose }),
      await login(device, { id: unknown.id }),
      await login(unknown),
      await login(unknown, { id: device.id }),
      await house.call(wire.passkeyLogin, { passkey: '{"id":1}' }, { address }),
    ];
    for (const answer of answers) expect(answer, answer.body).toMatchObject(FAILED);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const late = device.get(await signInOptions());
    house.clock.pass(5 * MINUTE_MS);
    expect(await house.call(wire.passkeyLogin, { passkey: late }, { address })).toMatchObject({
      errKey: 'l.passkey_expired',
    });
    expect((await login(device)).code).toBe(1);
  });

  it('PKY-003 two copies of one answer open one session', async () => {
    const { device } = await anOwner();
    const passkey = device.get(await signInOptions());
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => house.call(wire.passkeyLogin, { passkey }, { address: anAddress() })),
    );
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
  });

  it('PKY-009 a counter that falls is refused, logged and mailed once a day; a synced passkey goes on', async () => {
    const { user, device } = await anOwner();
    expect((await login(device, { counter: 10 })).code).toBe(1);
    expect(await login(device, { counter: 4 })).toMatchObject({ errKey: 'l.passkey_counter' });
    expect(await latestMail(user)).toContain('its signature counter did not go up');
    expect(await login(device, { counter: 10 })).toMatchObject({ errKey: 'l.passkey_counter' });
    const warnings = (await house.outbox.latest(user.email)).filter(({ text }) => /counter/.test(text));
    expect(warnings).toHaveLength(1);
    const { rows } = await house.identity.desk.events(user.userId as UserId, undefined);
    expect(rows.filter(({ kind }) => kind === 'passkeyCounter')).toHaveLength(2);
    expect((await login(device, { counter: 11 })).code).toBe(1);
    const synced = await anOwner(new SoftwareAuthenticator({ isSynced: true }));
    for (let n = 0; n < 3; n += 1) expect((await login(synced.device)).code).toBe(1);
    expect(await latestMail(synced.user)).not.toContain('counter');
  });

  it('PKY-006 confirms one call instead of both codes, in its session and for its values', async () => {
    const { user, device } = await anOwner();
    const phrase = { text: 'lilac garden' };
    const passkey = await confirm(user, device, wire.setAntiPhishing, phrase);
    const elsewhere = await login(device);
    const stranger = await anOwner();
    const attacks = [
      await house.call(wire.setAntiPhishing, { text: 'other words', passkey }, user),
      await house.call(wire.setAntiPhishing, { ...phrase, passkey }, { token: elsewhere.data.token }),
      await house.call(wire.setAntiPhishing, { ...phrase, passkey }, stranger.user),
      await house.call(
        wire.setAntiPhishing,
        { ...phrase, passkey: stranger.device.get(await optionsFor(user, phrase)) },
        user,
      ),
      await house.call(wire.setAntiPhishing, { ...phrase, passkey: device.get(await signInOptions()) }, user),
    ];
    for (const answer of attacks) expect(answer, answer.body).toMatchObject(FAILED);
    const fresh = await confirm(user, device, wire.setAntiPhishing, phrase);
    const set = await house.call(wire.setAntiPhishing, { ...phrase, passkey: fresh }, user);
    expect(set.code, set.body).toBe(1);
    expect(await house.call(wire.setAntiPhishing, { ...phrase, passkey: fresh }, user)).toMatchObject(FAILED);
    expect((await infoOf(user)).antiPhishing).toBe('lilac garden');
  });
  const optionsFor = async (user: TestUser, bound: Record<string, string>) => {
    const about = new URLSearchParams(bound).toString();
    const fields = { act: wire.setAntiPhishing.path, about };
    return (await house.call(wire.confirmWithPasskey, fields, user)).data;
  };

  it('PKY-006 only calls that need a confirmation have options, for people who have a passkey', async () => {
    const { user } = await anOwner();
    const options = (fields: { act: string }, by: TestUser) =>
      house.call(wire.confirmWithPasskey, fields, by);
    expect(await options({ act: wire.logout.path }, user)).toMatchObject({ errKey: 'l.code_act' });
    expect(await options({ act: wire.unbindGoogle.path }, await house.aUser())).toMatchObject(FAILED);
  });

  it('PKY-006 a confirmed call that is repeated under its key needs no second answer', async () => {
    const { user, device } = await anOwner();
    const second = new SoftwareAuthenticator({ isSynced: true });
    const name = 'Tablet';
    const passkey = await confirm(user, device, wire.addPasskey, { name });
    const fields = { credential: '{}', name, passkey, clientId: 'add-tablet' };
    expect(await house.call(wire.addPasskey, fields, user)).toMatchObject(NOT_ADDED);
    const options = (await house.call(wire.newPasskey, {}, user)).data;
    const made = { ...fields, credential: second.create(options) };
    const elsewhere = { ...made, clientId: 'other' };
    expect(await house.call(wire.addPasskey, elsewhere, user)).toMatchObject(FAILED);
    const added = await house.call(wire.addPasskey, made, user);
    expect(added.code, added.body).toBe(1);
    expect(await listOf(user)).toHaveLength(2);
  });

  it('PKY-004 a credential made in another session or from another page is not added', async () => {
    const { user, device } = await anOwner();
    const name = 'Phone';
    const other = { ...user, token: (await login(device)).data.token };
    const made = new SoftwareAuthenticator();
    const options = (await house.call(wire.newPasskey, {}, other)).data;
    for (const credential of [
      made.create(options),
      made.create((await house.call(wire.newPasskey, {}, user)).data, { origin: 'https://evil.example' }),
      made.create((await house.call(wire.newPasskey, {}, user)).data, { isUserVerified: false }),
      '{}',
    ]) {
      const passkey = await confirm(user, device, wire.addPasskey, { name });
      const answer = await house.call(wire.addPasskey, { credential, name, passkey }, user);
      expect(answer, answer.body).toMatchObject(NOT_ADDED);
    }
    expect(await listOf(user)).toHaveLength(1);
  });

  it('PKY-007 removing one needs a confirmation and holds withdrawals; removing the last one must be confirmed explicitly', async () => {
    const owner = await anOwner();
    const { user, device } = owner;
    const { id } = owner.passkey;
    expect(await house.call(wire.removePasskey, { id }, user)).toMatchObject({ errKey: 'l.enter_code' });
    const passkey = await confirm(user, device, wire.removePasskey, { id });
    const refused = await house.call(wire.removePasskey, { id, passkey }, user);
    expect(refused).toMatchObject({ errKey: 'l.passkey_last' });
    house.clock.pass(2 * DAY_MS);
    const fresh = await confirm(user, device, wire.removePasskey, { id, isLast: '1' });
    const stranger = await anOwner();
    const theirs = await confirm(stranger.user, stranger.device, wire.removePasskey, { id, isLast: '1' });
    expect(
      await house.call(wire.removePasskey, { id, isLast: '1', passkey: theirs }, stranger.user),
    ).toMatchObject({
      errKey: 'l.not_found',
    });
    const removed = await house.call(wire.removePasskey, { id, isLast: '1', passkey: fresh }, user);
    expect(removed.code, removed.body).toBe(1);
    expect(await infoOf(user)).toMatchObject({
      passkeys: 0,
      holdReason: 'passkeyRemoved',
      holdUntil: later(house.clock.now(), DAY_MS),
    });
    expect(await latestMail(user)).toContain('The passkey “Phone” was removed');
    expect(await login(device)).toMatchObject(FAILED);
  });

  it('PKY-016 a password reset names the passkeys that still sign in, in the mail and for the message', async () => {
    const { user, device } = await anOwner();
    await add(user, new SoftwareAuthenticator(), 'Laptop');
    const facts: unknown[] = [];
    house.events.on(passwordChanged, (fact) => facts.push(fact));
    const reset = async (owner: TestUser) => {
      const { email } = owner;
      house.clock.pass(MINUTE_MS + 1_000);
      await house.call(wire.sendForgetCode, { email }, { address: anAddress() });
      const code = (await house.outbox.latest(email))[0]?.code ?? '';
      const fields = { email, code, password: 'Indigo8river', confirmPassword: 'Indigo8river' };
      expect((await house.call(wire.forgetPassword, fields)).code).toBe(1);
      return latestMail(owner);
    };
    const mail = await reset(user);
    expect(mail).toMatch(/still log in to your account:\nLaptop \(.* UTC\)\nPhone \(.* UTC\)\nIf you do not/);
    const passkeys: unknown = expect.stringMatching(/^Laptop \(.* UTC\)\nPhone \(.* UTC\)$/);
    expect(facts.at(-1)).toMatchObject({ userId: user.userId, byReset: true, passkeys });
    expect((await login(device)).code).toBe(1);
    const without = await house.aUser();
    expect(await reset(without)).not.toContain('still log in');
    expect(facts.at(-1)).toMatchObject({ userId: without.userId, passkeys: undefined });
  });

  it('PKY-010 a frozen account is refused as with a password', async () => {
    const { user, device } = await anOwner();
    await house.identity.restrict(user.userId as UserId, { frozen: true, reason: 'test' });
    expect(await login(device)).toMatchObject({ errKey: 'l.account_frozen' });
  });

  it('PKY-011 an operator removes a lost passkey: sessions end, withdrawals are held, the owner is told', async () => {
    const { user, device, passkey } = await anOwner();
    const userId = user.userId as UserId;
    expect(await house.identity.desk.passkeys(userId)).toHaveLength(1);
    await house.identity.desk.removePasskey(userId, passkey.id, 'support: lost');
    expect((await house.call(wire.userInfo, {}, user)).code).toBe(-2);
    expect(await login(device)).toMatchObject(FAILED);
    expect(await latestMail(user)).toContain('was removed');
    const { rows } = await house.identity.desk.events(userId, undefined);
    expect(rows.find(({ kind }) => kind === 'passkeyRemoved')?.detail).toContain('support: lost');
  });

  it('PKY-003 used challenges are deleted when they expire', async () => {
    const { device } = await anOwner();
    await login(device);
    const count = async () =>
      (await house.testDatabase.pool.query('select count(*)::int as n from passkey_challenge')).rows[0].n;
    expect(await count()).toBeGreaterThan(0);
    house.clock.pass(5 * MINUTE_MS + 1);
    await new PasskeyRepository(house.database.store).removeOld(house.clock.now());
    expect(await count()).toBe(0);
  });
});
