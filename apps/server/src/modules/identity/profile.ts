import { KYC_STATUS } from '@exchange/core/kyc.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Locale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { HUB_LIMITS } from '../../platform/feed/feed.ts';
import type { SignedInCaller } from '../../platform/http/route.ts';
import { timeText } from '../../platform/time-text.ts';
import { type AskedPage, mapPage } from '../../platform/database/paged-rows.ts';
import type { Account } from './account-repository.ts';
import { activityGrade, isNickname, securityGrade, securityPoints } from './domain/account-status.ts';
import { boundTo, type ConfirmedAction } from './confirmed-action.ts';
import { parseEmail } from './email-field.ts';
import { publishProtectionChange } from './events.ts';
import { changeFactor } from './factor-change.ts';
import { writeNotice } from './freezing.ts';
import { DEMO_TRADER, isShared, mostSessionsOf, requireOwnAccount } from './system-users.ts';
import type { IdentityParts } from './parts.ts';
import { holdAfter } from './passwords.ts';

const YES = 1 as const;
const NO = 0 as const;
const NEVER = instant(0);
const LEVEL_UNVERIFIED = 0;
const LEVEL_VERIFIED = 2;

/** The caller's own profile; refuses if the request names another user. */
export async function info(
  parts: IdentityParts,
  account: Account,
  fields: { readonly userId?: string | undefined },
) {
  if (fields.userId !== undefined && fields.userId !== account.id && fields.userId !== account.uid) {
    throw new Refused(refusal('generic', 'l.not_found'));
  }
  const verified = account.kycStatus === KYC_STATUS.verified;
  const hasTradePassword = account.tradePasswordHash !== null;
  const hasAuthenticator = account.authenticator !== undefined;
  const [usesWhitelist, recoveryLeft, passkeys] = await Promise.all([
    parts.usesWhitelist(account.id),
    hasAuthenticator ? parts.authenticators.recoveryCodesLeft(account.id) : 0,
    parts.passkeys.countOf(account.id),
  ]);
  const hasSecondFactor = hasAuthenticator || passkeys > 0;
  const security = securityPoints({ hasTradePassword, verified, hasSecondFactor, usesWhitelist });
  return {
    uid: account.uid,
    userId: account.id,
    email: account.email,
    icon: account.icon,
    auth: account.kycStatus,
    kycStatus: account.kycStatus,
    invitationCode: account.invitationCode,
    assetsPwd: hasTradePassword ? YES : NO,
    ...(isShared(account) ? { demoTradePassword: DEMO_TRADER.tradePassword } : {}),
    // The document number is empty until the user has submitted an identity, and masked afterwards. Only reviewers can
    // see the pictures of the document.
    idCard: account.documentMasked,
    idCardPhotoPositive: '',
    idCardPhotoReverseSide: '',
    remark: account.remark,
    name: account.nameMasked,
    nickname: account.nickname,
    purchase: account.mayPurchase ? '1' : '0',
    googleBind: hasAuthenticator ? YES : NO,
    passkeys,
    recoveryLeft,
    antiPhishing: account.antiPhishing,
    whitelist: usesWhitelist ? YES : NO,
    level: verified ? LEVEL_VERIFIED : LEVEL_UNVERIFIED,
    security,
    activity: activityGrade(await parts.sessions.activeDays(account.id)),
    securityLevel: securityGrade(security),
    ...holdOf(account, parts.clock.now()),
    createTime: account.createdAt,
    lang: account.locale,
    limits: { ...parts.limits, sessions: mostSessionsOf(account), ...feedLimitOf(account) },
  };
}

/** The current hold on withdrawals; a time in the past and an empty reason if there is none. */
function holdOf({ holdUntil, holdReason }: Account, now: Instant) {
  return holdUntil > now ? { holdUntil, holdReason } : { holdUntil: NEVER, holdReason: '' as const };
}

/**
 * Sets those of nickname, remark, picture and language that the request contains; the others stay unchanged. A new
 * picture replaces the stored one. Refuses an invalid nickname and another user's picture; on an account that many
 * visitors share, only the language can be set.
 */
