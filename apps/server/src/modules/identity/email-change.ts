import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { SignedInCaller } from '../../platform/http/route.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Account } from './account-repository.ts';
import { addressIn } from './email-field.ts';
import { tellProtection } from './events.ts';
import { requireOwnAccount } from './house-users.ts';
import { writeNotice } from './freezing.ts';
import type { IdentityParts } from './parts.ts';
import { holdAfter } from './passwords.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Binds another address for somebody who has shown the trade password and a code mailed to the present one, and
 * shows one mailed to the new one. Other sessions end, withdrawals are held for a day, both addresses are told.
 */
export async function changeEmail(
  parts: IdentityParts,
  account: Account,
  fields: { readonly email: string; readonly newCode: string },
  caller: SignedInCaller,
): Promise<Record<string, never>> {
  requireOwnAccount(account);
  const email = addressIn(fields.email);
  if (email === account.email) throw new Refused(refusal('invalidField', 'l.email_same', { field: 'email' }));
  const proven = await parts.codes.check({ email, purpose: 'bind', lane: 'own' }, { code: fields.newCode });
  if (proven === undefined)
    throw new Refused(refusal('invalidField', 'l.code_invalid', { field: 'newCode' }));
  const at = parts.clock.now();
  const change = parts.database.transaction(async (tx) => {
    await proven.use(tx);
    await parts.accounts.change(tx, account.id, { email, ...holdAfter(account, 'emailChanged', at) });
    const detail = JSON.stringify({ from: account.email, to: email });
    await parts.security.write(tx, { userId: account.id, kind: 'emailChanged', caller, detail }, at);
    await writeNotice(parts, tx, account, 'emailChanged', { time: timeText(at) });
    await writeNotice(parts, tx, { ...account, email }, 'emailBound', { time: timeText(at) });
    return parts.sessions.endAll(tx, account.id, caller.session.id);
  });
  const ended = await change.catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    throw new Refused(refusal('duplicate', 'l.email_taken', { field: 'email' }));
  });
  parts.sessions.forget(ended);
  tellProtection(parts.events, 'emailChanged', { userId: account.id, at });
  return {};
}
