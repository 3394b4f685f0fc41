import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant } from '@exchange/core/time.ts';
import { PASSKEYS_MAX } from '@exchange/core/passkeys.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Caller, SignedInCaller } from '../../platform/http/route.ts';
import { newId } from '../../platform/secrets/random.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Account } from './account-repository.ts';
import { ISSUER } from './authenticator.ts';
import {
  acceptedOrigins,
  counterVerdict,
  isWarningDue,
  leavesOnlyMail,
  parseAssertion,
  parseClientData,
  parseRegistration,
  PASSKEY_RULES,
  passkeyKind,
  type Assertion,
} from './domain/passkeys.ts';
import { publishProtectionChange } from './events.ts';
import { changeFactor } from './factor-change.ts';
import { writeNotice } from './freezing.ts';
import type { IdentityParts } from './parts.ts';
import {
  passkeyFailed,
  registrationFailed,
  type ChallengePurpose,
  type KnownChallenge,
} from './passkey-challenges.ts';
import type { Passkey } from './passkey-repository.ts';
import { holdAfter } from './passwords.ts';
import { requireOwnAccount } from './system-users.ts';

const HANDLE_BYTES = 32;
const NEVER = instant(0);
/** COSE numbers of the algorithms with which passkeys may sign: ES256, EdDSA and RS256. */
const ALGORITHMS = [-7, -8, -257] as const;

/**
 * The WebAuthn library has hundreds of modules, so a process loads it only when it verifies the first answer of a
 * device.
 */
const webAuthn = () => import('@simplewebauthn/server');

/** A passkey that was verified. It has to be marked as used in the transaction of the change that it authorizes. */
export interface ProvenPasskey {
  readonly passkey: Passkey;
  /**
   * Marks the passkey's challenge and signature counter as used; does nothing for a repetition of the request that used
   * the challenge. Refuses if a concurrent call used them or removed the passkey.
   */
  use(tx: Tx): Promise<void>;
  /**
   * If the passkey had a signature counter before and reports none now, writes this to the security log, and
   * warns the owner unless the owner was warned about this passkey in the last 24 hours. Otherwise does
   * nothing; the caller calls it after the commit.
   */
  warn(): Promise<void>;
}

/** Why a passkey was refused; `userId` is the owner of the passkey if it was refused as copied, otherwise undefined. */
export interface FailedPasskey {
  readonly failure: Refused;
  readonly userId: UserId | undefined;
}

/** Presents a passkey as its owner sees it. */
export function presentPasskey({ id, name, kind, createdAt, lastUsedAt }: Passkey) {
  return { id, name, kind, createTime: createdAt, lastTime: lastUsedAt };
}

/** WebAuthn options for a login on a visitor's device. They name no passkey, so they reveal nothing about accounts. */
export function signInOptions(parts: IdentityParts) {
  return requestOptions(parts, { kind: 'signIn' }, []);
}

/**
 * WebAuthn options with which the owner's device confirms one request; `about` is the text that identifies the request.
 * Refuses an owner without passkeys.
 */
export async function confirmOptions(parts: IdentityParts, { session }: SignedInCaller, about: string) {
  const purpose = { kind: 'confirm', userId: session.userId, sessionId: session.id, about } as const;
  const passkeys = await parts.passkeys.ofUser(session.userId);
  if (passkeys.length === 0) throw passkeyFailed();
  return requestOptions(parts, purpose, passkeys);
}

function requestOptions(parts: IdentityParts, purpose: ChallengePurpose, allowed: readonly Passkey[]) {
  return {
    challenge: parts.passkeyChallenges.issue(purpose),
    timeout: PASSKEY_RULES.challengeMs,
    rpId: parts.passkeySite.domain,
    allowCredentials: allowed.map(descriptorOf),
    userVerification: 'required' as const,
  };
}

/**
 * WebAuthn options with which the owner's device creates a passkey in the current session. Refuses an account with ten
 * passkeys, and one that many visitors share.
 */
