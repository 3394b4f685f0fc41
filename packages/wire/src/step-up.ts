import * as z from 'zod/mini';

/** Purposes of emailed codes; a code is valid for one purpose only. */
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

/** A mailed code: 6 digits, or 16 while codes of the address are being guessed or requested excessively. */
export const mailedCode = z
  .string('l.enter_code')
  .check(z.minLength(1, 'l.enter_code'), z.regex(/^(?:\d{6}|\d{16})$/, 'l.code_invalid'));

/** Six digits of an authenticator app, or one of its recovery codes. */
export const authenticatorCode = z
  .string('l.authenticator_required')
  .check(z.regex(/^(?:\d{6}|[A-Za-z0-9]{5}-?[A-Za-z0-9]{5})$/, 'l.authenticator_wrong'));

export const sixDigits = z
  .string('l.trade_password_format')
  .check(z.regex(/^\d{6}$/, 'l.trade_password_format'));

/** Greatest length of a passkey answer of a device: one assertion, or a registration with an attestation. */
const PASSKEY_TEXT_MAX = 16_384;

/**
 * A passkey answer of a device: what `navigator.credentials.get()` or `create()` returned, as the JSON text
 * of W3C Web Authentication, level 3 (`AuthenticationResponseJSON`, `RegistrationResponseJSON`).
 */
export const passkeyText = z
  .string('l.field_required')
  .check(z.minLength(1, 'l.field_required'), z.maxLength(PASSKEY_TEXT_MAX, 'l.field_too_long'));

/**
 * Fields of an endpoint whose access rules require a trade password or a mailed code: `fields: { …,
 * ...tradePasswordField, ...mailCodeField }`. `mailCodeField` includes the authenticator's code, which users
 * with an authenticator must also send, and the answer of a passkey to `/user/confirmWithPasskey`, which
 * replaces both codes. The schema makes the fields optional, so that a missing one is refused with the name
 * of the requirement.
 */
export const tradePasswordField = { assetsPwd: z.optional(sixDigits) };
export const mailCodeField = {
  code: z.optional(mailedCode),
  googleCode: z.optional(authenticatorCode),
  passkey: z.optional(passkeyText),
};
