import { normaliseEmail } from '@exchange/core/email.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';

/** The normalised address under which accounts are stored; refuses invalid addresses. */
export function parseEmail(text: string, field = 'email'): string {
  const email = normaliseEmail(text);
  if (email === undefined) throw new Refused(refusal('invalidField', 'l.email_invalid', { field }));
  return email;
}
