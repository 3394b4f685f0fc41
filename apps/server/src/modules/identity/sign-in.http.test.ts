import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { DEMO_TRADER } from './system-users.ts';
import { createHash } from 'node:crypto';
import * as wire from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HUB_LIMITS } from '../../platform/feed/feed.ts';
import { SESSION_LIMITS } from '../../platform/session/store.ts';
import { AGREEMENT_FIELDS } from '../../../testing/agreement-fields.ts';
import { anAddress } from '../../../testing/calling.ts';
import { anEmail, GOOD_PASSWORD, identityHouse, type IdentityHouse } from './testing/identity-fixture.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const DAY_MS = 86_400_000;

describe('registration and sign-in', () => {
  let house: IdentityHouse;
  beforeAll(async () => {
    house = await identityHouse();
  });
  afterAll(() => house.close());

  const loginAs = async (
    email: string,
    password = GOOD_PASSWORD,
    userAgent = 'house-test/1.0',
    address = anAddress(),
  ) =>
    house.call(
      wire.login,
      { account: email, code: await house.codeFor(email, 'login'), password },
      { address, userAgent },
    );

  it('ID-001 a visitor registers with a mailed code, signs in with another, reads the profile and signs out', async () => {
    const email = anEmail();
    const code = await house.codeFor(email, 'register');
    const registered = await house.call(wire.register, {
      email: ` ${email.toUpperCase()} `,
      code,
      password: GOOD_PASSWORD,
      confirmPassword: GOOD_PASSWORD,
      ...AGREEMENT_FIELDS,
      lang: 'zh-CN',
    });
    expect(registered.code).toBe(1);

    const { data: login } = await loginAs(email);
    expect(login).toMatchObject({ userId: registered.data.userId, code: 1, msg: expect.any(String) });
    const { data: info } = await house.call(wire.userInfo, {}, { token: login.token });
    expect(info).toMatchObject({
      email,
      userId: login.userId,
      uid: expect.stringMatching(/^[1-9]\d{7}$/),
      invitationCode: expect.stringMatching(/^[A-Z2-9]{8}$/),
      assetsPwd: 0,
      auth: 0,
      kycStatus: 0,
      purchase: '1',
      security: 1,
      securityLevel: 'low',
      activity: 'low',
      holdUntil: 0,
      lang: 'zh-CN',
    });
    expect((await house.call(wire.logout, {}, { token: login.token })).code).toBe(1);
    expect((await house.call(wire.userInfo, {}, { token: login.token })).code).toBe(-2);
    expect((await house.call(wire.userInfo, {}, { token: registered.data.token })).code).toBe(1);
  });

  it('WEB-1021 the same registration sent again signs in to the account that it has opened, and guesses are bounded', async () => {
    const email = anEmail();
    const code = await house.codeFor(email, 'register');
    const fields = {
      email,
      code,
      password: GOOD_PASSWORD,
      confirmPassword: GOOD_PASSWORD,
      ...AGREEMENT_FIELDS,
    };
    const first = await house.call(wire.register, fields);
    const again = await house.call(wire.register, fields);
    expect(again).toMatchObject({ code: 1, data: { userId: first.data.userId } });
    const { data: info } = await house.call(wire.userInfo, {}, { token: again.data.token });
    expect(info.email).toBe(email);

    const otherPassword = `${GOOD_PASSWORD}2`;
    const other = await house.call(wire.register, {
      ...fields,
      password: otherPassword,
      confirmPassword: otherPassword,
    });
    expect(other.errKey).toBe('l.code_invalid');
    const wrong = { ...fields, code: code === '000000' ? '000001' : '000000' };
    for (let guess = 0; guess < 5; guess += 1)
      expect((await house.call(wire.register, wrong)).errKey).toBe('l.code_invalid');
    expect((await house.call(wire.register, fields)).errKey).toBe('l.code_invalid');
  });

  it('WEB-1021 a registration is not repeated once its code has expired', async () => {
    const email = anEmail();
    const code = await house.codeFor(email, 'register');
    const fields = {
      email,
      code,
      password: GOOD_PASSWORD,
      confirmPassword: GOOD_PASSWORD,
      ...AGREEMENT_FIELDS,
    };
    expect((await house.call(wire.register, fields)).code).toBe(1);
    house.clock.pass(DAY_MS);
    expect((await house.call(wire.register, fields)).errKey).toBe('l.code_invalid');
  });

  it('ID-002 a user id in the body never selects whose data is returned', async () => {
    const [user, otherUser] = [await house.aUser(), await house.aUser()];
    const profile = await house.call(
      wire.userInfo,
      { userId: user.userId, token: otherUser.token },
      { token: user.token },
    );
    expect(profile.data.email).toBe(user.email);
    const foreign = await house.call(wire.userInfo, { userId: otherUser.userId }, { token: user.token });
    expect(foreign).toMatchObject({ code: 0, errKey: 'l.not_found' });
  });

  it('ID-003 tokens are stored only as hashes and read only from their header', async () => {
    const user = await house.aUser();
    const { rows } = await house.testDatabase.pool.query(
      'select row_to_json(user_session)::text as row from user_session where user_id = $1',
      [user.userId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain(user.token);
    expect(rows[0].row).toContain(createHash('sha256').update(user.token).digest('hex'));
    const bodyOnly = await house.call(wire.userInfo, { token: user.token }, {});
    expect(bodyOnly).toMatchObject({ code: -2, errKey: 'l.session_ended' });
  });

  it('ID-004 sign-in answers the same for a wrong password, a wrong code and an unknown address', async () => {
    const user = await house.aUser();
    const code = await house.codeFor(user.email, 'login');
    const wrongCode = code === '000000' ? '000001' : '000000';
    const tries = [
      { account: user.email, code, password: 'Wrong7password' },
      { account: user.email, code: wrongCode, password: user.password },
      { account: anEmail(), code: wrongCode, password: user.password },
    ];
    const answers = [];
    for (const fields of tries) answers.push(await house.call(wire.login, fields, { address: anAddress() }));
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, code: 0, errKey: 'l.login_failed' });
  });

  it('ID-005 registration checks agreement, confirmation, strength and invitation before it uses the code', async () => {
    const email = anEmail();
    const code = await house.codeFor(email, 'register');
    const good = {
      email,
      code,
      password: GOOD_PASSWORD,
      confirmPassword: GOOD_PASSWORD,
      ...AGREEMENT_FIELDS,
    } as const;
    const refusals = [
      [{ agree: '0' }, 'l.agree_required'],
      [{ termsVersion: '0' }, 'l.user_agreement'],
      [{ termsVersion: undefined }, 'l.user_agreement'],
      [{ privacyVersion: '0' }, 'l.privacy_policy'],
      [{ privacyVersion: undefined }, 'l.privacy_policy'],
      [{ confirmPassword: 'Violet7stones' }, 'l.password_mismatch'],
      [{ password: 'Password123', confirmPassword: 'Password123' }, 'l.password_common'],
      [{ password: 'Vio7', confirmPassword: 'Vio7' }, 'l.password_length'],
      [{ password: '7violetstone', confirmPassword: '7violetstone' }, 'l.password_letter'],
      [{ password: 'Violetstone', confirmPassword: 'Violetstone' }, 'l.password_digit'],
      [
        { password: `A1${email.split('@')[0]}`, confirmPassword: `A1${email.split('@')[0]}` },
        'l.password_contains_email',
      ],
      [{ invitationCode: 'NOBODY22' }, 'l.invite_unknown'],
    ] as const;
    for (const [change, errKey] of refusals) {
      expect(await house.call(wire.register, { ...good, ...change })).toMatchObject({ code: -1, errKey });
    }
    expect((await house.call(wire.register, good)).code).toBe(1);
  });

  it('ID-130 registration stores which versions were accepted, when and in which language; an outdated version is refused and stores nothing', async () => {
    const email = anEmail();
    const code = await house.codeFor(email, 'register');
    const password = GOOD_PASSWORD;
    const fields = {
      email,
      code,
      password,
      confirmPassword: password,
      ...AGREEMENT_FIELDS,
      lang: 'ja-JP',
    } as const;
    const refused = await house.call(wire.register, { ...fields, termsVersion: '0' });
    expect(refused).toMatchObject({ code: -1, errKey: 'l.user_agreement' });
    expect(refused.data).toMatchObject({ field: 'agree', limit: AGREEMENT_VERSIONS.user, value: '0' });
    const [first, again] = await Promise.all(
      [0, 1].map(() => house.call(wire.register, fields, { address: anAddress() })),
    );
    // Of two simultaneous registrations, one is either refused or signs in to the account that the other one created.
    const users = new Set(
      [first!, again!].filter(({ code: answer }) => answer === 1).map(({ data }) => data.userId),
    );
    expect(users.size).toBe(1);
    const user = [...users][0] as UserId;
    const at = house.clock.now();
    expect(await house.identity.desk.acceptances(user)).toEqual([
      { name: 'user', version: AGREEMENT_VERSIONS.user, locale: 'ja-JP', acceptedAt: at },
      { name: 'privacy', version: AGREEMENT_VERSIONS.privacy, locale: 'ja-JP', acceptedAt: at },
    ]);
    const { pool } = house.testDatabase;
    await expect(pool.query('delete from account_agreement')).rejects.toThrow('account_agreement');
    // Accounts that were created before the table of accepted agreements existed have no row in it; apart from that
    // they work as others do.
    const oldUser = await house.aUser();
    await pool.query('alter table account_agreement disable trigger account_agreement_append_only');
    await pool.query('delete from account_agreement where user_id = $1', [oldUser.userId]);
    await pool.query('alter table account_agreement enable trigger account_agreement_append_only');
    expect(await house.identity.desk.acceptances(oldUser.userId as UserId)).toEqual([]);
    expect((await house.call(wire.userInfo, {}, { token: oldUser.token })).code).toBe(1);
  });

  it('ID-006 an invitation code links the new user to the inviter', async () => {
    const inviter = await house.aUser();
    const { data } = await house.call(wire.userInfo, {}, { token: inviter.token });
    const email = anEmail();
    const code = await house.codeFor(email, 'register');
    const invited = await house.call(wire.register, {
      email,
      code,
      password: GOOD_PASSWORD,
      confirmPassword: GOOD_PASSWORD,
      ...AGREEMENT_FIELDS,
      invitationCode: data.invitationCode.toLowerCase(),
    });
    const { rows } = await house.testDatabase.pool.query(
      'select invited_by from user_account where id = $1',
      [invited.data.userId],
    );
    expect(rows).toEqual([{ invited_by: inviter.userId }]);
  });

  it('ID-007 sessions are extended for 7 days, end after 30, and can be listed and revoked only by their owner', async () => {
    const user = await house.aUser();
    const { data: second } = await loginAs(user.email, user.password, CHROME);
    const { data } = await house.call(wire.sessions, {}, { token: user.token });
    expect(data.list.map((session) => [session.device, session.current])).toEqual(
      expect.arrayContaining([
        ['Chrome · Linux', 0],
        ['house-test/1.0', 1],
      ]),
    );
    const otherUser = await house.aUser();
    const otherSessionId = data.list.find((session) => session.current === 0)?.id ?? '';
    expect(
      await house.call(wire.revokeSession, { id: otherSessionId }, { token: otherUser.token }),
    ).toMatchObject({
      code: 0,
    });
    expect((await house.call(wire.userInfo, {}, { token: second.token })).code).toBe(1);
    expect((await house.call(wire.revokeSession, { id: otherSessionId }, { token: user.token })).code).toBe(
      1,
    );
    expect((await house.call(wire.userInfo, {}, { token: second.token })).code).toBe(-2);

    for (let day = 0; day < 29; day += 6) {
      expect((await house.call(wire.userInfo, {}, { token: user.token })).code).toBe(1);
      house.clock.pass(6 * DAY_MS);
    }
    expect((await house.call(wire.userInfo, {}, { token: user.token })).code).toBe(-2);
    const idle = await house.aUser();
    house.clock.pass(7 * DAY_MS);
    expect((await house.call(wire.userInfo, {}, { token: idle.token })).code).toBe(-2);
  });

  it('ID-018 one call ends every session except the caller’s', async () => {
    const user = await house.aUser();
    const otherSessions = [await loginAs(user.email), await loginAs(user.email, user.password, CHROME)];
    const stranger = await house.aUser();
    expect(await house.call(wire.revokeOtherSessions, {}, { token: user.token })).toMatchObject({
      code: 1,
      data: { count: 2 },
    });
    for (const { data } of otherSessions)
      expect((await house.call(wire.userInfo, {}, { token: data.token })).code).toBe(-2);
    for (const { token } of [user, stranger])
      expect((await house.call(wire.userInfo, {}, { token })).code).toBe(1);
    expect((await house.call(wire.revokeOtherSessions, {}, { token: user.token })).data).toEqual({
      count: 0,
    });
  });

  it('ID-008 the sign-in history lists the user’s sign-ins and failed attempts, newest first', async () => {
    const user = await house.aUser();
    house.clock.pass(1_000);
    await house.call(
      wire.login,
      { account: user.email, code: '000000', password: 'Wrong7password' },
      { address: '198.51.100.4', userAgent: CHROME },
    );
    house.clock.pass(1_000);
    const { data: login } = await loginAs(user.email);
    const { data } = await house.call(wire.loginRecords, { pageSize: '2' }, { token: login.token });
    expect(data).toMatchObject({ totalRow: 3, sum: 3, pageNo: 1, pageSize: 2 });
    expect(data.list.map((record) => record.kind)).toEqual(['signedIn', 'signInFailed']);
    expect(data.list[1]).toMatchObject({ address: '198.51.100.4', device: 'Chrome · Linux' });
  });

  it('ID-860 a sign-in with the same browser type but another device id, or none, is mailed to the owner', async () => {
    const user = await house.aUser();
    const home = anAddress();
    const login = async (device: Record<string, string>) => {
      const code = await house.codeFor(user.email, 'login');
      const fields = { account: user.email, password: user.password, code, ...device };
      const { data } = await house.call(wire.login, fields, { address: home, userAgent: 'common/1' });
      expect(data.token).toBeTypeOf('string');
      return (await house.outbox.latest(user.email))[0]?.subject === 'New login to your Amethyst account';
    };
    expect(await login({ deviceId: 'mine' })).toBe(true);
    expect(await login({ deviceId: 'mine' })).toBe(false);
    expect(await login({})).toBe(true);
    expect(await login({ deviceId: 'other' })).toBe(true);
  });

  it('ID-009 a sign-in on a new device is mailed to the owner', async () => {
    const user = await house.aUser();
    const home = anAddress();
    await loginAs(user.email, user.password, CHROME, home);
    const subjects = async () => (await house.outbox.latest(user.email)).map(({ subject }) => subject);
    const notices = async () =>
      (await subjects()).filter((subject) => subject === 'New login to your Amethyst account');
    expect(await notices()).toHaveLength(1);
    await loginAs(user.email, user.password, CHROME, home);
    expect(await notices()).toHaveLength(1);
    await loginAs(user.email, user.password, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', home);
    const [message] = await house.outbox.latest(user.email);
    expect(message?.text).toContain('from a device we have not seen before');
    expect(message?.text).toContain('Firefox · Linux');
  });

  it('ID-927 a sign-in on a known device from another network is mailed, and the mail says which of the two is new', async () => {
    const user = await house.aUser();
    const login = async (deviceId: string, address: string) => {
      house.clock.pass(3_600_000);
      const code = await house.codeFor(user.email, 'login');
      const fields = { account: user.email, password: user.password, code, deviceId };
      await house.call(wire.login, fields, { address, userAgent: 'common/1' });
      const [message] = await house.outbox.latest(user.email);
      return /from (.*) we have not seen before/.exec(message?.text ?? '')?.[1];
    };
    expect(await login('mine', '198.51.100.7')).toBe('a device and a network');
    expect(await login('mine', '198.51.100.200')).toBeUndefined();
    expect(await login('mine', '198.51.101.7')).toBe('a network');
    expect(await login('other', '198.51.101.8')).toBe('a device');
    expect(await login('mine', '2001:db8:1:2::1')).toBe('a network');
    expect(await login('mine', '2001:db8:1:3::1')).toBeUndefined();
    expect(await login('mine', '2001:db8:2:3::1')).toBe('a network');
  });

  it('ID-928 a demo sign-in carries its device id, and the shared account is not mailed about visitors', async () => {
    const { data } = await house.call(wire.demoLogin, { deviceId: 'visitor-1' }, { address: anAddress() });
    const { rows } = await house.testDatabase.pool.query(
      'select has_device_id, device_mark = sha256($2) as is_same from user_session where user_id = $1 order by id desc limit 1',
      [data.userId, Buffer.from('visitor-1')],
    );
    expect(rows).toEqual([{ has_device_id: true, is_same: true }]);
    expect(await house.outbox.latest(data.email)).toEqual([]);
  });

  it('ID-010 demo mode signs in as the verified demo trader with one call', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => house.call(wire.demoLogin, {}, {})));
    expect(new Set(answers.map((answer) => answer.data.userId)).size).toBe(1);
    const { data } = await house.call(wire.userInfo, {}, { token: answers[0]?.data.token ?? '' });
    expect(data).toMatchObject({
      kycStatus: 2,
      assetsPwd: 1,
      level: 2,
      security: 3,
      securityLevel: 'medium',
    });
  });

  it('ID-096 demo visitors neither displace, see nor end each other’s sessions; a real account keeps its twenty', async () => {
    const enter = async (address = anAddress()) =>
      (await house.call(wire.demoLogin, {}, { address })).data.token;
    const firstAddress = anAddress();
    const first = await enter(firstAddress);
    for (let n = 0; n < 25; n += 1) await enter();
    const { data } = await house.call(wire.userInfo, {}, { token: first });
    expect(data.limits.sessions).toBe(SESSION_LIMITS.perSharedUser);
    expect(data.limits.feedConnections).toBe(HUB_LIMITS.connectionsPerSharedUser);
    const otherVisitorSessions = await house.call(wire.sessions, {}, { token: await enter() });
    expect(otherVisitorSessions.data.list).toMatchObject([{ current: 1 }]);
    const ownSessions = await house.call(wire.sessions, {}, { token: first });
    expect(ownSessions.data.list).toMatchObject([{ current: 1 }]);
    const firstVisitor = { token: first, address: firstAddress };
    const ownSignIns = await house.call(wire.loginRecords, {}, firstVisitor);
    expect(ownSignIns.data.list).toMatchObject([{ address: firstAddress }]);
    const foreign = { id: otherVisitorSessions.data.list[0]?.id ?? '' };
    expect(await house.call(wire.revokeSession, foreign, { token: first })).toMatchObject({ code: 0 });
    const user = await house.aUser();
    const real = await house.call(wire.userInfo, {}, { token: user.token });
    expect(real.data.limits.sessions).toBe(SESSION_LIMITS.perUser);
  });

  it('ID-097 no demo visitor changes the shared passwords or locks them for the others', async () => {
    const { token } = (await house.call(wire.demoLogin, {}, { address: anAddress() })).data;
    const { email, password, tradePassword } = DEMO_TRADER;
    const newPassword = 'Violet8meadow';
    const code = await house.codeFor(email, 'password', token);
    const change = { oldPassword: password, newPassword, confirmPassword: newPassword, code };
    expect(await house.call(wire.updatePassword, change, { token })).toMatchObject({
      errKey: 'l.account_shared',
    });
    const digits = { assetsPwd: '830461', confirmAssetsPwd: '830461' };
    const tradeCode = await house.codeFor(email, 'tradePassword', token);
    const set = { ...digits, oldAssetsPwd: tradePassword, code: tradeCode };
    expect(await house.call(wire.setTradePassword, set, { token })).toMatchObject({
      errKey: 'l.account_shared',
    });
    const { id } = await house.identity.ensureDemoTrader();
    for (let n = 0; n < 7; n += 1)
      await expect(house.identity.requireTradePassword(id, '111222')).rejects.toMatchObject({
        refusal: { key: 'l.trade_password_wrong' },
      });
    await house.identity.requireTradePassword(id, tradePassword);
  });

  it('ID-011 a nickname is a letter and 7 to 24 letters or digits; the language is stored with the account', async () => {
    const user = await house.aUser();
    for (const nickname of ['short', '1startsWithDigit', 'has space in', 'x'.repeat(26)]) {
      expect((await house.call(wire.updateProfile, { nickname }, { token: user.token })).code).toBe(-1);
    }
    const fields = { nickname: 'Amethyst2trader', lang: 'zh-CN' } as const;
    expect((await house.call(wire.updateProfile, fields, { token: user.token })).code).toBe(1);
    const { data } = await house.call(wire.userInfo, {}, { token: user.token });
    expect(data).toMatchObject({ nickname: 'Amethyst2trader', lang: 'zh-CN' });
  });

  it('ID-012 a frozen account loses its sessions at once, cannot sign in and may not trade', async () => {
    const user = await house.aUser();
    const id = user.userId as Parameters<IdentityHouse['identity']['prepare']>[0];
    expect(await house.identity.prepare(id)).toEqual({ frozen: false, purchase: true, verified: false });
    await house.identity.restrict(id, { frozen: true, reason: 'test' });
    expect((await house.call(wire.userInfo, {}, { token: user.token })).code).toBe(-2);
    expect(await loginAs(user.email)).toMatchObject({ code: -13, errKey: 'l.account_frozen' });
    expect(await house.identity.prepare(id)).toEqual({ frozen: true, purchase: false, verified: false });
  });

  it('ID-013 system accounts are created once and can never sign in', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => house.identity.ensureSystemUser('maker-1')));
    expect(new Set(ids).size).toBe(1);
    const { rows } = await house.testDatabase.pool.query(
      'select email, password_hash from user_account where house_name = $1',
      ['maker-1'],
    );
    expect(rows).toEqual([{ email: null, password_hash: null }]);
  });
});
