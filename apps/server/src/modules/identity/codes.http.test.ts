import * as wire from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGREEMENT_FIELDS } from '../../../testing/agreement-fields.ts';
import { anAddress } from '../../../testing/calling.ts';
import { anEmail, GOOD_PASSWORD, identityHouse, type IdentityHouse } from './testing/identity-fixture.ts';

const MINUTE_MS = 60_000;
const REGISTER = wire.CODE_TYPES.register;

describe('mailed codes', () => {
  let house: IdentityHouse;
  beforeAll(async () => {
    house = await identityHouse();
  });
  afterAll(() => house.close());

  const send = (email: string, type: (typeof wire.CODE_TYPES)[wire.CodePurpose], address = anAddress()) =>
    house.call(wire.sendEmailCode, { email, type }, { address });
  const registering = (
    email: string,
    proof: { code?: string; ticket?: string },
    password: string = GOOD_PASSWORD,
  ) => ({
    email,
    ...proof,
    password,
    confirmPassword: password,
    ...AGREEMENT_FIELDS,
  });

  it('ID-020 of 50 parallel uses of one code exactly one succeeds', async () => {
    const email = anEmail();
    const code = await house.codeFor(email, 'register');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        // Each of the simultaneous registrations has a different password. With the same password, a later one would be
        // a repetition and sign in to the account that the first one created.
        const fields = registering(email, { code }, `${GOOD_PASSWORD}${index}`);
        return house.call(wire.register, fields, { address: anAddress() });
      }),
    );
    expect(answers.filter((answer) => answer.code === 1)).toHaveLength(1);
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    const { rows } = await house.testDatabase.pool.query('select 1 from user_account where email = $1', [
      email,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('ID-021 five wrong attempts invalidate a code, also in parallel', async () => {
    const email = anEmail();
    const code = await house.codeFor(email, 'register');
    const wrong = code === '111111' ? '222222' : '111111';
    const verify = (tried: string) => house.call(wire.verifyEmail, { email, code: tried, type: REGISTER });
    const answers = await Promise.all(Array.from({ length: 5 }, () => verify(wrong)));
    expect(answers.map((answer) => answer.errKey)).toEqual(Array(5).fill('l.code_invalid'));
    expect((await verify(code)).errKey).toBe('l.code_invalid');
  });

  it('ID-022 a code is valid for one purpose, for ten minutes and until the next code', async () => {
    const user = await house.aUser();
    const reset = { email: user.email, password: 'Indigo8river', confirmPassword: 'Indigo8river' };
    const login = await house.codeFor(user.email, 'login');
    expect((await house.call(wire.forgetPassword, { ...reset, code: login })).errKey).toBe('l.code_invalid');
    const password = await house.codeFor(user.email, 'password', user.token);
    expect((await house.call(wire.forgetPassword, { ...reset, code: password })).errKey).toBe(
      'l.code_invalid',
    );

    const email = anEmail();
    const first = await house.codeFor(email, 'register');
    const second = await house.codeFor(email, 'register');
    const verify = (code: string) => house.call(wire.verifyEmail, { email, code, type: REGISTER });
    expect((await verify(first)).errKey).toBe('l.code_invalid');
    house.clock.pass(10 * MINUTE_MS);
    expect((await verify(second)).errKey).toBe('l.code_invalid');
  });

  it('ID-023 a code is exchanged for a ticket that works once, for its purpose and address', async () => {
    const email = anEmail();
    const code = await house.codeFor(email, 'register');
    const { data } = await house.call(wire.verifyEmail, { email, code, type: REGISTER });
    expect((await house.call(wire.register, registering(email, { code }))).errKey).toBe('l.code_invalid');
    expect((await house.call(wire.register, registering(anEmail(), data))).errKey).toBe('l.ticket_invalid');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => house.call(wire.register, registering(email, data))),
    );
    expect(answers.filter((answer) => answer.code === 1)).toHaveLength(1);
  });

  it('ID-024 a second request within a minute is refused with the remaining seconds, for known and unknown addresses alike', async () => {
    const user = await house.aUser();
    house.clock.pass(MINUTE_MS);
    const unknown = anEmail();
    const answers = [];
    for (const email of [user.email, unknown]) {
      const first = await send(email, wire.CODE_TYPES.login);
      house.clock.pass(10_000);
      const again = await send(email, wire.CODE_TYPES.login);
      answers.push([first.body, again.body]);
      expect(again).toMatchObject({ status: 429, code: -9, errKey: 'l.code_wait', data: { seconds: '50' } });
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  it('ID-025 the sixth code within an hour is sent after the fifth has expired, in any spelling of the address', async () => {
    const email = anEmail();
    const spellings = [email, email.toUpperCase(), ` ${email}`, `${email} `];
    const results: (string | undefined)[] = [];
    const requestCode = async () => {
      const spelling = spellings[results.length % spellings.length] ?? email;
      results.push((await send(spelling, REGISTER)).errKey);
    };
    for (let n = 0; n < 6; n += 1) {
      house.clock.pass(MINUTE_MS);
      await requestCode();
    }
    expect(results).toEqual([...Array(5).fill(undefined), 'l.code_wait']);
    house.clock.pass(9 * MINUTE_MS);
    await requestCode();
    expect(results.at(-1)).toBeUndefined();
    expect((await house.outbox.latest(email))[0]?.code).toMatch(/^\d{16}$/);
  });

  it('ID-026 one network address gets 20 codes an hour without proof of work, also in parallel', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => send(anEmail(), REGISTER, '192.0.2.50')),
    );
    expect(answers.filter((answer) => answer.code === 1)).toHaveLength(20);
    expect(answers.filter((answer) => answer.errKey === 'l.code_challenge')).toHaveLength(10);
  });

  it('ID-027 only the owner of a mailbox learns whether an account exists', async () => {
    const user = await house.aUser();
    house.clock.pass(MINUTE_MS);
    await send(user.email, REGISTER);
    const [noticeMail] = await house.outbox.latest(user.email);
    expect(noticeMail?.subject).toBe('You already have an Amethyst account');
    expect(noticeMail?.code).toBeUndefined();
    const stranger = anEmail();
    await house.call(wire.sendForgetCode, { email: stranger }, { address: anAddress() });
    const [unknown] = await house.outbox.latest(stranger);
    expect(unknown?.subject).toBe('No Amethyst account uses this email address');
    expect(unknown?.code).toBeUndefined();
  });

  it('ID-028 mails use the caller’s language, and codes are stored only as hashes', async () => {
    const email = anEmail();
    const fields = { email, type: REGISTER };
    await house.call(wire.sendEmailCode, fields, { address: anAddress(), language: 'zh-CN,zh' });
    const [message] = await house.outbox.latest(email);
    expect(message?.subject).toBe(`Amethyst 验证码：${message?.code}`);
    const { rows } = await house.testDatabase.pool.query(
      'select row_to_json(email_code)::text as t from email_code where email = $1',
      [email],
    );
    expect(rows[0]?.t).not.toContain(`"${message?.code}"`);
  });

  it('ID-090 a missing code is requested wherever one is needed, and costs no attempt', async () => {
    const user = await house.aUser();
    const fresh = anEmail();
    const code = await house.codeFor(fresh, 'register');
    const twice = { password: GOOD_PASSWORD, confirmPassword: GOOD_PASSWORD };
    const missing = { code: -1, errKey: 'l.enter_code', data: { field: 'code' } };
    for (let n = 0; n < 6; n += 1) {
      expect(await house.call(wire.register, registering(fresh, { code: '' }))).toMatchObject(missing);
      expect(await house.call(wire.verifyEmail, { email: fresh, code: '', type: REGISTER })).toMatchObject(
        missing,
      );
    }
    expect((await house.call(wire.register, registering(fresh, { code }))).code).toBe(1);
    expect(await house.call(wire.forgetPassword, { email: user.email, ...twice })).toMatchObject(missing);
    const login = { account: user.email, password: GOOD_PASSWORD };
    expect(await house.call(wire.login, { ...login, code: '' })).toMatchObject(missing);
    expect(await house.call(wire.login, login)).toMatchObject(missing);
    expect(await house.call(wire.login, { ...login, code: '12' })).toMatchObject({
      errKey: 'l.code_invalid',
    });
  });

  it('ID-120 a code for an account change is sent only to its signed-in owner', async () => {
    const user = await house.aUser();
    const otherUser = await house.aUser();
    house.clock.pass(MINUTE_MS);
    for (const [type, act, about] of [
      ['5', '/address/setWhitelist', 'on=1'],
      ['6', '/user/setTransactionPwd', ''],
      ['7', '/user/updatePwd', ''],
    ] as const) {
      const fields = { email: user.email, type, act, about };
      expect(await house.call(wire.sendEmailCode, fields)).toMatchObject({ code: -2 });
      expect(await house.call(wire.verifyEmail, { ...fields, code: '000000' })).toMatchObject({ code: -2 });
      expect(await house.call(wire.sendEmailCode, fields, { token: otherUser.token })).toMatchObject({
        code: -1,
      });
      expect((await house.call(wire.sendEmailCode, fields, { token: user.token })).code).toBe(1);
    }
  });

  it('ID-029 an invalid address is refused before anything is counted', async () => {
    for (const email of [
      'x',
      'a@b',
      'a b@example.com',
      'a@example.com\r\nBcc: x@example.com',
      `${'x'.repeat(65)}@e.com`,
    ]) {
      expect(await send(email, REGISTER)).toMatchObject({ code: -1, errKey: 'l.email_invalid' });
    }
  });
});
