import { passwordProblem } from '@exchange/core/password.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { isCommonPassword } from './common-passwords.ts';

/** A local part shorter than this is no secret to avoid: `a@…` would forbid the letter a. */
const TELLING_LENGTH = 4;

/** Why a new login password is not acceptable for the owner of this address, or undefined. */
export function newPasswordProblem(password: string, confirmed: string, email: string): Refusal | undefined {
  const formal = passwordProblem(password);
  if (formal !== undefined) return formal;
  if (password !== confirmed)
    return refusal('invalidField', 'l.password_mismatch', { field: 'confirmPassword' });
  if (isCommonPassword(password)) return refusal('invalidField', 'l.password_common', { field: 'password' });
  const localPart = email.slice(0, email.lastIndexOf('@'));
  if (localPart.length >= TELLING_LENGTH && password.toLowerCase().includes(localPart)) {
    return refusal('invalidField', 'l.password_contains_email', { field: 'password' });
  }
  return undefined;
}
