import { ACCOUNT_VERSIONS } from '@exchange/core/agreements.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { SignInMethod } from '@exchange/core/passkeys.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Caller, SignedInCaller } from '../../platform/http/route.ts';
import { addressGroup } from '../../platform/limits/address-group.ts';
import type { OpenedSession } from '../../platform/session/sessions.ts';
import type { Account } from './account-repository.ts';
import { classifyRequest } from './code-requests.ts';
import { parseEmail } from './email-field.ts';
import { hasAccepted } from './agreement-repository.ts';
import { newDeviceSignedIn, signedInOnOldTerms, type SignInNews } from './events.ts';
import { writeNotice } from './freezing.ts';
import { proveAuthenticator, publishRecoveryCodeUse } from './authenticator.ts';
import { passkeyFailed } from './passkey-challenges.ts';
import { examinePasskey } from './passkeys.ts';
import { PASSKEY_DETAIL } from './security-repository.ts';
import { HASH_PURPOSE, type IdentityParts } from './parts.ts';
import { isShared, mostSessionsOf } from './system-users.ts';
import { originOf } from './sign-up.ts';
import { timeText } from '../../platform/time-text.ts';

export interface SignIn {
  readonly account: string;
  readonly code?: string | undefined;
  readonly password: string;
  readonly deviceId?: string | undefined;
  readonly googleCode?: string | undefined;
  /**
   * The device's answer to a passkey challenge, which replaces the mailed code and the authenticator code; undefined
   * for a login with codes.
   */
  readonly passkey?: string | undefined;
}

/**
 * Signs a user in with email address and password, and either a passkey or a mailed code and, if the account has an
 * authenticator, its code. The answer does not reveal whether the mailed code or the password was wrong. The password
 * is checked only after a correct code or passkey, so that strangers can neither guess passwords nor cause load by
 * hashing, and their attempts do not delay the owner. Failed attempts are recorded in the security log; a frozen
 * account is refused after correct credentials.
 */
export async function login(
  parts: IdentityParts,
  fields: SignIn,
  caller: Caller,
): Promise<{ userId: UserId; token: string }> {
  const email = parseEmail(fields.account, 'account');
  if (fields.passkey !== undefined)
    return loginWithPasskeyAndPassword(parts, { ...fields, email, passkey: fields.passkey }, caller);
  if (fields.code === undefined)
    throw new Refused(refusal('invalidField', 'l.enter_code', { field: 'code' }));
  const { proving, account } = await classifyRequest(parts, email, 'login', caller);
  const proven = await parts.codes.check(proving, { code: fields.code });
  if (proven === undefined) await parts.guard.countStranger(email, addressGroup(caller.address));
  else await parts.guard.admitMailbox(email);
  // No login code is ever mailed to an email address without an account, so every code for it is wrong.
  const isRight =
    proven !== undefined &&
    (await parts.hashes.matches(HASH_PURPOSE.password, account?.passwordHash, fields.password));
  if (account === undefined || proven === undefined || !isRight) {
    await writeFailure(parts, account?.id, caller);
    throw new Refused(refusal('generic', 'l.login_failed'));
  }
  if (account.frozen) throw new Refused(refusal('securityHold', 'l.account_frozen'));
  const authenticatorProof = await secondFactor(parts, account, fields.googleCode, proving.lane);
  const token = await openSession(parts, account, caller, {
    deviceId: fields.deviceId,
    before: async (tx) => {
      await proven.use(tx);
      await authenticatorProof?.use(tx);
      await parts.guard.succeed(tx, account);
    },
  });
  publishRecoveryCodeUse(parts, account.id, authenticatorProof);
  return { userId: account.id, token };
}

/**
 * Signs a user in with email address, password, and a passkey of the account in place of the codes. As with a mailed
 * code, the passkey is checked before the password.
 */
