import { accountVersionsProblem, type AccountVersions } from '@exchange/core/agreements.ts';
import { normaliseEmail } from '@exchange/core/email.ts';
import { passwordProblem, tradePasswordProblem } from '@exchange/core/password.ts';
import { type Refusal, refusal } from '@exchange/core/refusal.ts';
import type { Draft } from '../form/drafts.ts';
import { codeProblem, tradePasswordFormatProblem } from '../form/step-up.ts';

/** Validation errors by field; empty if the form is valid. */
export type Problems<Form> = { readonly [Field in keyof Form]?: Refusal };

/** Returns the validation errors of a form: the fields of `checks` that have one. */
export function problemsOf<Form>(checks: { [Field in keyof Form]?: Refusal | undefined }): Problems<Form> {
  return Object.fromEntries(
    Object.entries(checks).filter(([, problem]) => problem !== undefined),
  ) as Problems<Form>;
}

export function emailProblem(email: string): Refusal | undefined {
  if (email.trim() === '') return refusal('invalidField', 'l.enter_email', { field: 'email' });
  if (normaliseEmail(email) === undefined)
    return refusal('invalidField', 'l.email_invalid', { field: 'email' });
  return undefined;
}

/**
 * Validates the password in the sign-in form: 6 to 128 characters, because passwords set earlier may have as
 * few as 6.
 */
export function loginPasswordProblem(password: string, field = 'password'): Refusal | undefined {
  if (password === '') return refusal('invalidField', 'l.field_required', { field });
  if (password.length >= 6 && password.length <= 128) return undefined;
  return refusal('invalidField', 'l.password_length', { field, min: '6', max: '128' });
}

/**
 * Validates a new password: it must satisfy the password rules and must not contain the part of the email address
 * before the `@`, if that part has at least four characters.
 */
export function newPasswordProblem(password: string, email = ''): Refusal | undefined {
  const problem = passwordProblem(password);
  if (problem !== undefined) return problem;
  const name = email.split('@')[0]?.trim().toLowerCase() ?? '';
  if (name.length < 4 || !password.toLowerCase().includes(name)) return undefined;
  return refusal('invalidField', 'l.password_contains_email', { field: 'password' });
}

export function repeatedProblem(first: string, second: string, field: string): Refusal | undefined {
  return first === second ? undefined : refusal('invalidField', 'l.password_mismatch', { field });
}

/** Validates the typed authenticator code: exactly six digits. */
export function authenticatorProblem(code: string): Refusal | undefined {
  const key = code === '' ? 'l.authenticator_required' : 'l.authenticator_wrong';
  return /^\d{6}$/.test(code) ? undefined : refusal('secondFactor', key, { field: 'googleCode' });
}

/**
 * Validates the anti-phishing phrase, a text that the exchange includes in its mails to the account's
 * address: 4 to 20 characters without the spaces around it.
 */
export function phraseProblem(text: string): Refusal | undefined {
  const { length } = text.trim();
  return length >= 4 && length <= 20
    ? undefined
    : refusal('invalidField', 'l.phrase_length', { field: 'text' });
}

/**
 * Validates the acceptance of the agreements: the user must have accepted the versions that the page now displays
 * (`now`).
 */
export function consentProblem(
  agree: AccountVersions | null,
  now: AccountVersions | undefined,
): Refusal | undefined {
  if (agree === null) return refusal('invalidField', 'l.agree_required', { field: 'agree' });
  return now === undefined ? undefined : accountVersionsProblem(agree, now);
}

/** Draft of the sign-in form. Only the email address is stored; the form that resets a password begins with it. */
export const SIGN_IN_DRAFT = {
  name: 'sign-in',
  fields: ['email'],
} as const satisfies Draft<LoginForm>;

export interface LoginForm {
  readonly email: string;
  readonly code: string;
  /**
   * Authenticator code, as typed in the login form; required only for users who have an authenticator app.
   */
  readonly googleCode: string;
  readonly password: string;
}

export function initialLogin(email = ''): LoginForm {
  return { email, code: '', password: '', googleCode: '' };
}

export function loginProblems(form: LoginForm): Problems<LoginForm> {
  return problemsOf<LoginForm>({
    email: emailProblem(form.email),
    code: codeProblem(form.code),
    password: loginPasswordProblem(form.password),
  });
}

/**
 * Returns the request fields of a login; if `passkey` is passed, it replaces the email code and the
 * authenticator code.
 */
export function loginPayload(form: LoginForm, passkey?: string) {
  const { code, password, googleCode } = form;
  const account = normaliseEmail(form.email) ?? '';
  if (passkey !== undefined) return { account, password, passkey };
  return { account, code, password, googleCode: googleCode || null };
}

/**
 * Returns the validation errors without that of the email code, for a form in which a passkey replaces the
 * codes.
 */
export function withoutCodeProblem<Form extends { readonly code: string }>(
  problems: Problems<Form>,
): Problems<Form> {
  const { code: _, ...others } = problems;
  return others as Problems<Form>;
}

export interface RegisterForm {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly invitationCode: string;
  /** The versions of both agreements that the user has accepted; null while the checkbox is not checked. */
  readonly agree: AccountVersions | null;
}

/**
 * Returns the initial values of the registration form: empty, except for the code of an invitation link. The
 * agreements are not accepted in advance.
 */
