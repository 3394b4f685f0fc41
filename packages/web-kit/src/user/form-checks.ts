import { normaliseEmail } from '@exchange/core/email.ts';
import { passwordProblem } from '@exchange/core/password.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';

/** The problems of a form by field; an empty object means that it can be sent. */
export type Problems<Form> = { readonly [Field in keyof Form]?: Refusal };

/** Only the fields that have a problem. */
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

/** A password that opens an existing account: old ones may be as short as 6 characters. */
export function loginPasswordProblem(password: string, field = 'password'): Refusal | undefined {
  if (password === '') return refusal('invalidField', 'l.field_required', { field });
  if (password.length >= 6 && password.length <= 128) return undefined;
  return refusal('invalidField', 'l.password_length', { field, min: '6', max: '128' });
}

/** A new password: its rules, and that it does not repeat the name of the mailbox. */
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

export function agreeProblem(agree: boolean): Refusal | undefined {
  return agree ? undefined : refusal('invalidField', 'l.agree_required', { field: 'agree' });
}
