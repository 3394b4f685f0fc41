import * as z from 'zod/mini';

/** Purposes of email codes; a code is valid for one purpose only. */
export const CODE_TYPES = {
  register: '1',
  login: '2',
  bind: '3',
  withdraw: '4',
  address: '5',
  tradePassword: '6',
  password: '7',
} as const;
export type CodePurpose = keyof typeof CODE_TYPES;

/** An email code: 6 digits, or 16 while someone guesses or requests codes of the address excessively. */
export const mailedCode = z
  .string('l.enter_code')
  .check(z.minLength(1, 'l.enter_code'), z.regex(/^(?:\d{6}|\d{16})$/, 'l.code_invalid'));

/** A code of an authenticator app (six digits), or one of its recovery codes. */
export const authenticatorCode = z
  .string('l.authenticator_required')
  .check(z.regex(/^(?:\d{6}|[A-Za-z0-9]{5}-?[A-Za-z0-9]{5})$/, 'l.authenticator_wrong'));

export const sixDigits = z
  .string('l.trade_password_format')
  .check(z.regex(/^\d{6}$/, 'l.trade_password_format'));

/** Maximum length of the text that a passkey produces: an assertion, or a registration with an attestation. */
const PASSKEY_TEXT_MAX = 16_384;

/**
 * The text that a passkey has produced: the result of `navigator.credentials.get()` or `create()` as JSON according to
 * W3C Web Authentication, level 3 (`AuthenticationResponseJSON`, `RegistrationResponseJSON`).
 */
export const passkeyText = z
  .string('l.field_required')
  .check(z.minLength(1, 'l.field_required'), z.maxLength(PASSKEY_TEXT_MAX, 'l.field_too_long'));

/**
 * Request fields of an endpoint whose access rules require a trade password or an email code: `fields: { …,
 * ...tradePasswordField, ...mailCodeField }`. `mailCodeField` also includes the authenticator code, which users with an
 * authenticator app must send, and the passkey's response to the challenge of `/user/confirmWithPasskey`, which
 * replaces both codes. All fields are optional in the schema, so that the refusal of a missing field can state which
 * requirement is not satisfied.
 */
export const tradePasswordField = { assetsPwd: z.optional(sixDigits) };
export const mailCodeField = {
  code: z.optional(mailedCode),
  googleCode: z.optional(authenticatorCode),
  passkey: z.optional(passkeyText),
};