export async function creationOptions(parts: IdentityParts, account: Account, { session }: SignedInCaller) {
  requireOwnAccount(account);
  const passkeys = await parts.passkeys.ofUser(account.id);
  requireRoom(passkeys.length);
  const handle = await parts.passkeys.handleOf(account.id, parts.random.bytes(HANDLE_BYTES));
  const purpose = { kind: 'add', userId: account.id, sessionId: session.id } as const;
  return {
    challenge: parts.passkeyChallenges.issue(purpose),
    rp: { id: parts.passkeySite.domain, name: ISSUER },
    user: { id: handle.toString('base64url'), name: account.email, displayName: account.email },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: PASSKEY_RULES.challengeMs,
    excludeCredentials: passkeys.map(descriptorOf),
    // The passkey must be discoverable, so that a login needs no email address. Its device must verify the user,
    // because the passkey replaces the other means of authentication.
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  };
}

/**
 * Adds a passkey that the device created for the challenge of `creationOptions`. Ends all other sessions, places a hold
 * of one day on withdrawals and notifies the owner. Refuses with `l.passkey_failed` an answer that is wrong or was used
 * before, with `l.passkey_expired` an answer to an expired challenge, with `l.passkey_known` a passkey that is stored
 * already, and with `l.passkeys_max` an eleventh passkey.
 */
export async function addPasskey(
  parts: IdentityParts,
  account: Account,
  { credential, name }: { readonly credential: string; readonly name: string },
  caller: SignedInCaller,
) {
  const purpose = { kind: 'add', userId: account.id, sessionId: caller.session.id } as const;
  const made = await verifiedRegistration(parts, credential, purpose);
  const at = parts.clock.now();
  const passkey: Passkey = {
    id: newId(parts.random, at),
    userId: account.id,
    credentialId: made.credentialId,
    publicKey: made.publicKey,
    counter: made.counter,
    transports: made.transports,
    kind: passkeyKind(made.isSyncable, made.transports),
    name,
    createdAt: at,
    lastUsedAt: NEVER,
    warnedAt: NEVER,
  };
  const detail = JSON.stringify({ passkey: passkey.id, name });
  const answer = presentPasskey(passkey);
  const change = {
    account,
    kind: 'passkeyAdded',
    caller,
    keptSession: caller.session,
    detail,
    words: { name },
  } as const;
  await changeFactor(parts, change, at, async (tx) => {
    requireRoom(await parts.passkeys.lockAndCount(tx, account.id));
    if (!(await parts.passkeys.consumeChallenge(tx, made.challenge))) throw registrationFailed();
    if (!(await parts.passkeys.insert(tx, passkey)))
      throw new Refused(refusal('duplicate', 'l.passkey_known'));
    await parts.accounts.change(tx, account.id, holdAfter(account, 'passkeyAdded', at));
    if (caller.submission !== undefined) await storeFirstAnswer(tx, caller.submission, { answer, at });
  });
  publishProtectionChange(parts.events, 'passkeyAdded', { userId: account.id, at, name });
  return answer;
}

/**
 * Renames a passkey; refuses with `l.not_found` a passkey that the account does not have, and an account that many
 * visitors share.
 */
