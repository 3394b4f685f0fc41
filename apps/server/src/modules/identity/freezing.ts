import type { Tx } from '../../platform/database/database.ts';
import type { Account } from './account-repository.ts';
import type { IdentityParts } from './parts.ts';
import { noticeMessage } from './words/mails.ts';
import type { NoticeName } from './words/shape.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { Refused, refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, instant, later } from '@exchange/core/time.ts';
import type { Caller, SignedInCaller } from '../../platform/http/route.ts';
import { sameDigest } from '../../platform/secrets/server-secret.ts';
import { requireOwnAccount } from './system-users.ts';
import type { Restriction } from './account-statuses.ts';

const LINK = 'freeze-link';
const LINK_VALID_MS = 7 * DAY_MS;
const SCREEN = '/setting/freeze';

/**
 * Freezes or unfreezes a user, or permits or forbids purchases. The change takes effect with the next command
 * in this process, and within seconds in other processes.
 */
export type Restrict = (userId: UserId, restriction: Restriction) => Promise<void>;

/**
 * Signed link for mails, with which the owner can freeze the account within seven days; undefined if the site's URL is
 * not configured.
 */
export function freezeLink(parts: IdentityParts, userId: UserId): string | undefined {
  if (parts.siteUrl === undefined) return undefined;
  const expiresAt = String(later(parts.clock.now(), LINK_VALID_MS));
  const token = [userId, expiresAt, sealOf(parts, userId, expiresAt).toString('base64url')].join('.');
  return `${parts.siteUrl}${SCREEN}?token=${token}`;
}

/**
 * Freezes the caller's own account: ends every session, and nobody can sign in until an operator unfreezes the account.
 * Refuses an account that many visitors share.
 */
export async function freezeOwn(
  parts: IdentityParts,
  account: Account,
  reason: string | undefined,
  caller: SignedInCaller,
  restrict: Restrict,
): Promise<Record<string, never>> {
  requireOwnAccount(account);
  await freeze(parts, account.id, `owner: ${reason ?? ''}`, caller, restrict);
  return {};
}

/**
 * Freezes the account of a mailed link, as `freezeOwn` does. Does nothing if the account is frozen already. Refuses a
 * forged link, a link that is older than a week, and an account that many visitors share.
 */
export async function freezeByLink(
  parts: IdentityParts,
  token: string,
  caller: Caller,
  restrict: Restrict,
): Promise<Record<string, never>> {
  const [id = '', expiresAt = '', seal = ''] = token.split('.');
  const userId = id as UserId;
  const isOurs = sameDigest(sealOf(parts, userId, expiresAt), Buffer.from(seal, 'base64url'));
  if (!isOurs || instant(Number(expiresAt)) < parts.clock.now())
    throw new Refused(refusal('invalidField', 'l.freeze_link', { field: 'token' }));
  const account = await parts.accounts.byId(userId);
  if (account === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  requireOwnAccount(account);
  if (!account.frozen) await freeze(parts, userId, 'owner: link of a mail', caller, restrict);
  return {};
}

async function freeze(
  parts: IdentityParts,
  userId: UserId,
  reason: string,
  caller: Caller,
  restrict: Restrict,
): Promise<void> {
  await restrict(userId, { frozen: true, reason });
  await parts.database.transaction((tx) =>
    parts.security.write(tx, { userId, kind: 'frozenByOwner', caller }, parts.clock.now()),
  );
}

function sealOf(parts: IdentityParts, userId: string, expiresAt: string): Buffer {
  return parts.secret.seal(LINK, userId, expiresAt);
}

/**
 * Enqueues, in the caller's transaction, a mail with a notice to the owner of an account. If the site's
 * URL is configured, the mail contains the link that freezes the account.
 */
export async function writeNotice(
  parts: IdentityParts,
  tx: Tx,
  account: Account,
  name: NoticeName,
  parameters: Readonly<Record<string, string>> = {},
): Promise<void> {
  const message = noticeMessage(account.locale, name, parameters, freezeLink(parts, account.id));
  await parts.mail.write(tx, { to: account.email, purpose: `notice.${name}`, ...message });
}
