import * as z from 'zod/mini';

/** What an e-mail code is for; a code for one purpose is worth nothing for another. */
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

/** Six digits, or sixteen while somebody guesses at the short ones. */
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

/**
 * The fields of a call whose access row demands them: `fields: { …, ...tradePasswordField, ...mailCodeField }`.
 * `code` brings the field of the authenticator with it, whose code is demanded of those who have bound one.
 * They may be missing as far as the description goes: who leaves one out is told what is demanded.
 */
export const tradePasswordField = { assetsPwd: z.optional(sixDigits) };
export const mailCodeField = {
  code: z.optional(mailedCode),
  googleCode: z.optional(authenticatorCode),
};
