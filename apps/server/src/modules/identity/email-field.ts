import { normaliseEmail } from '@exchange/core/email.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';

/**
 * Returns the email address in the normalized form in which accounts are stored; refuses an invalid address, naming the
 * request field `field`.
 */
export function parseEmail(text: string, field = 'email'): string {
  const email = normaliseEmail(text);
  if (email === undefined) throw new Refused(refusal('invalidField', 'l.email_invalid', { field }));
  return email;
}