async function loginWithPasskeyAndPassword(
  parts: IdentityParts,
  {
    email,
    passkey,
    password,
    deviceId,
  }: { readonly email: string; readonly passkey: string } & Pick<SignIn, 'password' | 'deviceId'>,
  caller: Caller,
): Promise<{ userId: UserId; token: string }> {
  const examined = await examinePasskey(parts, passkey, { kind: 'signIn' });
  const account = await parts.accounts.byEmail(email);
  const isOwn = 'passkey' in examined && examined.passkey.userId === account?.id;
  if (isOwn) await parts.guard.admitMailbox(email);
  else await parts.guard.countStranger(email, addressGroup(caller.address));
  const isRight =
    isOwn && (await parts.hashes.matches(HASH_PURPOSE.password, account?.passwordHash, password));
  if (account === undefined || !isRight) {
    await writeFailure(parts, account?.id, caller, PASSKEY_DETAIL);
    if ('failure' in examined && examined.userId === account?.id && account !== undefined)
      throw examined.failure;
    throw new Refused(refusal('generic', 'l.login_failed'));
  }
  if (account.frozen) throw new Refused(refusal('securityHold', 'l.account_frozen'));
  const token = await openSession(parts, account, caller, {
    deviceId,
    method: 'passkey',
    before: async (tx) => {
      await examined.use(tx);
      await parts.guard.succeed(tx, account);
    },
  });
  await examined.warn();
  return { userId: account.id, token };
}

/**
 * Signs a user in with a passkey alone; its device has verified the person, so it counts as two means of
 * authentication. The answer is the same for unknown, removed and wrong passkeys, but not for copied ones,
 * for frozen accounts and for an expired challenge. Records wrong answers in the security log.
 */
export async function loginWithPasskey(
  parts: IdentityParts,
  { passkey, deviceId }: { readonly passkey: string; readonly deviceId?: string | undefined },
  caller: Caller,
): Promise<{ userId: UserId; token: string; email: string }> {
  const examined = await examinePasskey(parts, passkey, { kind: 'signIn' });
  if ('failure' in examined) {
    await writeFailure(parts, examined.userId, caller, PASSKEY_DETAIL);
    throw examined.failure;
  }
  const account = await parts.accounts.byId(examined.passkey.userId);
  if (account === undefined) throw passkeyFailed();
  if (account.frozen) throw new Refused(refusal('securityHold', 'l.account_frozen'));
  const token = await openSession(parts, account, caller, {
    deviceId,
    method: 'passkey',
    before: (tx) => examined.use(tx),
  });
  await examined.warn();
  return { userId: account.id, token, email: account.email };
}

/**
 * Verifies the authenticator code, or a recovery code, if the account has an authenticator, and returns a
 * proof whose `use` marks the code as used; returns undefined if the account has no authenticator. Refuses a
 * missing or wrong code. As the password was correct, the count of wrong passwords is reset before.
 */
async function secondFactor(parts: IdentityParts, account: Account, code: string | undefined, lane: string) {
  const { authenticator } = account;
  if (authenticator === undefined) return undefined;
  await parts.database.transaction((tx) => parts.guard.succeed(tx, account));
  return proveAuthenticator(parts, { ...account, authenticator }, code, {
    countedBy: lane,
    takesRecovery: true,
  });
}

/** Options for opening the session of a user who has been authenticated. */
export interface SessionOpening {
  readonly deviceId: string | undefined;
  /** Method of the login; a password if undefined. */
  readonly method?: SignInMethod;
  /**
   * Called at the start of the transaction that opens the session, to mark the code or passkey of the login
   * as used.
   */
  readonly before?: (tx: Tx) => Promise<void>;
}

/**
 * Opens a session for an authenticated user, and returns its token. Records the login, ends the least recently used
 * sessions above the limit, and notifies the owner of an unfamiliar device or network. Refuses with `l.login_failed` if
 * a means of authentication changed, or the account was frozen, since the account was read.
 */
