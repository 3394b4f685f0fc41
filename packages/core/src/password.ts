import { refusal, type Refusal } from './refusal.ts';

const FIRST_LETTER = /^[A-Za-z]/;
const SIX_DIGITS = /^\d{6}$/;

/**
 * Minimum and maximum length of a new login password, in UTF-16 units. The maximum permits passphrases and generated
 * passwords.
 */
export const NEW_PASSWORD_LENGTH = { min: 8, max: 64 } as const;

/**
 * Returns a refusal if a new login password has a wrong length, does not begin with a letter A–Z in either case, or
 * contains no digit; otherwise undefined. The server also checks a list of breached passwords.
 */
export function passwordProblem(password: string): Refusal | undefined {
  const { min, max } = NEW_PASSWORD_LENGTH;
  if (password.length < min || password.length > max) {
    return refusal('invalidField', 'l.password_length', {
      field: 'password',
      min: String(min),
      max: String(max),
    });
  }
  if (!FIRST_LETTER.test(password))
    return refusal('invalidField', 'l.password_letter', { field: 'password' });
  if (!/\d/.test(password)) return refusal('invalidField', 'l.password_digit', { field: 'password' });
  return undefined;
}

/**
 * Returns a refusal if a new trade password is not six digits, is a run (`123456`, `654321`), or repeats one digit or a
 * group of two or three digits (`121212`, `123123`); otherwise undefined.
 */
export function tradePasswordProblem(digits: string): Refusal | undefined {
  if (!SIX_DIGITS.test(digits))
    return refusal('tradePassword', 'l.trade_password_format', { field: 'assetsPwd' });
  const steps = new Set<number>();
  for (let index = 1; index < digits.length; index += 1) {
    steps.add(digits.charCodeAt(index) - digits.charCodeAt(index - 1));
  }
  const isRun = steps.size === 1 && [...steps].every((step) => Math.abs(step) <= 1);
  const repeats = digits.slice(0, 3) === digits.slice(3) || /^(\d\d)\1\1$/.test(digits);
  if (isRun || repeats) return refusal('tradePassword', 'l.trade_password_obvious', { field: 'assetsPwd' });
  return undefined;
}
