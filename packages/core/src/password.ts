import { refusal, type Refusal } from './refusal.ts';

const FIRST_LETTER = /^[A-Za-z]/;
const SIX_DIGITS = /^\d{6}$/;

/** Why a new login password is not acceptable, or undefined. The server adds its list of breached ones. */
export function passwordProblem(password: string): Refusal | undefined {
  if (password.length < 8 || password.length > 24) {
    return refusal('invalidField', 'l.password_length', { field: 'password', min: '8', max: '24' });
  }
  if (!FIRST_LETTER.test(password))
    return refusal('invalidField', 'l.password_letter', { field: 'password' });
  if (!/\d/.test(password)) return refusal('invalidField', 'l.password_digit', { field: 'password' });
  return undefined;
}

/** Why a new trade password is not acceptable, or undefined: six digits, no run and no repetition. */
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
