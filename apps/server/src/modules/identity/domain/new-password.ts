import { passwordProblem } from '@exchange/core/password.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { isCommonPassword } from './common-passwords.ts';

/**
 * If the part of an email address before the `@` has at least this many characters, the password of its account must
 * not contain it. Shorter parts are ignored, because `a@…` would forbid the letter a.
 */
const TELLING_LENGTH = 4;

/** The reason why a new login password is refused for this email address; undefined if it is acceptable. */
export function newPasswordProblem(password: string, confirmed: string, email: string): Refusal | undefined {
  const formatProblem = passwordProblem(password);
  if (formatProblem !== undefined) return formatProblem;
  if (password !== confirmed)
    return refusal('invalidField', 'l.password_mismatch', { field: 'confirmPassword' });
  if (isCommonPassword(password)) return refusal('invalidField', 'l.password_common', { field: 'password' });
  const localPart = email.slice(0, email.lastIndexOf('@'));
  if (localPart.length >= TELLING_LENGTH && password.toLowerCase().includes(localPart)) {
    return refusal('invalidField', 'l.password_contains_email', { field: 'password' });
  }
  return undefined;
}
