import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Caller, Session, SignedInCaller } from '../../platform/http/route.ts';
import type { Account } from './account-repository.ts';
import { askedBy } from './code-requests.ts';
import type { HoldReason } from './domain/account-status.ts';
import { newPasswordProblem } from './domain/new-password.ts';
import { addressIn } from './email-field.ts';
import { passwordChanged } from './events.ts';
import { changeFactor } from './factor-change.ts';
import type { Proof } from './mailed-codes.ts';
import { requireOwnAccount } from './house-users.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';

/** How long withdrawals wait after a credential was changed. */
const HOLD_MS = DAY_MS;

export interface PasswordReset extends Proof {
  readonly email: string;
  readonly password: string;
  readonly confirmPassword: string;
}

export interface PasswordUpdate {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
}

/** Sets a new password for whoever reads the mail: all sessions end, nobody is signed in. */
export async function resetPassword(
  parts: IdentityParts,
  fields: PasswordReset,
  caller: Caller,
): Promise<Record<string, never>> {
  const email = addressIn(fields.email);
  const problem = newPasswordProblem(fields.password, fields.confirmPassword, email);
  if (problem !== undefined) throw new Refused(problem);
  const { proving, account } = await askedBy(parts, email, 'reset', caller);
  const proven = await parts.codes.prove(proving, fields);
  // Nobody has a right code for an address without an account: none was mailed.
  if (account === undefined) throw new Refused(refusal('invalidField', 'l.code_invalid', { field: 'code' }));
  const change = { account, password: fields.password, caller, keptSession: undefined };
  await replace(parts, change, async (tx) => {
    await proven.use(tx);
    await parts.guard.succeed(tx, account);
  });
  return {};
}

/** Changes the password of the signed-in user, who has shown a mailed code: all other sessions end before the answer. */
export async function updatePassword(
  parts: IdentityParts,
  account: Account,
  fields: PasswordUpdate,
  caller: SignedInCaller,
): Promise<Record<string, never>> {
  const problem = newPasswordProblem(fields.newPassword, fields.confirmPassword, account.email);
  if (problem !== undefined) throw new Refused(problem);
  await requirePassword(parts, account, fields.oldPassword, 'oldPassword');
  if (fields.newPassword === fields.oldPassword) {
    throw new Refused(refusal('invalidField', 'l.password_same', { field: 'newPassword' }));
  }
  const change = { account, password: fields.newPassword, caller, keptSession: caller.session };
  await replace(parts, change, (tx) => parts.guard.succeed(tx, account));
  return {};
}

/**
 * Refuses unless `password` is the login password of somebody signed in; `field` names it. Each try counts as
 * failed until the change that it allows forgets it with `guard.succeed`.
 */
export async function requirePassword(
  parts: IdentityParts,
  account: Account,
  password: string,
  field: string,
): Promise<void> {
  await parts.guard.admitUser(account.id);
  if (await parts.hashes.matches(HASH_PURPOSE.password, account.passwordHash, password)) return;
  throw new Refused(refusal('invalidField', 'l.password_wrong', { field }));
}

interface PasswordChange {
  readonly account: Account;
  readonly password: string;
  readonly caller: Caller;
  /** The session that made the change; without one it was made by mail. */
  readonly keptSession: Session | undefined;
}

async function replace(
  parts: IdentityParts,
  { account, password, caller, keptSession }: PasswordChange,
  before: (tx: Tx) => Promise<void>,
): Promise<void> {
  requireOwnAccount(account);
  const byReset = keptSession === undefined;
  const passwordHash = await parts.hashes.make(HASH_PURPOSE.password, password);
  const at = parts.clock.now();
  const kind = byReset ? 'passwordReset' : 'passwordChanged';
  const holdUntil = instant(Number(holdAfter(account, kind, at).hold_until));
  await changeFactor(parts, { account, kind, caller, keptSession }, at, async (tx) => {
    await before(tx);
    await parts.accounts.changeFactors(tx, account.id, {
      password_hash: passwordHash,
      ...holdAfter(account, kind, at),
    });
  });
  const fact = { userId: account.id, at, byReset, holdUntil };
  parts.events.publish([{ name: passwordChanged.name, fact }]);
}

/** The hold that a change at `at` brings, as the account's columns; it never shortens one that is longer. */
export function holdAfter(account: Account, reason: HoldReason, at: Instant) {
  const held = later(at, HOLD_MS);
  return held >= account.holdUntil
    ? { hold_until: BigInt(held), hold_reason: reason }
    : { hold_until: BigInt(account.holdUntil), hold_reason: account.holdReason };
}