export async function openSession(
  parts: IdentityParts,
  account: Account,
  caller: Caller,
  { deviceId, method, before }: SessionOpening,
): Promise<string> {
  const { database, clock, sessions, security, events } = parts;
  const at = clock.now();
  const opened = await database.transaction(async (tx) => {
    await before?.(tx);
    if (!(await parts.accounts.isUnchanged(tx, account)))
      throw new Refused(refusal('generic', 'l.login_failed'));
    const origin = originOf(caller, deviceId, method);
    const session = await sessions.open(tx, account.id, origin, mostSessionsOf(account));
    const detail = method === 'passkey' ? PASSKEY_DETAIL : '';
    await security.write(tx, { userId: account.id, kind: 'signedIn', caller, detail }, at);
    const news = isShared(account) ? undefined : newsOf(session);
    if (news !== undefined) {
      const words = { device: session.device, address: caller.address, time: timeText(at) };
      await writeNotice(parts, tx, account, news, words);
    }
    const isOnOldTerms = !isShared(account) && !(await hasAccepted(tx, account.id, ACCOUNT_VERSIONS));
    return { ...session, news, isOnOldTerms };
  });
  sessions.forget(opened.displaced);
  if (opened.news !== undefined) {
    const { device, news } = opened;
    const fact = { userId: account.id, at, device, address: caller.address, news };
    events.publish([{ name: newDeviceSignedIn.name, fact }]);
  }
  if (opened.isOnOldTerms)
    events.publish([
      { name: signedInOnOldTerms.name, fact: { userId: account.id, at, ...ACCOUNT_VERSIONS } },
    ]);
  return opened.token;
}

/**
 * What is unfamiliar about a login: the device, the network, or both. A device or network is familiar if any stored
 * session of the account, ended or not, has used it. Undefined if both are familiar, even from different sessions.
 */
function newsOf({
  isNewDevice,
  isNewNetwork,
}: Pick<OpenedSession, 'isNewDevice' | 'isNewNetwork'>): SignInNews | undefined {
  if (isNewDevice) return isNewNetwork ? 'newDeviceAndNetwork' : 'newDevice';
  return isNewNetwork ? 'newNetwork' : undefined;
}

/** Ends the caller's current session. */
export async function logout(parts: IdentityParts, caller: SignedInCaller): Promise<Record<string, never>> {
  const { id, userId } = caller.session;
  await endSession(parts, userId, id, 'signedOut', caller);
  return {};
}

/**
 * Ends one of the user's sessions. Refuses with the same answer as for an unknown id if the session belongs to another
 * user or, on an account that many visitors share, to another visitor.
 */
export async function revokeSession(
  parts: IdentityParts,
  account: Account,
  sessionId: string,
  caller: SignedInCaller,
): Promise<Record<string, never>> {
  const isOtherVisitor = isShared(account) && sessionId !== caller.session.id;
  if (isOtherVisitor || !(await endSession(parts, account.id, sessionId, 'sessionRevoked', caller)))
    throw new Refused(refusal('generic', 'l.not_found'));
  return {};
}

/**
 * Ends all sessions of the user except the current one, and returns their number. On an account that many
 * visitors share it ends none and returns 0, because the other sessions belong to other visitors.
 */
export async function revokeOtherSessions(
  parts: IdentityParts,
  account: Account,
  caller: SignedInCaller,
): Promise<{ count: number }> {
  if (isShared(account)) return { count: 0 };
  const ended = await parts.database.transaction(async (tx) => {
    const sessions = await parts.sessions.endAll(tx, account.id, caller.session.id);
    const event = { userId: account.id, kind: 'sessionRevoked', caller } as const;
    if (sessions.length > 0) await parts.security.write(tx, event, parts.clock.now());
    return sessions;
  });
  parts.sessions.forget(ended);
  return { count: ended.length };
}

async function endSession(
  parts: IdentityParts,
  userId: UserId,
  sessionId: string,
  kind: 'signedOut' | 'sessionRevoked',
  caller: Caller,
): Promise<boolean> {
  const ended = await parts.database.transaction(async (tx) => {
    const sessions = await parts.sessions.endOne(tx, userId, sessionId);
    if (sessions.length > 0) await parts.security.write(tx, { userId, kind, caller }, parts.clock.now());
    return sessions;
  });
  parts.sessions.forget(ended);
  return ended.length > 0;
}

async function writeFailure(
  parts: IdentityParts,
  userId: UserId | undefined,
  caller: Caller,
  detail = '',
): Promise<void> {
  const event = { userId, kind: 'signInFailed', caller, detail } as const;
  await parts.database.transaction((tx) => parts.security.write(tx, event, parts.clock.now()));
}