export async function renamePasskey(
  parts: IdentityParts,
  account: Account,
  { id, name }: { readonly id: string; readonly name: string },
) {
  requireOwnAccount(account);
  const passkey = await parts.passkeys.rename(account.id, id, name);
  if (passkey === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return presentPasskey(passkey);
}

/** The removal of a passkey by its owner in a session, or by an operator. */
export interface PasskeyRemoval {
  readonly id: string;
  /** True if the passkey may be removed although the account then has only its password and mailbox. */
  readonly isLast: boolean;
  readonly caller: Pick<Caller, 'address' | 'userAgent' | 'submission'>;
  /**
   * The session that stays open; undefined if an operator removes the passkey, in which case all sessions are ended.
   */
  readonly keptSession: SignedInCaller['session'] | undefined;
  /** Name of the operator who removes the passkey, and the operator's reason; undefined if the owner removes it. */
  readonly reason?: string;
}

/**
 * Removes a passkey. Ends all sessions of the owner except `keptSession`, places a hold of one day on
 * withdrawals and notifies the owner. Refuses an unknown passkey with `l.not_found`. Unless `isLast` is true,
 * refuses with `l.passkey_last` the removal after which the account has only its password and mailbox.
 */
export async function removePasskey(
  parts: IdentityParts,
  account: Account,
  { id, isLast, caller, keptSession, reason }: PasskeyRemoval,
): Promise<Record<string, never>> {
  const passkey = (await parts.passkeys.ofUser(account.id)).find((candidate) => candidate.id === id);
  if (passkey === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  const { name } = passkey;
  const at = parts.clock.now();
  const hasAuthenticator = account.authenticator !== undefined;
  const detail = JSON.stringify({ passkey: id, name, reason });
  const change = { account, kind: 'passkeyRemoved', caller, keptSession, detail, words: { name } } as const;
  await changeFactor(parts, change, at, async (tx) => {
    const passkeys = await parts.passkeys.lockAndCount(tx, account.id);
    if (!isLast && leavesOnlyMail({ passkeys, hasAuthenticator }))
      throw new Refused(refusal('invalidField', 'l.passkey_last', { field: 'isLast' }));
    if (!(await parts.passkeys.remove(tx, account.id, id)))
      throw new Refused(refusal('generic', 'l.not_found'));
    await parts.accounts.change(tx, account.id, holdAfter(account, 'passkeyRemoved', at));
    if (caller.submission !== undefined) await storeFirstAnswer(tx, caller.submission, { answer: {}, at });
  });
  publishProtectionChange(parts.events, 'passkeyRemoved', { userId: account.id, at, name });
  return {};
}

/**
 * Verifies a device's answer to a passkey challenge of this purpose: challenge, origin, domain, user verification,
 * signature, user handle and counter, but not whose passkey it is. A repetition of the request `claim`, which used the
 * challenge, is accepted. Returns a failure, instead of throwing, that is the same for unknown, removed and wrong
 * passkeys; only for a passkey whose counter shows that it was copied it differs, and its owner is warned. Throws if
 * the challenge was not issued for this purpose or has expired.
 */
export async function examinePasskey(
  parts: IdentityParts,
  text: string,
  purpose: ChallengePurpose,
  claim?: Buffer,
): Promise<ProvenPasskey | FailedPasskey> {
  const assertion = parseAssertion(text);
  if (assertion === undefined) return { failure: passkeyFailed(), userId: undefined };
  const clientData = parseClientData(assertion.response.clientDataJSON);
  const challenge = parts.passkeyChallenges.require(clientData.challenge, purpose);
  const stored = await parts.passkeys.byCredential(Buffer.from(assertion.id, 'base64url'));
  if (stored === undefined) return { failure: passkeyFailed(), userId: undefined };
  const { passkey, handle } = stored;
  const received = await verifiedCounter(parts, assertion, passkey);
  if (received === undefined || !isHandle(assertion, handle))
    return { failure: passkeyFailed(), userId: undefined };
  const usedFor = await parts.passkeys.useOf(challenge.digest);
  if (usedFor !== undefined) {
    if (claim === undefined || usedFor.claim?.equals(claim) !== true)
      return { failure: passkeyFailed(), userId: undefined };
    return { passkey, use: () => Promise.resolve(), warn: () => Promise.resolve() };
  }
  const verdict = counterVerdict(passkey.counter, received);
  if (verdict === 'copied') {
    await warnOwner(parts, passkey);
    const failure = new Refused(refusal('secondFactor', 'l.passkey_counter', { field: 'passkey' }));
    return { failure, userId: passkey.userId };
  }
  return {
    passkey,
    use: async (tx) => {
      const isFresh = await parts.passkeys.consumeChallenge(tx, { ...challenge, claim });
      if (!isFresh || !(await parts.passkeys.noteUse(tx, passkey, received, parts.clock.now())))
        throw passkeyFailed();
    },
    warn: () => (verdict === 'suspicious' ? warnOwner(parts, passkey) : Promise.resolve()),
  };
}

/** Verifies a passkey of this user as `examinePasskey` does, but refuses a passkey that fails. */
export async function requirePasskey(
  parts: IdentityParts,
  { session }: SignedInCaller,
  text: string,
  { about, claim }: { readonly about: string; readonly claim: Buffer | undefined },
): Promise<ProvenPasskey> {
  const purpose = { kind: 'confirm', userId: session.userId, sessionId: session.id, about } as const;
  const examined = await examinePasskey(parts, text, purpose, claim);
  if ('failure' in examined) throw examined.failure;
  if (examined.passkey.userId !== session.userId) throw passkeyFailed();
  return examined;
}

/**
 * Writes to the security log that a passkey may have been copied, because its signature counter did not increase or is
 * no longer reported. Also warns its owner, unless the owner was warned about this passkey in the last 24 hours.
 */
async function warnOwner(parts: IdentityParts, passkey: Passkey): Promise<void> {
  const { database, clock, accounts, security } = parts;
  const { id, userId, name } = passkey;
  const at = clock.now();
  const account = await accounts.byId(userId);
  if (account === undefined) return;
  const isWarned = await database.transaction(async (tx) => {
    const caller = { address: '', userAgent: '' };
    const detail = JSON.stringify({ passkey: id, name });
    await security.write(tx, { userId, kind: 'passkeyCounter', caller, detail }, at);
    if (!isWarningDue(passkey.warnedAt, at) || !(await parts.passkeys.noteWarning(tx, passkey, at)))
      return false;
    await writeNotice(parts, tx, account, 'passkeyCounter', { name, time: timeText(at) });
    return true;
  });
  if (isWarned) publishProtectionChange(parts.events, 'passkeyCounter', { userId, at, name });
}

/** The passkey's signature counter in a device's answer; undefined if the answer is wrong. */
async function verifiedCounter(
  { passkeySite }: IdentityParts,
  assertion: Assertion,
  { credentialId, publicKey }: Passkey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion,
      // The library accepts every challenge here, because `examinePasskey` has already verified the server's signature
      // in it.
      expectedChallenge: () => true,
      expectedOrigin: acceptedOrigins(passkeySite, parseClientData(assertion.response.clientDataJSON)),
      expectedRPID: passkeySite.domain,
      requireUserVerification: true,
      // The library refuses every signature counter that decreased. It therefore receives a stored counter of 0, and
      // `counterVerdict` compares the counters instead.
      credential: {
        id: credentialId.toString('base64url'),
        publicKey: new Uint8Array(publicKey),
        counter: 0,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined; // The WebAuthn library throws for every wrong answer; the answer then counts as wrong.
  }
}

interface VerifiedRegistration {
  readonly challenge: KnownChallenge;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly isSyncable: boolean;
}

async function verifiedRegistration(
  { passkeySite, passkeyChallenges }: IdentityParts,
  text: string,
  purpose: ChallengePurpose,
): Promise<VerifiedRegistration> {
  const registration = parseRegistration(text);
  if (registration === undefined) throw registrationFailed();
  const clientData = parseClientData(registration.response.clientDataJSON);
  const challenge = passkeyChallenges.require(clientData.challenge, purpose);
  const { verifyRegistrationResponse } = await webAuthn();
  const { transports } = registration.response;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...registration, response: { ...registration.response, transports: [...transports] } },
    expectedChallenge: () => true,
    expectedOrigin: acceptedOrigins(passkeySite, clientData),
    expectedRPID: passkeySite.domain,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...ALGORITHMS],
  }).catch(() => {
    throw registrationFailed(); // The WebAuthn library throws for every wrong answer; the answer is then refused.
  });
  if (!verified) throw registrationFailed();
  const { credential, credentialDeviceType } = registrationInfo;
  return {
    challenge,
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports,
    isSyncable: credentialDeviceType === 'multiDevice',
  };
}

/** True if the user handle in a device's answer is that of the passkey's account, or if the device omitted it. */
function isHandle({ response }: Assertion, handle: Buffer): boolean {
  return response.userHandle === undefined || Buffer.from(response.userHandle, 'base64url').equals(handle);
}

function descriptorOf({ credentialId, transports }: Passkey) {
  return {
    id: credentialId.toString('base64url'),
    type: 'public-key' as const,
    transports: [...transports],
  };
}

function requireRoom(passkeys: number): void {
  if (passkeys >= PASSKEYS_MAX)
    throw new Refused(refusal('aboveMaximum', 'l.passkeys_max', { limit: String(PASSKEYS_MAX) }));
}
