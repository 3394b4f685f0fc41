import type { UserId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import * as wire from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passwordChanged } from './index.ts';
import { anAddress } from '../../../testing/calling.ts';
import { anEmail, identityHouse, type IdentityHouse, type TestUser } from './testing/identity-fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NEW_PASSWORD = 'Indigo8river';

describe('passwords', () => {
  let house: IdentityHouse;
  beforeAll(async () => {
    house = await identityHouse();
    await house.identity.start();
  });
  afterAll(() => house.close());

  const login = async (user: Pick<TestUser, 'email' | 'password'>, address = anAddress()) =>
    house.call(
      wire.login,
      { account: user.email, code: await house.codeFor(user.email, 'login'), password: user.password },
      { address },
    );
  const isAlive = async (token: string) => (await house.call(wire.userInfo, {}, { token })).code === 1;
  const resetCode = async (email: string) => {
    house.clock.pass(61_000);
    await house.call(wire.sendForgetCode, { email }, { address: anAddress() });
    return (await house.outbox.latest(email))[0]?.code ?? '';
  };

  it('ID-040 changing the password ends the other sessions before the answer and holds withdrawals for a day', async () => {
    const user = await house.aUser();
    const otherSession = (await login(user)).data.token;
    const events: unknown[] = [];
    house.events.on(passwordChanged, (fact) => events.push(fact));
    const ended: string[] = [];
    house.sessions.onSessionEnded((id, userId) => ended.push(`${id} of ${userId}`));
    const fields = {
      oldPassword: user.password,
      newPassword: NEW_PASSWORD,
      confirmPassword: NEW_PASSWORD,
      code: await house.codeFor(user.email, 'password', user.token),
    };
    expect((await house.call(wire.updatePassword, fields, { token: user.token })).code).toBe(1);
    expect([await isAlive(otherSession), await isAlive(user.token)]).toEqual([false, true]);
    expect(ended).toHaveLength(1);
    const { data } = await house.call(wire.userInfo, {}, { token: user.token });
    expect(data.holdUntil).toBe(house.clock.now() + DAY_MS);
    expect(events).toEqual([
      { userId: user.userId, at: house.clock.now(), byReset: false, holdUntil: data.holdUntil },
    ]);
    expect((await login(user)).errKey).toBe('l.login_failed');
    expect((await login({ ...user, password: NEW_PASSWORD })).code).toBe(1);
    expect((await house.outbox.latest(user.email)).map((message) => message.subject)).toContain(
      'Your Amethyst password was changed',
    );
  });

  it('ID-041 changing it needs the old password, a different new one and a code for this purpose', async () => {
    const user = await house.aUser();
    const code = await house.codeFor(user.email, 'password', user.token);
    const good = {
      oldPassword: user.password,
      newPassword: NEW_PASSWORD,
      confirmPassword: NEW_PASSWORD,
      code,
    };
    const refusals = [
      [{ oldPassword: 'Wrong7password' }, 'l.password_wrong'],
      [{ newPassword: user.password, confirmPassword: user.password }, 'l.password_same'],
      [{ confirmPassword: 'Indigo8rivers' }, 'l.password_mismatch'],
    ] as const;
    for (const [change, errKey] of refusals) {
      expect(
        await house.call(wire.updatePassword, { ...good, ...change }, { token: user.token }),
      ).toMatchObject({
        code: -1,
        errKey,
      });
    }
    const wrongCode = { ...good, code: code === '000000' ? '000001' : '000000' };
    expect(await house.call(wire.updatePassword, wrongCode, { token: user.token })).toMatchObject({
      code: -5,
      errKey: 'l.code_invalid',
    });
    expect(await house.call(wire.updatePassword, good, {})).toMatchObject({ code: -2 });
    expect((await house.call(wire.updatePassword, good, { token: user.token })).code).toBe(1);
  });

  it('ID-042 a reset by mail ends every session, signs nobody in and holds withdrawals for a day', async () => {
    const user = await house.aUser();
    const code = await resetCode(user.email);
    const fields = { email: user.email, code, password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    const answer = await house.call(wire.forgetPassword, fields);
    expect(answer).toMatchObject({ code: 1, data: {} });
    expect(await isAlive(user.token)).toBe(false);
    const { data } = await login({ ...user, password: NEW_PASSWORD });
    const { data: info } = await house.call(wire.userInfo, {}, { token: data.token });
    expect(info.holdUntil).toBeGreaterThan(house.clock.now() + DAY_MS - 5 * MINUTE_MS);
  });

  it('ID-043 a reset is answered the same for an unknown address', async () => {
    const user = await house.aUser();
    await resetCode(user.email);
    await resetCode(anEmail());
    const fields = { code: '000000', password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    const bodies = [];
    for (const email of [user.email, anEmail()]) {
      bodies.push((await house.call(wire.forgetPassword, { ...fields, email })).body);
    }
    expect(bodies[0]).toBe(bodies[1]);
  });

  it('ID-044 five failures delay an account, increasingly up to 15 minutes, known or not', async () => {
    const user = await house.aUser();
    for (const email of [user.email, anEmail()]) {
      const attempt = () =>
        house.call(
          wire.login,
          { account: email, code: '000000', password: 'Wrong7password' },
          { address: anAddress() },
        );
      for (let n = 0; n < 5; n += 1) expect((await attempt()).errKey).toBe('l.login_failed');
      const waits = [];
      for (let n = 0; n < 8; n += 1) {
        const refusedTry = await attempt();
        expect(refusedTry).toMatchObject({ status: 429, code: -9, errKey: 'l.login_delayed' });
        const seconds = Number((refusedTry.data as unknown as { seconds: string }).seconds);
        waits.push(seconds);
        house.clock.pass(seconds * 1_000);
        expect((await attempt()).errKey).toBe('l.login_failed');
      }
      expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900, 900]);
    }
    const code = await resetCode(user.email);
    await house.call(wire.forgetPassword, { ...user, code, confirmPassword: user.password });
    expect((await login(user)).code).toBe(1);
  });

  it('ID-045 of 40 parallel guesses five are checked', async () => {
    const user = await house.aUser();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        house.call(
          wire.login,
          { account: user.email, code: '000000', password: 'Wrong7password' },
          { address: anAddress() },
        ),
      ),
    );
    expect(answers.filter((answer) => answer.errKey === 'l.login_failed')).toHaveLength(5);
    expect(answers.filter((answer) => answer.errKey === 'l.login_delayed')).toHaveLength(35);
  });

  it('ID-046 one network address has 20 failures in 15 minutes; correct sign-ins do not count', async () => {
    const address = '192.0.2.77';
    const attempt = () =>
      house.call(wire.login, { account: anEmail(), code: '000000', password: 'Wrong7password' }, { address });
    for (let n = 0; n < 20; n += 1) expect((await attempt()).errKey).toBe('l.login_failed');
    expect(await attempt()).toMatchObject({ status: 429, errKey: 'l.login_delayed' });
    house.clock.pass(15 * MINUTE_MS);
    for (let n = 0; n < 22; n += 1) {
      expect((await login(await house.aUser(), '192.0.2.78')).code).toBe(1);
    }
    const { rows } = await house.testDatabase.pool.query(
      "select recent from sign_in_failure where subject = 'address:192.0.2.78'",
    );
    expect(rows).toEqual([]);
  });

  it('ID-047 a day allows a hundred guesses at any pace, and no wait exceeds half an hour', async () => {
    const email = anEmail();
    let [looked, longest] = [0, 0];
    const end = house.clock.now() + DAY_MS - 1;
    while (house.clock.now() < end) {
      const answer = await house.call(
        wire.login,
        { account: email, code: '000000', password: 'Wrong7password' },
        { address: anAddress() },
      );
      if (answer.errKey === 'l.login_failed') {
        looked += 1;
        continue;
      }
      const seconds = Number((answer.data as unknown as { seconds: string }).seconds);
      longest = Math.max(longest, seconds);
      // After fifteen minutes without an attempt the delays restart, so this is the fastest way to make a day of
      // guesses.
      house.clock.pass(Math.max(seconds, 15 * 60 + 15) * 1_000);
    }
    expect(looked).toBeGreaterThan(80);
    expect(looked).toBeLessThanOrEqual(100);
    expect(longest).toBeLessThanOrEqual(30 * 60);
  });

  it('ID-048 an old password that was accepted during the change opens no session that survives', async () => {
    const user = await house.aUser();
    const code = await house.codeFor(user.email, 'login');
    const reset = await resetCode(user.email);
    const fields = { email: user.email, code: reset, password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    const [signIn, change] = await Promise.all([
      house.call(
        wire.login,
        { account: user.email, code, password: user.password },
        { address: anAddress() },
      ),
      house.call(wire.forgetPassword, fields),
    ]);
    expect(change.code).toBe(1);
    expect(signIn.code === 1 ? undefined : signIn.errKey).toBeOneOf([undefined, 'l.login_failed']);
    expect(signIn.code === 1 && (await isAlive(signIn.data.token))).toBe(false);
  });

  describe('the trade password', () => {
    const set = async (user: TestUser, digits: string, oldDigits?: string) => {
      house.clock.pass(61_000);
      await house.call(wire.sendTradePasswordCode, {}, { token: user.token, address: anAddress() });
      const code = (await house.outbox.latest(user.email))[0]?.code ?? '';
      const fields = { code, assetsPwd: digits, confirmAssetsPwd: digits };
      return house.call(
        wire.setTradePassword,
        { ...fields, ...(oldDigits === undefined ? {} : { oldAssetsPwd: oldDigits }) },
        { token: user.token },
      );
    };
    const refusalOf = async (user: TestUser, digits: string) => {
      try {
        await house.identity.requireTradePassword(user.userId as UserId, digits);
        return undefined;
      } catch (error) {
        // An error that is not a refusal is thrown on, so that the test fails.
        if (error instanceof Refused) return error.refusal.key;
        throw error;
      }
    };

    it('ID-060 is six non-obvious digits, set with a mailed code and required afterwards', async () => {
      const user = await house.aUser();
      expect(await refusalOf(user, '294716')).toBe('l.trade_password_missing');
      for (const obvious of ['123456', '987654', '111111', '121212', '258258']) {
        expect((await set(user, obvious)).errKey).toBe('l.trade_password_obvious');
      }
      expect((await set(user, '294716')).code).toBe(1);
      expect(await refusalOf(user, '294716')).toBeUndefined();
      const { data } = await house.call(wire.userInfo, {}, { token: user.token });
      expect(data).toMatchObject({ assetsPwd: 1, security: 2, holdUntil: 0 });
    });

    const reset = async (user: TestUser, digits: string, password = user.password) => {
      house.clock.pass(10 * MINUTE_MS);
      const act = wire.resetTradePassword.path as '/user/resetTransactionPwd';
      await house.call(wire.sendTradePasswordCode, { act }, { token: user.token, address: anAddress() });
      const code = (await house.outbox.latest(user.email))[0]?.code ?? '';
      const fields = { code, password, assetsPwd: digits, confirmAssetsPwd: digits };
      return house.call(wire.resetTradePassword, fields, { token: user.token });
    };
    const holdOf = async (user: TestUser) => {
      const { data } = await house.call(wire.userInfo, {}, { token: user.token });
      return [data.holdUntil, data.holdReason];
    };

    it('ID-061 is locked for a day by the fifth wrong attempt, also in parallel; login password and mailed code unlock it', async () => {
      const user = await house.aUser();
      await set(user, '294716');
      const keys = await Promise.all(Array.from({ length: 12 }, () => refusalOf(user, '111222')));
      expect(keys.filter((key) => key === 'l.trade_password_wrong')).toHaveLength(4);
      expect(await refusalOf(user, '294716')).toBe('l.trade_password_locked');
      house.clock.pass(DAY_MS);
      expect(await refusalOf(user, '294716')).toBeUndefined();
      for (let n = 0; n < 5; n += 1) await refusalOf(user, '111222');
      expect(await refusalOf(user, '294716')).toBe('l.trade_password_locked');
      expect((await house.outbox.latest(user.email))[0]?.subject).toBe(
        'Your Amethyst trade password is locked',
      );
      expect(await set(user, '830461', '294716')).toMatchObject({
        code: -4,
        errKey: 'l.trade_password_locked',
      });
      expect((await reset(user, '830461')).code).toBe(1);
      expect(await refusalOf(user, '830461')).toBeUndefined();
    });

    it('ID-068 forty parallel calls with the correct one all succeed', async () => {
      const user = await house.aUser();
      await set(user, '294716');
      const keys = await Promise.all(Array.from({ length: 40 }, () => refusalOf(user, '294716')));
      expect(keys.filter((key) => key !== undefined)).toEqual([]);
    });

    it('ID-062 changing it needs the old one and holds withdrawals for a day; setting the first one holds nothing', async () => {
      const user = await house.aUser();
      await set(user, '294716');
      expect(await holdOf(user)).toEqual([0, '']);
      expect(await set(user, '830461', '111222')).toMatchObject({
        code: -4,
        errKey: 'l.trade_password_wrong',
        data: { field: 'oldAssetsPwd', left: '4' },
      });
      expect(await set(user, '830461')).toMatchObject({
        code: -4,
        errKey: 'l.trade_password_required',
        data: { field: 'oldAssetsPwd' },
      });
      expect(await refusalOf(user, '294716')).toBeUndefined();
      expect((await set(user, '830461', '294716')).code).toBe(1);
      expect(await holdOf(user)).toEqual([house.clock.now() + DAY_MS, 'tradePasswordChanged']);
      house.clock.pass(DAY_MS);
      expect(await holdOf(user)).toEqual([0, '']);
    });

    it('ID-064 a forgotten one is reset with login password and mailed code, which holds withdrawals for a day', async () => {
      const user = await house.aUser();
      expect(await reset(user, '830461')).toMatchObject({ code: -4, errKey: 'l.trade_password_missing' });
      await set(user, '294716');
      expect(await reset(user, '830461', 'Wrong7password')).toMatchObject({
        code: -1,
        errKey: 'l.password_wrong',
        data: { field: 'password' },
      });
      const noCode = { password: user.password, assetsPwd: '830461', confirmAssetsPwd: '830461' };
      expect(await house.call(wire.resetTradePassword, noCode, { token: user.token })).toMatchObject({
        code: -5,
        errKey: 'l.enter_code',
      });
      expect(await refusalOf(user, '294716')).toBeUndefined();
      expect((await reset(user, '830461')).code).toBe(1);
      expect(await refusalOf(user, '830461')).toBeUndefined();
      expect(await holdOf(user)).toEqual([house.clock.now() + DAY_MS, 'tradePasswordReset']);
      expect((await house.outbox.latest(user.email))[0]?.subject).toBe(
        'Your Amethyst trade password was reset',
      );
    });

    it('ID-063 neither password can be tested without the key that is stored outside the database', async () => {
      const user = await house.aUser();
      await set(user, '294716');
      const { rows } = await house.testDatabase.pool.query(
        'select password_hash, trade_password_hash from user_account where id = $1',
        [user.userId],
      );
      const { verify } = await import('@node-rs/argon2');
      expect(rows[0].password_hash).toMatch(/^ring\$[0-9a-f]{8}\$/);
      await expect(verify(rows[0].password_hash, user.password)).rejects.toThrow('Decoding failed');
      await expect(verify(rows[0].trade_password_hash, '294716')).rejects.toThrow('Decoding failed');
    });
  });
});
