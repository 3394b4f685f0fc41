import type { UserId } from '@exchange/core/ids.ts';
import { tradePasswordProblem } from '@exchange/core/password.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Caller, SignedInCaller } from '../../platform/http/route.ts';
import type { Account } from './account-repository.ts';
import { askedBy } from './code-requests.ts';
import { tradePasswordChanged, tradePasswordLocked } from './events.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';
import { holdAfter } from './passwords.ts';
import { timeText } from '../../platform/time-text.ts';
import { noticeLetter } from './words/letters.ts';

export interface NewTradePassword {
  readonly code: string;
  readonly assetsPwd: string;
  readonly confirmAssetsPwd: string;
  readonly oldAssetsPwd?: string | undefined;
}

const TRIES = 5;
const LOCK_MS = DAY_MS;
const NOWHERE: Pick<Caller, 'address' | 'userAgent'> = { address: '', userAgent: '' };

/**
 * Sets the trade password with a mailed code. The code alone also replaces one that is forgotten or locked;
 * an old one that is sent along has to be right. Replacing holds withdrawals for a day.
 */
export async function setTradePassword(
  parts: IdentityParts,
  account: Account,
  fields: NewTradePassword,
  caller: SignedInCaller,
): Promise<Record<string, never>> {
  const problem = tradePasswordProblem(fields.assetsPwd);
  if (problem !== undefined) throw new Refused(problem);
  if (fields.assetsPwd !== fields.confirmAssetsPwd) {
    throw new Refused(refusal('invalidField', 'l.password_mismatch', { field: 'confirmAssetsPwd' }));
  }
  if (fields.oldAssetsPwd !== undefined && account.tradePasswordHash !== null) {
    await requireTradePassword(parts, account.id, fields.oldAssetsPwd);
  }
  const { proving } = await askedBy(parts, account.email, 'tradePassword', caller);
  const proven = await parts.codes.prove(proving, { code: fields.code });
  const hash = await parts.hashes.make(HASH_PURPOSE.tradePassword, fields.assetsPwd);
  const isFirst = account.tradePasswordHash === null;
  const kind = isFirst ? 'tradePasswordSet' : 'tradePasswordChanged';
  const at = parts.clock.now();
  await parts.database.transaction(async (tx) => {
    await proven.use(tx);
    await parts.accounts.change(tx, account.id, {
      trade_password_hash: hash,
      trade_password_failures: 0,
      trade_password_locked_until: 0n,
      ...(isFirst ? {} : { hold_until: BigInt(holdAfter(account, at)) }),
    });
    await parts.security.write(tx, { userId: account.id, kind, caller }, at);
    const letter = noticeLetter(account.locale, kind, { time: timeText(at) });
    await parts.mail.write(tx, { to: account.email, purpose: `notice.${kind}`, ...letter });
  });
  parts.events.publish([{ name: tradePasswordChanged.name, fact: { userId: account.id, at, isFirst } }]);
  return {};
}

/**
 * Refuses unless `password` is the user's trade password. The fifth wrong one in a row locks it for a day;
 * until then, or until a new one is set with a mailed code, also the right one is refused.
 */
export async function requireTradePassword(
  parts: IdentityParts,
  userId: UserId,
  password: string,
): Promise<void> {
  const at = parts.clock.now();
  const taken = await parts.accounts.takeTradePasswordTry(userId, TRIES, later(at, LOCK_MS), at);
  if (taken === undefined) {
    const account = await parts.accounts.byId(userId);
    const isSet = account !== undefined && account.tradePasswordHash !== null;
    const key = isSet ? 'l.trade_password_locked' : 'l.trade_password_missing';
    throw new Refused(refusal('tradePassword', key));
  }
  if (await parts.hashes.matches(HASH_PURPOSE.tradePassword, taken.hash, password)) {
    await parts.accounts.clearTradePasswordTries(userId);
    return;
  }
  if (taken.used >= TRIES) {
    await tellLocked(parts, userId);
    throw new Refused(refusal('tradePassword', 'l.trade_password_locked'));
  }
  const left = String(TRIES - taken.used);
  throw new Refused(refusal('tradePassword', 'l.trade_password_wrong', { field: 'assetsPwd', left }));
}

async function tellLocked(parts: IdentityParts, userId: UserId): Promise<void> {
  const at = parts.clock.now();
  const account = await parts.accounts.byId(userId);
  if (account === undefined) return;
  await parts.database.transaction(async (tx) => {
    await parts.security.write(tx, { userId, kind: 'tradePasswordLocked', caller: NOWHERE }, at);
    const letter = noticeLetter(account.locale, 'tradePasswordLocked');
    await parts.mail.write(tx, { to: account.email, purpose: 'notice.tradePasswordLocked', ...letter });
  });
  parts.events.publish([{ name: tradePasswordLocked.name, fact: { userId, at } }]);
}
