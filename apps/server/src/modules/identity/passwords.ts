import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Caller, Session, SignedInCaller } from '../../platform/http/route.ts';
import type { Account } from './account-repository.ts';
import { classifyRequest } from './code-requests.ts';
import type { HoldReason } from './domain/account-status.ts';
import { newPasswordProblem } from './domain/new-password.ts';
import { parseEmail } from './email-field.ts';
import { passwordChanged } from './events.ts';
import { changeFactor } from './factor-change.ts';
import type { Proof } from './mailed-codes.ts';
import { timeText } from '../../platform/time-text.ts';
import { requireOwnAccount } from './system-users.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';

/**
 * Milliseconds for which withdrawals are on hold after those changes of a means of authentication that place a hold.
 */
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

/**
 * Sets a new login password for a caller whose mailed code or ticket proves access to the mailbox. Ends all
 * sessions, places a hold of one day on withdrawals, and does not sign the caller in; passkeys and the
 * authenticator stay. Refuses a wrong code or ticket, an unacceptable password, and an account that many
 * visitors share.
 */
export async function resetPassword(
  parts: IdentityParts,
  fields: PasswordReset,
  caller: Caller,
): Promise<Record<string, never>> {
  const email = parseEmail(fields.email);
  const problem = newPasswordProblem(fields.password, fields.confirmPassword, email);
  if (problem !== undefined) throw new Refused(problem);
  const { proving, account } = await classifyRequest(parts, email, 'reset', caller);
  const proven = await parts.codes.prove(proving, fields);
  // No reset code is ever mailed to an address without an account, so every code for it is wrong.
  if (account === undefined) throw new Refused(refusal('invalidField', 'l.code_invalid', { field: 'code' }));
  const change = { account, password: fields.password, caller, keptSession: undefined };
  await replacePassword(parts, change, async (tx) => {
    await proven.use(tx);
    await parts.guard.succeed(tx, account);
  });
  return {};
}

/**
 * Changes the signed-in user's login password, provided that the old password is right; the caller has confirmed the
 * request with a mailed code or a passkey. Ends all other sessions, and places a hold of one day on withdrawals.
 * Refuses an unacceptable new password, the same password again, and an account that many visitors share.
 */
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
  await replacePassword(parts, change, (tx) => parts.guard.succeed(tx, account));
  return {};
}

/**
 * Refuses unless `password` is the signed-in user's login password; the refusal names the request field `field`. After
 * several failed attempts it refuses until the delay is over. Every attempt counts as failed until the caller calls
 * `guard.succeed`.
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
  /**
   * The session that made the change and stays open; undefined if the change was confirmed by mail, in which case all
   * sessions are ended.
   */
  readonly keptSession: Session | undefined;
}

async function replacePassword(
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
  const passkeys = byReset ? await passkeysText(parts, account) : undefined;
  const notice = passkeys === undefined ? kind : 'passwordResetWithPasskeys';
  const words = passkeys === undefined ? {} : { passkeys };
  await changeFactor(parts, { account, kind, caller, keptSession, notice, words }, at, async (tx) => {
    await before(tx);
    await parts.accounts.changeFactors(tx, account.id, {
      password_hash: passwordHash,
      ...holdAfter(account, kind, at),
    });
  });
  const fact = { userId: account.id, at, byReset, holdUntil, passkeys };
  parts.events.publish([{ name: passwordChanged.name, fact }]);
}

/**
 * The account's passkeys, newest first and one a line, with name and time of creation; undefined if it has none. A
 * reset does not remove them, so the owner has to know of those that somebody else has added.
 */
async function passkeysText({ passkeys }: IdentityParts, { id }: Account): Promise<string | undefined> {
  const lines = (await passkeys.ofUser(id)).map(({ name, createdAt }) => `${name} (${timeText(createdAt)})`);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/**
 * Values of the account columns for the hold on withdrawals after a change at the time `at`; an existing hold that ends
 * later stays.
 */
export function holdAfter(account: Account, reason: HoldReason, at: Instant) {
  const heldUntil = later(at, HOLD_MS);
  return heldUntil >= account.holdUntil
    ? { hold_until: BigInt(heldUntil), hold_reason: reason }
    : { hold_until: BigInt(account.holdUntil), hold_reason: account.holdReason };
}