export function initialRegister(invitationCode = ''): RegisterForm {
  return { email: '', code: '', password: '', confirmPassword: '', invitationCode, agree: null };
}

/**
 * Returns the validation errors of the registration form; `now` are the versions of the agreements that the
 * page displays.
 */
export function registerProblems(form: RegisterForm, now?: AccountVersions): Problems<RegisterForm> {
  return problemsOf<RegisterForm>({
    email: emailProblem(form.email),
    code: codeProblem(form.code),
    password: newPasswordProblem(form.password, form.email),
    confirmPassword: repeatedProblem(form.password, form.confirmPassword, 'confirmPassword'),
    agree: consentProblem(form.agree, now),
  });
}

export function registerPayload(form: RegisterForm) {
  return {
    email: normaliseEmail(form.email) ?? '',
    code: form.code,
    password: form.password,
    confirmPassword: form.confirmPassword,
    invitationCode: form.invitationCode.normalize('NFKC').trim(),
    ...(form.agree === null ? { agree: '0' as const } : { agree: '1' as const, ...form.agree }),
  };
}

export interface ForgetForm {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly confirmPassword: string;
}

export function initialForget(email = ''): ForgetForm {
  return { email, code: '', password: '', confirmPassword: '' };
}

export function forgetProblems(form: ForgetForm): Problems<ForgetForm> {
  return problemsOf<ForgetForm>({
    email: emailProblem(form.email),
    code: codeProblem(form.code),
    password: newPasswordProblem(form.password, form.email),
    confirmPassword: repeatedProblem(form.password, form.confirmPassword, 'confirmPassword'),
  });
}

export function forgetPayload(form: ForgetForm) {
  return { ...form, email: normaliseEmail(form.email) ?? '' };
}

export interface PasswordForm {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
  readonly code: string;
  readonly googleCode: string;
}

export const INITIAL_PASSWORD: PasswordForm = {
  oldPassword: '',
  newPassword: '',
  confirmPassword: '',
  code: '',
  googleCode: '',
};

export function passwordProblems(form: PasswordForm, email = ''): Problems<PasswordForm> {
  return problemsOf<PasswordForm>({
    oldPassword: loginPasswordProblem(form.oldPassword, 'oldPassword'),
    newPassword: newPasswordProblem(form.newPassword, email) ?? sameProblem(form),
    confirmPassword: repeatedProblem(form.newPassword, form.confirmPassword, 'confirmPassword'),
    code: codeProblem(form.code),
  });
}

function sameProblem({ oldPassword, newPassword }: PasswordForm): Refusal | undefined {
  return oldPassword === newPassword
    ? refusal('invalidField', 'l.password_same', { field: 'newPassword' })
    : undefined;
}

/**
 * `set` sets the first trade password, `change` replaces a known one, `reset` replaces one that is forgotten or locked.
 */
export type TradePasswordAction = 'set' | 'change' | 'reset';

export interface TradePasswordForm {
  /** The old trade password, as typed; required only to change the trade password. */
  readonly oldAssetsPwd: string;
  /** The login password, as typed; required only to reset the trade password. */
  readonly password: string;
  readonly assetsPwd: string;
  readonly confirmAssetsPwd: string;
  readonly code: string;
  readonly googleCode: string;
}

export const INITIAL_TRADE_PASSWORD: TradePasswordForm = {
  oldAssetsPwd: '',
  password: '',
  assetsPwd: '',
  confirmAssetsPwd: '',
  code: '',
  googleCode: '',
};

export function tradePasswordProblems(
  form: TradePasswordForm,
  mode: TradePasswordAction,
): Problems<TradePasswordForm> {
  return problemsOf<TradePasswordForm>({
    oldAssetsPwd:
      mode === 'change' ? tradePasswordFormatProblem(form.oldAssetsPwd, 'oldAssetsPwd') : undefined,
    password: mode === 'reset' ? loginPasswordProblem(form.password) : undefined,
    assetsPwd: tradePasswordProblem(form.assetsPwd),
    confirmAssetsPwd: repeatedProblem(form.assetsPwd, form.confirmAssetsPwd, 'confirmAssetsPwd'),
    code: codeProblem(form.code),
  });
}

/**
 * Returns the request fields that set or change the trade password; if `passkey` is passed, it replaces the
 * email code and the authenticator code.
 */
export function setTradePasswordFields(form: TradePasswordForm, mode: TradePasswordAction, passkey?: string) {
  const { oldAssetsPwd, assetsPwd, confirmAssetsPwd } = form;
  const old = mode === 'change' ? oldAssetsPwd : null;
  return { assetsPwd, confirmAssetsPwd, oldAssetsPwd: old, ...confirmationOf(form, passkey) };
}

/**
 * Returns the request fields that reset the trade password; if `passkey` is passed, it replaces the email
 * code and the authenticator code.
 */
export function resetTradePasswordFields(form: TradePasswordForm, passkey?: string) {
  const { password, assetsPwd, confirmAssetsPwd } = form;
  return { password, assetsPwd, confirmAssetsPwd, ...confirmationOf(form, passkey) };
}

function confirmationOf({ code, googleCode }: TradePasswordForm, passkey: string | undefined) {
  return passkey === undefined ? { code, googleCode: googleCode || null } : { passkey };
}
