import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  INITIAL_PASSWORD,
  INITIAL_TRADE_PASSWORD,
  forgetProblems,
  initialForget,
  initialLogin,
  initialRegister,
  loginPayload,
  loginProblems,
  passwordProblems,
  registerPayload,
  registerProblems,
  resetTradePasswordFields,
  setTradePasswordFields,
  tradePasswordProblems,
  withoutCodeProblem,
} from './forms.ts';

const REGISTER = {
  ...initialRegister(),
  email: 'Person@Example.com ',
  code: '123456',
  password: 'Lilac7garden',
  confirmPassword: 'Lilac7garden',
  agree: { termsVersion: '1', privacyVersion: '3' },
};

describe('login', () => {
  it('WEB-010 reports every missing or invalid field', () => {
    expect(loginProblems(initialLogin())).toMatchObject({
      email: { key: 'l.enter_email' },
      code: { key: 'l.enter_code' },
      password: { key: 'l.field_required' },
    });
    expect(
      loginProblems({ email: 'nobody', code: '123456', password: '12345', googleCode: '' }),
    ).toMatchObject({
      email: { key: 'l.email_invalid' },
      password: { key: 'l.password_length', parameters: { min: '6' } },
    });
  });

  it('PKY-005 a passkey replaces the codes of a login and of other forms, and leaves their other problems', () => {
    const form = { ...initialLogin('person@example.com'), password: 'Lilac7garden', googleCode: '123456' };
    expect(withoutCodeProblem(loginProblems(form))).toEqual({});
    expect(withoutCodeProblem(loginProblems({ ...form, password: '' }))).toMatchObject({
      password: { key: 'l.field_required' },
    });
    expect(loginPayload(form, 'signed')).toEqual({
      account: 'person@example.com',
      password: 'Lilac7garden',
      passkey: 'signed',
    });
    const digits = { ...INITIAL_TRADE_PASSWORD, assetsPwd: '294716', confirmAssetsPwd: '294716', code: '1' };
    const { code: _code, googleCode: _googleCode, ...sent } = setTradePasswordFields(digits, 'set');
    expect(setTradePasswordFields(digits, 'set', 'signed')).toEqual({ ...sent, passkey: 'signed' });
    expect(resetTradePasswordFields(digits, 'signed')).toMatchObject({ passkey: 'signed' });
  });

  it('WEB-010 accepts an old six-character password and sends the normalised address', () => {
    const form = { ...initialLogin(' Person@Example.com'), code: '123456', password: '123456' };
    expect(loginProblems(form)).toEqual({});
    const payload = { account: 'person@example.com', code: '123456', password: '123456', googleCode: null };
    expect(loginPayload(form)).toEqual(payload);
    expect(loginPayload({ ...form, googleCode: '482913' })).toEqual({ ...payload, googleCode: '482913' });
  });
});

describe('registration', () => {
  it('WEB-011 accepts a complete form and requires the agreement', () => {
    expect(registerProblems(REGISTER)).toEqual({});
    expect(initialRegister().agree).toBeNull();
    expect(registerProblems({ ...REGISTER, agree: null }).agree?.key).toBe('l.agree_required');
    expect(registerPayload({ ...REGISTER, agree: null })).toMatchObject({ agree: '0' });
    expect(registerPayload(REGISTER)).toMatchObject({
      email: 'person@example.com',
      agree: '1',
      termsVersion: '1',
      privacyVersion: '3',
    });
  });

  it('WEB-011 requires the agreement again when the displayed version differs from the accepted one', () => {
    const versions = (termsVersion: string, privacyVersion: string) =>
      registerProblems(REGISTER, { termsVersion, privacyVersion }).agree;
    expect(versions('1', '3')).toBeUndefined();
    expect(versions('2', '4')).toMatchObject({
      key: 'l.user_agreement',
      parameters: { limit: '2', value: '1' },
    });
    expect(versions('1', '4')).toMatchObject({
      key: 'l.privacy_policy',
      parameters: { limit: '4', value: '3' },
    });
  });

  it.each([
    ['Short7', 'l.password_length'],
    [`L7${'x'.repeat(63)}`, 'l.password_length'],
    ['7lilacgarden', 'l.password_letter'],
    ['lilacgarden', 'l.password_digit'],
    ['Person7garden', 'l.password_contains_email'],
  ])('WEB-011 refuses the password %s', (password, key) => {
    expect(registerProblems({ ...REGISTER, password, confirmPassword: password }).password?.key).toBe(key);
  });

  it('WEB-011 requires both passwords to be equal', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (first, second) => {
        const problem = registerProblems({
          ...REGISTER,
          password: first,
          confirmPassword: second,
        }).confirmPassword;
        expect(problem === undefined).toBe(first === second);
      }),
    );
  });
});

describe('passwords', () => {
  it('WEB-012 accepts only a new password that follows the rules', () => {
    const form = {
      ...initialForget('person@example.com'),
      code: '123456',
      password: 'x',
      confirmPassword: 'x',
    };
    expect(forgetProblems(form).password?.key).toBe('l.password_length');
    const good = { ...form, password: 'Lilac7garden', confirmPassword: 'Lilac7garden' };
    expect(forgetProblems(good)).toEqual({});
  });

  it('WEB-012 refuses the old password as the new one', () => {
    const form = { ...INITIAL_PASSWORD, oldPassword: 'Lilac7garden', newPassword: 'Lilac7garden' };
    expect(passwordProblems(form).newPassword?.key).toBe('l.password_same');
  });

  it('WEB-013 requires the old trade password for a change and the login password for a reset', () => {
    const form = {
      ...INITIAL_TRADE_PASSWORD,
      assetsPwd: '493817',
      confirmAssetsPwd: '493817',
      code: '123456',
    };
    expect(tradePasswordProblems(form, 'set')).toEqual({});
    expect(tradePasswordProblems(form, 'change')).toMatchObject({
      oldAssetsPwd: { key: 'l.trade_password_format' },
    });
    expect(tradePasswordProblems(form, 'reset')).toMatchObject({ password: { key: 'l.field_required' } });
    const filled = { ...form, oldAssetsPwd: '111222', password: 'Lilac7garden' };
    expect(tradePasswordProblems(filled, 'change')).toEqual({});
    expect(tradePasswordProblems(filled, 'reset')).toEqual({});
    expect(setTradePasswordFields(filled, 'set')).toEqual({
      ...form,
      oldAssetsPwd: null,
      googleCode: null,
      password: undefined,
    });
    expect(setTradePasswordFields(filled, 'change').oldAssetsPwd).toBe('111222');
    expect(resetTradePasswordFields(filled)).toMatchObject({ password: 'Lilac7garden', code: '123456' });
    expect(tradePasswordProblems({ ...form, assetsPwd: '123456' }, 'set').assetsPwd?.key).toBe(
      'l.trade_password_obvious',
    );
    expect(tradePasswordProblems({ ...form, code: '1234567890123456' }, 'set')).toEqual({});
  });
});
