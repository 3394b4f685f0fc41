import type { UserId } from '@exchange/core/ids.ts';
import { tradePasswordProblem } from '@exchange/core/password.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Caller, SignedInCaller } from '../../platform/http/route.ts';
import type { Account } from './account-repository.ts';
import { tradePasswordChanged, tradePasswordLocked } from './events.ts';
import { changeFactor } from './factor-change.ts';
import { isShared, requireOwnAccount } from './system-users.ts';
import { writeNotice } from './freezing.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';
import { holdAfter, requirePassword } from './passwords.ts';

export interface NewTradePassword {
  readonly assetsPwd: string;
  readonly confirmAssetsPwd: string;
}

const TRIES = 5;
const LOCK_MS = DAY_MS;
const NOWHERE: Pick<Caller, 'address' | 'userAgent'> = { address: '', userAgent: '' };

/**
 * Sets the trade password; the caller has confirmed the request with a mailed code or a passkey. If the account has a
 * trade password already, the old one is required, and a hold of one day is placed on withdrawals. Ends all other
 * sessions. Refuses a new trade password that is unsuitable or differs from its repetition, and an account that many
 * visitors share.
 */
export async function setTradePassword(
  parts: IdentityParts,
  account: Account,
  fields: NewTradePassword & { readonly oldAssetsPwd?: string | undefined },
  caller: SignedInCaller,
): Promise<Record<string, never>> {
  requireGoodDigits(fields);
  const isFirst = account.tradePasswordHash === null;
  if (!isFirst) await requireTradePassword(parts, account.id, fields.oldAssetsPwd, 'oldAssetsPwd');
  await replaceTradePassword(parts, {
    account,
    fields,
    caller,
    kind: isFirst ? 'tradePasswordSet' : 'tradePasswordChanged',
  });
  return {};
}

/**
 * Replaces a forgotten or locked trade password, provided that the login password is right; the caller has confirmed
 * the request with a mailed code or a passkey. Places a hold of one day on withdrawals, ends the lock, and ends all
 * other sessions. Refuses a new trade password that is unsuitable or differs from its repetition, an account without a
 * trade password, and an account that many visitors share.
 */
export async function resetTradePassword(
  parts: IdentityParts,
  account: Account,
  fields: NewTradePassword & { readonly password: string },
  caller: SignedInCaller,
): Promise<Record<string, never>> {
  requireGoodDigits(fields);
  if (account.tradePasswordHash === null)
    throw new Refused(refusal('tradePassword', 'l.trade_password_missing'));
  await requirePassword(parts, account, fields.password, 'password');
  await replaceTradePassword(parts, { account, fields, caller, kind: 'tradePasswordReset' });
  return {};
}

function requireGoodDigits({ assetsPwd, confirmAssetsPwd }: NewTradePassword): void {
  const problem = tradePasswordProblem(assetsPwd);
  if (problem !== undefined) throw new Refused(problem);
  if (assetsPwd === confirmAssetsPwd) return;
  throw new Refused(refusal('invalidField', 'l.password_mismatch', { field: 'confirmAssetsPwd' }));
}

interface Replacement {
  readonly account: Account;
  readonly fields: NewTradePassword;
  readonly caller: SignedInCaller;
  readonly kind: 'tradePasswordSet' | 'tradePasswordChanged' | 'tradePasswordReset';
}

async function replaceTradePassword(
  parts: IdentityParts,
  { account, fields, caller, kind }: Replacement,
): Promise<void> {
  requireOwnAccount(account);
  const hash = await parts.hashes.make(HASH_PURPOSE.tradePassword, fields.assetsPwd);
  const at = parts.clock.now();
  const isFirst = kind === 'tradePasswordSet';
  const change = { account, kind, caller, keptSession: caller.session } as const;
  await changeFactor(parts, change, at, async (tx) => {
    await parts.accounts.changeFactors(tx, account.id, {
      trade_password_hash: hash,
      trade_password_failures: 0,
      trade_password_locked_until: 0n,
      ...(isFirst ? {} : holdAfter(account, kind, at)),
    });
    if (kind === 'tradePasswordReset') await parts.guard.succeed(tx, account);
  });
  parts.events.publish([{ name: tradePasswordChanged.name, fact: { userId: account.id, at, isFirst } }]);
}

/**
 * Refuses unless `password` is the user's trade password. Five wrong attempts in a row lock the trade
 * password for a day, or until it is reset, and the user is notified; while it is locked, the correct one is
 * refused too. The public trade password of the demo trader is never locked. If `password` is missing, the
 * refusal requests it, and no attempt is counted. An account without a trade password is refused with
 * `l.trade_password_missing`.
 */
export async function requireTradePassword(
  parts: IdentityParts,
  userId: UserId,
  password: string | undefined,
  field = 'assetsPwd',
): Promise<void> {
  if (password === undefined) {
    const isSet = ((await parts.accounts.byId(userId))?.tradePasswordHash ?? null) !== null;
    const key = isSet ? 'l.trade_password_required' : 'l.trade_password_missing';
    throw new Refused(refusal('tradePassword', key, isSet ? { field } : {}));
  }
  await parts.tradePasswordGuesses.run(userId, () => requireGuess(parts, userId, password, field));
}

async function requireGuess(
  parts: IdentityParts,
  userId: UserId,
  password: string,
  field: string,
): Promise<void> {
  const at = parts.clock.now();
  const attempt = await parts.accounts.countTradePasswordTry(userId, TRIES, later(at, LOCK_MS), at);
  if (attempt === undefined) {
    const account = await parts.accounts.byId(userId);
    const isSet = account !== undefined && account.tradePasswordHash !== null;
    const key = isSet ? 'l.trade_password_locked' : 'l.trade_password_missing';
    throw new Refused(refusal('tradePassword', key));
  }
  if (await parts.hashes.matches(HASH_PURPOSE.tradePassword, attempt.hash, password)) {
    await parts.accounts.clearTradePasswordTries(userId);
    return;
  }
  const account = await parts.accounts.byId(userId);
  if (account !== undefined && isShared(account)) {
    // The password of the demo trader is public, so the attempts of one visitor must not lock it for all others.
    await parts.accounts.clearTradePasswordTries(userId);
    throw new Refused(refusal('tradePassword', 'l.trade_password_wrong', { field, left: String(TRIES) }));
  }
  if (attempt.used >= TRIES) {
    await notifyLocked(parts, userId);
    throw new Refused(refusal('tradePassword', 'l.trade_password_locked'));
  }
  const left = String(TRIES - attempt.used);
  throw new Refused(refusal('tradePassword', 'l.trade_password_wrong', { field, left }));
}

async function notifyLocked(parts: IdentityParts, userId: UserId): Promise<void> {
  const at = parts.clock.now();
  const account = await parts.accounts.byId(userId);
  if (account === undefined) return;
  await parts.database.transaction(async (tx) => {
    await parts.security.write(tx, { userId, kind: 'tradePasswordLocked', caller: NOWHERE }, at);
    await writeNotice(parts, tx, account, 'tradePasswordLocked');
  });
  parts.events.publish([{ name: tradePasswordLocked.name, fact: { userId, at } }]);
}
