import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { Caller } from '../../platform/http/route.ts';
import { askedBy } from './code-requests.ts';
import { newPasswordProblem } from './domain/new-password.ts';
import { addressIn } from './email-field.ts';
import { userRegistered } from './events.ts';
import type { Proof } from './mailed-codes.ts';
import { insertAccount } from './new-account.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';

export interface SignUp extends Proof {
  readonly email: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly invitationCode?: string | undefined;
  readonly agree?: boolean | undefined;
  readonly lang?: Locale | undefined;
  readonly deviceId?: string | undefined;
}

/** Opens an account for whoever reads the mail of an address, and signs in. */
export async function register(
  parts: IdentityParts,
  fields: SignUp,
  caller: Caller,
): Promise<{ userId: UserId; token: string }> {
  const { database, clock, codes, hashes, accounts, random, sessions, security, events } = parts;
  const email = addressIn(fields.email);
  const problem = newPasswordProblem(fields.password, fields.confirmPassword, email);
  if (problem !== undefined) throw new Refused(problem);
  if (fields.agree !== true)
    throw new Refused(refusal('invalidField', 'l.agree_required', { field: 'agree' }));
  const invitedBy = await inviterOf(parts, fields.invitationCode);
  const { proving } = await askedBy(parts, email, 'register', caller);
  const proven = await codes.prove(proving, fields);
  const passwordHash = await hashes.make(HASH_PURPOSE.password, fields.password);
  const opened = await database.transaction(async (tx) => {
    const now = clock.now();
    await proven.use(tx);
    const founding = {
      email,
      houseName: null,
      passwordHash,
      invitedBy,
      locale: fields.lang ?? caller.locale,
    };
    const userId = await insertAccount(tx, accounts, random, founding, now);
    // Only a code that was mailed before the address was taken elsewhere can get here.
    if (userId === undefined) throw new Refused(refusal('duplicate', 'l.email_taken', { field: 'email' }));
    const { token } = await sessions.open(tx, userId, originOf(caller, fields.deviceId));
    await security.write(tx, { userId, kind: 'registered', caller }, now);
    return { userId, token, at: now };
  });
  events.publish([{ name: userRegistered.name, fact: { userId: opened.userId, at: opened.at } }]);
  return { userId: opened.userId, token: opened.token };
}

async function inviterOf(parts: IdentityParts, code: string | undefined): Promise<UserId | null> {
  if (code === undefined) return null;
  const inviter = await parts.accounts.idByInvitationCode(code.trim().toUpperCase());
  if (inviter === undefined) {
    throw new Refused(refusal('invalidField', 'l.invite_unknown', { field: 'invitationCode' }));
  }
  return inviter;
}

/** Where a session is opened from. */
export function originOf(caller: Caller, deviceId: string | undefined) {
  return { userAgent: caller.userAgent, address: caller.address, deviceId };
}