export async function updateProfile(
  parts: IdentityParts,
  account: Account,
  fields: {
    readonly nickname?: string | undefined;
    readonly lang?: Locale | undefined;
    readonly remark?: string | undefined;
    readonly icon?: string | undefined;
  },
): Promise<Record<string, never>> {
  const { nickname, lang, remark, icon } = fields;
  if (nickname !== undefined || remark !== undefined || icon !== undefined) requireOwnAccount(account);
  if (nickname !== undefined && !isNickname(nickname)) {
    throw new Refused(refusal('invalidField', 'l.nickname_format', { field: 'nickname' }));
  }
  if (Object.values(fields).every((value) => value === undefined)) return {};
  await parts.database.transaction(async (tx) => {
    if (icon !== undefined && icon !== account.icon) {
      await parts.avatars.claim(tx, account.id, icon);
      if (account.icon !== '') await parts.avatars.remove(tx, account.icon);
    }
    await parts.accounts.change(tx, account.id, {
      ...(remark === undefined ? {} : { remark: remark.trim() }),
      ...(icon === undefined ? {} : { icon }),
      ...(nickname === undefined ? {} : { nickname }),
      ...(lang === undefined ? {} : { locale: lang }),
    });
  });
  return {};
}

/**
 * Sets the phrase that mails to the caller contain, so that the caller can recognize mails of the exchange. Refuses an
 * account that many visitors share.
 */
export async function setAntiPhishing(
  parts: IdentityParts,
  account: Account,
  words: string,
  caller: SignedInCaller,
): Promise<Record<string, never>> {
  requireOwnAccount(account);
  await parts.database.transaction(async (tx) => {
    await parts.accounts.change(tx, account.id, { anti_phishing: words });
    const event = { userId: account.id, kind: 'antiPhishingSet', caller } as const;
    await parts.security.write(tx, event, parts.clock.now());
  });
  return {};
}

/** The account's open sessions; for an account that many visitors share, only the caller's session. */
export async function listSessions(parts: IdentityParts, account: Account, caller: SignedInCaller) {
  const only = isShared(account) ? caller.session.id : undefined;
  const live = await parts.sessions.live(account.id, only);
  return {
    list: live.map((session) => ({
      id: session.id,
      device: session.device,
      address: session.address,
      method: session.method,
      createTime: session.createdAt,
      lastTime: session.seenAt,
      current: session.id === caller.session.id ? YES : NO,
    })),
  };
}

/**
 * A page of the account's registration, logins and failed logins, newest first; for an account that many visitors
 * share, only those from the caller's IP address.
 */
export async function listSignIns(
  parts: IdentityParts,
  account: Account,
  page: AskedPage,
  caller: SignedInCaller,
) {
  const only = isShared(account) ? caller.address : undefined;
  const signIns = await parts.security.repository.signIns(account.id, page, only);
  return mapPage(signIns, ({ at, ...record }) => ({ ...record, createTime: at }));
}

/** The account's limit of connections to the live feed if it differs from the default; otherwise an empty object. */
function feedLimitOf(account: Pick<Account, 'email'>) {
  return isShared(account) ? { feedConnections: HUB_LIMITS.connectionsPerSharedUser } : {};
}

const UNIQUE_VIOLATION = '23505';

/**
 * Changes the email address of an account. The caller has confirmed the change with the trade password, and
 * with a code mailed to the current address or a passkey; `fields.newCode` proves access to the new address,
 * for this request (`act`). Ends all other sessions, places a hold of one day on withdrawals and notifies
 * both addresses. Refuses a wrong `newCode`, the present address, one of another account, and an account that
 * many visitors share.
 */
export async function changeEmail(
  parts: IdentityParts,
  account: Account,
  fields: { readonly email: string; readonly newCode: string },
  act: ConfirmedAction,
  caller: SignedInCaller,
): Promise<Record<string, never>> {
  requireOwnAccount(account);
  const email = parseEmail(fields.email);
  if (email === account.email) throw new Refused(refusal('invalidField', 'l.email_same', { field: 'email' }));
  const about = boundTo(act);
  const proving = { email, purpose: 'bind', lane: 'own', about } as const;
  const proven = await parts.codes.check(proving, { code: fields.newCode });
  if (proven === undefined)
    throw new Refused(refusal('invalidField', 'l.code_invalid', { field: 'newCode' }));
  const at = parts.clock.now();
  const detail = JSON.stringify({ from: account.email, to: email });
  const change = { account, kind: 'emailChanged', caller, keptSession: caller.session, detail } as const;
  await changeFactor(parts, change, at, async (tx) => {
    await proven.use(tx);
    await parts.accounts.changeFactors(tx, account.id, { email, ...holdAfter(account, 'emailChanged', at) });
    await writeNotice(parts, tx, { ...account, email }, 'emailBound', { time: timeText(at) });
  }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    throw new Refused(refusal('duplicate', 'l.email_taken', { field: 'email' }));
  });
  publishProtectionChange(parts.events, 'emailChanged', { userId: account.id, at });
  return {};
}
