import { instant, later } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserId } from '@exchange/core/ids.ts';
import { AccountRepository } from './account-repository.ts';
import { protectionChanged } from './events.ts';
import { totpCode } from '../../platform/secrets/totp.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { anAddress } from '../../../testing/calling.ts';
import { anEmail, identityHouse, type IdentityHouse, type TestUser } from './testing/identity-fixture.ts';

const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
const TRADE_PASSWORD = '294716';

/** A user with an authenticator: the key in the user's app, and the recovery codes. */
interface Owner extends TestUser {
  readonly key: string;
  readonly recovery: readonly string[];
}

describe('the security centre', () => {
  let house: IdentityHouse;
  beforeAll(async () => {
    house = await identityHouse(() => [], { siteUrl: 'https://exchange.example' });
    await house.identity.start();
  });
  afterAll(async () => {
    await house.identity.stop();
    await house.close();
  });

  const now = () => house.clock.now();
  const wrongOf = (code: string) => (code === '000000' ? '111111' : '000000');
  const bindCode = (
    { email, token }: TestUser,
    endpoint: Endpoint = wire.bindGoogle,
    about?: Record<string, string>,
  ) =>
    house.codeFor(email, 'bind', token, {
      endpoint,
      ...(about === undefined ? {} : { about: new URLSearchParams(about).toString() }),
    });
  const infoOf = async ({ token }: Pick<TestUser, 'token'>) =>
    (await house.call(wire.userInfo, {}, { token })).data;
  const anOwner = async (): Promise<Owner> => {
    const user = await house.aUser();
    const { key } = (await house.call(wire.getGoogleKey, {}, user)).data;
    const code = await bindCode(user);
    const bound = await house.call(wire.bindGoogle, { code, googleCode: totpCode(key, now()) }, user);
    expect(bound.code, bound.body).toBe(1);
    house.clock.pass(STEP_MS);
    return { ...user, key, recovery: bound.data.recovery };
  };
  /** Returns an authenticator code that was not used before, after advancing the clock past the previous time steps. */
  const freshCode = ({ key }: Owner) => {
    house.clock.pass(2 * STEP_MS);
    return totpCode(key, now());
  };
  const login = async (user: Owner, googleCode?: string, address = anAddress()) => {
    const code = await house.codeFor(user.email, 'login');
    const fields = { account: user.email, password: user.password, code };
    return house.call(
      wire.login,
      { ...fields, ...(googleCode === undefined ? {} : { googleCode }) },
      { address },
    );
  };
  const setTradePassword = async (user: TestUser, googleCode?: string) => {
    const code = await house.codeFor(user.email, 'tradePassword', user.token);
    const fields = { code, assetsPwd: TRADE_PASSWORD, confirmAssetsPwd: TRADE_PASSWORD };
    return house.call(
      wire.setTradePassword,
      { ...fields, ...(googleCode === undefined ? {} : { googleCode }) },
      user,
    );
  };

  it('SEC-860 every factor change ends the other sessions and their sockets before the answer, and is notified by mail', async () => {
    const user = await house.aUser();
    const ended: string[] = [];
    house.sessions.onSessionEnded((_, userId) => {
      if (userId === user.userId) ended.push(userId);
    });
    const isAlive = async (token: string) => (await house.call(wire.userInfo, {}, { token })).code === 1;
    const digits = { assetsPwd: TRADE_PASSWORD, confirmAssetsPwd: TRADE_PASSWORD };
    const newPasswords = { assetsPwd: '583920', confirmAssetsPwd: '583920' };
    const { key } = (await house.call(wire.getGoogleKey, {}, user)).data;
    const nextCode = () => {
      house.clock.pass(2 * STEP_MS);
      return totpCode(key, now());
    };
    const changes: readonly (readonly [
      string,
      Endpoint,
      (code: string) => Promise<{ code: number; body: string }>,
    ])[] = [
      ['set', wire.setTradePassword, (code) => house.call(wire.setTradePassword, { code, ...digits }, user)],
      [
        'changed',
        wire.setTradePassword,
        (code) =>
          house.call(wire.setTradePassword, { code, ...newPasswords, oldAssetsPwd: TRADE_PASSWORD }, user),
      ],
      [
        'reset',
        wire.resetTradePassword,
        (code) => house.call(wire.resetTradePassword, { code, ...digits, password: user.password }, user),
      ],
      [
        'bound',
        wire.bindGoogle,
        (code) => house.call(wire.bindGoogle, { code, googleCode: nextCode() }, user),
      ],
      [
        'renewed',
        wire.renewRecovery,
        (code) => house.call(wire.renewRecovery, { code, googleCode: nextCode() }, user),
      ],
      [
        'removed',
        wire.unbindGoogle,
        (code) => house.call(wire.unbindGoogle, { code, googleCode: nextCode() }, user),
      ],
    ];
    let isBound = false;
    for (const [name, endpoint, change] of changes) {
      // The number of codes per hour is limited, so an hour passes before the next request.
      house.clock.pass(DAY_MS / 24);
      const fields = {
        account: user.email,
        password: user.password,
        code: await house.codeFor(user.email, 'login'),
      };
      const factor = isBound ? { googleCode: nextCode() } : {};
      const { data } = await house.call(wire.login, { ...fields, ...factor }, { address: anAddress() });
      expect(await isAlive(data.token), name).toBe(true);
      const code = await house.codeFor(user.email, endpoint.access.mailCode!, user.token, { endpoint });
      const answer = await change(code);
      expect(answer.code, `${name} ${answer.body}`).toBe(1);
      expect([await isAlive(data.token), await isAlive(user.token)], name).toEqual([false, true]);
      expect(ended.splice(0), name).toHaveLength(1);
      expect((await house.outbox.latest(user.email))[0]?.text, name).toMatch(/other sessions have ended/);
      isBound = name === 'bound' || name === 'renewed';
    }
  });

  it('SEC-861 a sign-in that was checked before a factor change opens no session after it', async () => {
    const user = await house.aUser();
    const stale = await new AccountRepository(house.database.store).byId(user.userId as UserId);
    const { key } = (await house.call(wire.getGoogleKey, {}, user)).data;
    const code = await bindCode(user);
    await house.call(wire.bindGoogle, { code, googleCode: totpCode(key, now()) }, user);
    const repository = new AccountRepository(house.database.store);
    const fresh = await repository.byId(user.userId as UserId);
    const holds = (account: typeof stale) =>
      house.database.transaction((tx) => repository.isUnchanged(tx, account!));
    expect([await holds(stale), await holds(fresh)]).toEqual([false, true]);
  });

  it('SEC-004 a key becomes active after one of its codes was entered, and is stored encrypted', async () => {
    const user = await house.aUser();
    const code = await bindCode(user);
    const answer = await house.call(wire.bindGoogle, { code, googleCode: '123456' }, user);
    expect(answer).toMatchObject({ errKey: 'l.authenticator_key' });
    const { key, uri } = (await house.call(wire.getGoogleKey, {}, user)).data;
    expect(uri).toContain(key);
    expect((await infoOf(user)).googleBind).toBe(0);
    const right = totpCode(key, now());
    const wrong = await house.call(wire.bindGoogle, { code, googleCode: wrongOf(right) }, user);
    expect(wrong).toMatchObject({ code: -1, errKey: 'l.authenticator_wrong', data: { field: 'googleCode' } });
    const bound = await house.call(wire.bindGoogle, { code, googleCode: right }, user);
    expect(new Set(bound.data.recovery).size).toBe(10);
    expect(await infoOf(user)).toMatchObject({ googleBind: 1, recoveryLeft: 10, security: 3 });
    const { rows } = await house.testDatabase.pool.query(
      `select u::text || coalesce((select string_agg(r::text, '') from recovery_code r where r.user_id = u.id), '') as all
       from user_account u where id = $1`,
      [user.userId],
    );
    for (const secret of [
      key,
      ...bound.data.recovery,
      ...bound.data.recovery.map((code) => code.replace('-', '')),
    ])
      expect(rows[0].all).not.toContain(secret);
    expect(await house.call(wire.getGoogleKey, {}, user)).toMatchObject({
      code: -12,
      errKey: 'l.authenticator_bound',
    });
  });

  it('SEC-015 recovery codes are renewed with an authenticator code and a mailed code, which invalidates the old ones', async () => {
    const userWithoutAuthenticator = await house.aUser();
    expect(
      await house.call(
        wire.renewRecovery,
        { code: await bindCode(userWithoutAuthenticator, wire.renewRecovery) },
        userWithoutAuthenticator,
      ),
    ).toMatchObject({
      errKey: 'l.authenticator_none',
    });
    const owner = await anOwner();
    const code = await bindCode(owner, wire.renewRecovery);
    expect(await house.call(wire.renewRecovery, { code }, owner)).toMatchObject({ code: -5 });
    expect(
      await house.call(wire.renewRecovery, { code, googleCode: owner.recovery[0]! }, owner),
    ).toMatchObject({
      code: -5,
    });
    const renewed = await house.call(wire.renewRecovery, { code, googleCode: freshCode(owner) }, owner);
    expect(new Set([...renewed.data.recovery, ...owner.recovery]).size).toBe(20);
    expect(await infoOf(owner)).toMatchObject({ googleBind: 1, recoveryLeft: 10 });
    const unbind = async (googleCode: string) =>
      house.call(wire.unbindGoogle, { code: await bindCode(owner, wire.unbindGoogle), googleCode }, owner);
    expect(await unbind(owner.recovery[1]!)).toMatchObject({ code: -5, errKey: 'l.authenticator_wrong' });
    expect((await unbind(renewed.data.recovery[0]!)).code).toBe(1);
  });

  it('SEC-005 wherever a mailed code is required, an authenticator code is too, and a refusal uses up neither', async () => {
    const owner = await anOwner();
    const required = { code: -5, errKey: 'l.authenticator_required', data: { field: 'googleCode' } };
    expect(await setTradePassword(owner)).toMatchObject(required);
    const right = freshCode(owner);
    const code = await house.codeFor(owner.email, 'tradePassword', owner.token);
    const googleCode = totpCode(owner.key, now());
    const fields = { code, assetsPwd: TRADE_PASSWORD, confirmAssetsPwd: TRADE_PASSWORD };
    const send = (codes: Record<string, string>) =>
      house.call(wire.setTradePassword, { ...fields, ...codes }, owner);
    expect(await send({ googleCode: wrongOf(right) })).toMatchObject({
      code: -5,
      errKey: 'l.authenticator_wrong',
    });
    expect(await send({ googleCode, code: wrongOf(code) })).toMatchObject({
      code: -5,
      errKey: 'l.code_invalid',
    });
    expect(await send({ googleCode, confirmAssetsPwd: '294717' })).toMatchObject({ code: -1 });
    expect((await send({ googleCode })).code).toBe(1);
    expect((await infoOf(owner)).assetsPwd).toBe(1);
  });

  it('SEC-002 of many parallel uses of one code one succeeds, and none later', async () => {
    const owner = await anOwner();
    const codes = {
      bind: await bindCode(owner, wire.setAntiPhishing, { text: 'lilac' }),
      trade: await house.codeFor(owner.email, 'tradePassword', owner.token),
    };
    const googleCode = totpCode(owner.key, now());
    const answers = await Promise.all([
      house.call(wire.setAntiPhishing, { text: 'lilac', code: codes.bind, googleCode }, owner),
      house.call(
        wire.setTradePassword,
        { code: codes.trade, googleCode, assetsPwd: TRADE_PASSWORD, confirmAssetsPwd: TRADE_PASSWORD },
        owner,
      ),
    ]);
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === -5)).toHaveLength(1);
    const [again] = [
      await house.call(
        wire.unbindGoogle,
        { code: await bindCode(owner, wire.unbindGoogle), googleCode },
        owner,
      ),
    ];
    expect(again).toMatchObject({ code: -5, errKey: 'l.authenticator_wrong' });
  });

  it('SEC-006 signing in asks for it after everything else was correct, and accepts a recovery code once', async () => {
    const owner = await anOwner();
    const required = { code: -5, errKey: 'l.authenticator_required', data: { field: 'googleCode' } };
    expect(await login(owner)).toMatchObject(required);
    expect(await login({ ...owner, password: 'Violet8stone' }, totpCode(owner.key, now()))).toMatchObject({
      errKey: 'l.login_failed',
    });
    const code = await house.codeFor(owner.email, 'login');
    const fields = { account: owner.email, password: owner.password, code };
    const address = anAddress();
    // The mailed code remains valid while the user enters the authenticator code.
    expect(await house.call(wire.login, fields, { address })).toMatchObject(required);
    const right = { ...fields, googleCode: totpCode(owner.key, now()) };
    expect((await house.call(wire.login, right, { address })).code).toBe(1);
    const [spare] = owner.recovery;
    const events: string[] = [];
    house.events.on(protectionChanged, ({ userId, kind }) => {
      if (userId === owner.userId) events.push(kind);
    });
    expect((await login(owner, spare!.toLowerCase())).code).toBe(1);
    expect(await login(owner, spare)).toMatchObject({ code: -5, errKey: 'l.authenticator_wrong' });
    expect(events).toEqual(['recoveryCodeUsed']);
    expect((await infoOf(owner)).recoveryLeft).toBe(9);
    expect(
      (await house.outbox.latest(owner.email)).some(({ subject }) => /recovery code/i.test(subject)),
    ).toBe(true);
  });

  it('SEC-007 repeated wrong codes are delayed increasingly, without delaying the owner elsewhere', async () => {
    const owner = await anOwner();
    const code = await house.codeFor(owner.email, 'tradePassword', owner.token);
    const fields = { code, assetsPwd: TRADE_PASSWORD, confirmAssetsPwd: TRADE_PASSWORD };
    const guess = (googleCode: string) => house.call(wire.setTradePassword, { ...fields, googleCode }, owner);
    const address = anAddress();
    const mailed = await house.codeFor(owner.email, 'login');
    const signIn = { account: owner.email, password: owner.password, code: mailed };
    const entered = await house.call(
      wire.login,
      { ...signIn, googleCode: totpCode(owner.key, now()) },
      { address },
    );
    const otherSession = entered.data.token;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => guess(wrongOf(String(100_000 + n)))),
    );
    expect(answers.filter(({ code: answered }) => answered === -5)).toHaveLength(5);
    expect(answers.filter(({ errKey }) => errKey === 'l.login_delayed')).toHaveLength(25);
    // After wrong authenticator codes, even the correct code has to wait in the same session.
    expect(await guess(totpCode(owner.key, now()))).toMatchObject({ code: -9, errKey: 'l.login_delayed' });
    house.clock.pass(STEP_MS);
    const elsewhere = await house.call(
      wire.setTradePassword,
      { ...fields, googleCode: totpCode(owner.key, now()) },
      { token: otherSession },
    );
    expect(elsewhere.code, elsewhere.body).toBe(1);
  });

  it('SEC-008 removing it needs one of its codes or a recovery code, and holds withdrawals for a day', async () => {
    const owner = await anOwner();
    const code = await bindCode(owner, wire.unbindGoogle);
    expect(await house.call(wire.unbindGoogle, { code }, owner)).toMatchObject({ code: -5 });
    const spare = owner.recovery[3]!;
    expect((await setTradePassword(owner, spare)).errKey).toBe('l.authenticator_wrong');
    const events: string[] = [];
    house.events.on(protectionChanged, ({ userId, kind }) => {
      if (userId === owner.userId) events.push(kind);
    });
    const removed = await house.call(
      wire.unbindGoogle,
      { code: await bindCode(owner, wire.unbindGoogle), googleCode: spare },
      owner,
    );
    expect(removed.code, removed.body).toBe(1);
    expect(events).toEqual(['recoveryCodeUsed', 'authenticatorRemoved']);
    expect(await infoOf(owner)).toMatchObject({
      googleBind: 0,
      holdReason: 'authenticatorRemoved',
      holdUntil: later(now(), DAY_MS),
    });
    expect((await setTradePassword(owner)).code).toBe(1);
    const answer = await house.call(
      wire.unbindGoogle,
      { code: await bindCode(owner, wire.unbindGoogle) },
      owner,
    );
    expect(answer.errKey).toBe('l.authenticator_none');
  });

  it('SEC-862 SEC-863 a code confirms only the change it was mailed for, and its mail names the change', async () => {
    const user = await house.aUser();
    await setTradePassword(user);
    const latest = async () => (await house.outbox.latest(user.email))[0]?.text ?? '';
    const { key } = (await house.call(wire.getGoogleKey, {}, user)).data;
    const phrase = await bindCode(user, wire.setAntiPhishing, { text: 'lilac' });
    expect(await latest()).toContain('setting your anti-phishing phrase to “lilac”');
    const wrongCode = { code: -5, errKey: 'l.code_other_deed' };
    const googleCode = totpCode(key, now());
    expect(await house.call(wire.bindGoogle, { code: phrase, googleCode }, user)).toMatchObject({
      errKey: 'l.code_invalid',
    });
    expect(await house.call(wire.setAntiPhishing, { text: 'violet', code: phrase }, user)).toMatchObject(
      wrongCode,
    );
    expect((await house.call(wire.setAntiPhishing, { text: 'lilac', code: phrase }, user)).code).toBe(1);
    const [ownAddress, otherAddress] = [anEmail(), anEmail()];
    const fields = { newCode: '000000', assetsPwd: TRADE_PASSWORD };
    const code = await bindCode(user, wire.updateEmail, { email: ownAddress });
    expect(await latest()).toContain(`changing your email address to ${ownAddress}`);
    expect(await house.call(wire.updateEmail, { ...fields, code, email: otherAddress }, user)).toMatchObject(
      wrongCode,
    );
    const moved = await bindCode({ ...user, email: otherAddress }, wire.updateEmail, { email: ownAddress });
    const right = await bindCode(user, wire.updateEmail, { email: otherAddress });
    const stolen = { ...fields, code: right, newCode: moved, email: otherAddress };
    expect(await house.call(wire.updateEmail, stolen, user)).toMatchObject({ errKey: 'l.code_invalid' });
  });

  it('SEC-864 an outdated page can request a code without naming the change, but the code is refused', async () => {
    const user = await house.aUser();
    house.clock.pass(61_000);
    const requestCode = (type: wire.CodePurpose, actFields: Record<string, string> = {}) =>
      house.call(wire.sendEmailCode, { email: user.email, type: wire.CODE_TYPES[type], ...actFields }, user);
    const refused = { code: -1, errKey: 'l.code_act', data: { field: 'act' } };
    expect(await requestCode('bind')).toMatchObject(refused);
    expect(await requestCode('address')).toMatchObject(refused);
    expect(await requestCode('bind', { act: '/address/add' })).toMatchObject(refused);
    expect(await requestCode('bind', { act: 'constructor' })).toMatchObject(refused);
    expect(await requestCode('address', { act: '/address/add', about: 'currency=USDT' })).toMatchObject({
      code: -1,
    });
    expect((await requestCode('password')).code).toBe(1);
  });

  it('SEC-009 changing the email address needs codes to both addresses, ends other sessions, holds withdrawals and notifies both', async () => {
    const user = await house.aUser();
    await setTradePassword(user);
    const otherSession = await house.call(
      wire.login,
      { account: user.email, password: user.password, code: await house.codeFor(user.email, 'login') },
      { address: anAddress() },
    );
    const phrase = { text: 'lilac garden' };
    const phraseCode = await bindCode(user, wire.setAntiPhishing, phrase);
    const set = await house.call(wire.setAntiPhishing, { ...phrase, code: phraseCode }, user);
    expect(set.code, set.body).toBe(1);
    const email = anEmail();
    const sameAddressCode = await bindCode(user, wire.updateEmail, { email: user.email });
    const unchanged = {
      email: user.email,
      newCode: '000000',
      code: sameAddressCode,
      assetsPwd: TRADE_PASSWORD,
    };
    expect((await house.call(wire.updateEmail, unchanged, user)).errKey).toBe('l.email_same');
    const newCode = await bindCode({ ...user, email }, wire.updateEmail, { email });
    const code = await bindCode(user, wire.updateEmail, { email });
    const fields = { email, newCode, code, assetsPwd: TRADE_PASSWORD };
    const wrong = await house.call(wire.updateEmail, { ...fields, newCode: wrongOf(newCode) }, user);
    expect(wrong).toMatchObject({ errKey: 'l.code_invalid', data: { field: 'newCode' } });
    const changed = await house.call(wire.updateEmail, fields, user);
    expect(changed.code, changed.body).toBe(1);
    expect(await infoOf(user)).toMatchObject({ email, holdReason: 'emailChanged' });
    expect((await house.call(wire.userInfo, {}, { token: otherSession.data.token })).code).toBe(-2);
    for (const address of [user.email, email])
      expect((await house.outbox.latest(address))[0]).toMatchObject({
        subject: expect.stringMatching(/your Amethyst email address/i),
        text: expect.stringContaining('lilac garden'),
      });
    const back = await house.call(
      wire.login,
      { account: email, password: user.password, code: await house.codeFor(email, 'login') },
      { address: anAddress() },
    );
    expect(back.code).toBe(1);
  });

  it('SEC-009 an address with an account is sent no code, and the answer does not reveal it', async () => {
    const [user, otherUser] = [await house.aUser(), await house.aUser()];
    const fields = {
      email: otherUser.email,
      type: wire.CODE_TYPES.bind,
      act: wire.updateEmail.path,
      about: new URLSearchParams({ email: otherUser.email }).toString(),
    };
    house.clock.pass(61_000);
    expect(await house.call(wire.sendEmailCode, fields, user)).toMatchObject({ code: 1, data: { wait: 60 } });
    const [mail] = await house.outbox.latest(otherUser.email);
    expect([mail?.code, mail?.subject]).toEqual([
      undefined,
      'This email address already has an Amethyst account',
    ]);
  });

  it('SEC-010 every mail starts with the phrase its reader has chosen', async () => {
    const user = await house.aUser();
    const send = async (text: string) =>
      house.call(
        wire.setAntiPhishing,
        { text, code: await bindCode(user, wire.setAntiPhishing, { text }) },
        user,
      );
    for (const text of ['abc', 'x'.repeat(21)])
      expect(await house.call(wire.setAntiPhishing, { text, code: '000000' }, user)).toMatchObject({
        code: -1,
        errKey: 'l.phrase_length',
        data: { field: 'text' },
      });
    expect((await send('  lilac garden ')).code).toBe(1);
    expect((await infoOf(user)).antiPhishing).toBe('lilac garden');
    await house.codeFor(user.email, 'login');
    expect((await house.outbox.latest(user.email))[0]?.text).toMatch(
      /^Your anti-phishing phrase: lilac garden\n/,
    );
  });

  it('SEC-011 an owner freezes the account: sessions end, nobody signs in, and only support unfreezes it', async () => {
    const user = await house.aUser();
    expect((await house.call(wire.freezeAccount, { reason: 'lost my phone' }, user)).code).toBe(1);
    expect((await house.call(wire.userInfo, {}, user)).code).toBe(-2);
    const fields = { account: user.email, password: user.password };
    const code = await house.codeFor(user.email, 'login');
    expect(await house.call(wire.login, { ...fields, code }, { address: anAddress() })).toMatchObject({
      code: -13,
      errKey: 'l.account_frozen',
    });
    expect((await house.identity.prepare(user.userId as never))?.frozen).toBe(true);
  });

  it('SEC-012 the link of a mail freezes the account for a week, and no other link does', async () => {
    const user = await house.aUser();
    await setTradePassword(user);
    const text = (await house.outbox.latest(user.email))[0]?.text ?? '';
    const link = /https:\/\/exchange\.example\/setting\/freeze\?token=(\S+)/.exec(text)?.[1] ?? '';
    const [id, expiresAt, seal] = link.split('.');
    const forged = [
      'x',
      [id, expiresAt].join('.'),
      [id, String(Number(expiresAt) + DAY_MS), seal].join('.'),
      [(await house.aUser()).userId, expiresAt, seal].join('.'),
    ];
    for (const token of forged)
      expect((await house.call(wire.freezeByLink, { token })).errKey).toBe('l.freeze_link');
    expect((await house.call(wire.userInfo, {}, user)).code).toBe(1);
    expect((await house.call(wire.freezeByLink, { token: link })).code).toBe(1);
    expect((await house.call(wire.freezeByLink, { token: link })).code).toBe(1);
    expect((await house.call(wire.userInfo, {}, user)).code).toBe(-2);
    house.clock.pass(instant(Number(expiresAt)) - now() + 1);
    expect((await house.call(wire.freezeByLink, { token: link })).errKey).toBe('l.freeze_link');
  });

  it('SEC-013 a nickname and a remark are set, limited in length and shown to their owner', async () => {
    const user = await house.aUser();
    const set = (fields: { nickname?: string; remark?: string }) =>
      house.call(wire.updateProfile, fields, user);
    expect((await set({ nickname: 'Lilac2garden', remark: 'my savings' })).code).toBe(1);
    expect(await infoOf(user)).toMatchObject({ nickname: 'Lilac2garden', remark: 'my savings' });
    expect((await set({ remark: ' ' })).code).toBe(1);
    expect((await infoOf(user)).remark).toBe('');
    expect(await set({ remark: 'x'.repeat(101) })).toMatchObject({ code: -1, errKey: 'l.field_too_long' });
  });
});
