import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Refund } from '../../platform/http/demands.ts';
import type { SignedInCaller } from '../../platform/http/route.ts';
import { randomText } from '../../platform/secrets/random.ts';
import { checkTotp, newTotpSecret, totpUri } from '../../platform/secrets/totp.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Account, Authenticator } from './account-repository.ts';
import { publishProtectionChange } from './events.ts';
import { changeFactor } from './factor-change.ts';
import { requireOwnAccount } from './system-users.ts';
import { writeNotice } from './freezing.ts';
import type { IdentityParts } from './parts.ts';
import { holdAfter } from './passwords.ts';

const KEY = 'authenticator';
const RECOVERY = 'recovery-code';
/** Name of the exchange, as authenticator apps and passkeys show it. */
export const ISSUER = 'Amethyst';
const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 10;
/**
 * Characters of recovery codes, without 0, O, 1, I and L, which look alike, because users write the codes down. There
 * are 31^10 codes, about 2^49.
 */
const RECOVERY_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const SIX_DIGITS = /^\d{6}$/;

/**
 * An authenticator code that was verified. It has to be marked as used in the transaction of the change that it
 * authorizes.
 */
export interface ProvenAuthenticator {
  /**
   * Marks the code as used and resets the count of wrong codes; for a recovery code, also mails the owner. Refuses if a
   * concurrent call used the code. Returns a function that makes the code usable again. If an earlier attempt of the
   * same request had used the code, does nothing and returns undefined.
   */
  use(tx: Tx): Promise<Refund | undefined>;
  /**
   * True if the code is a recovery code; the caller then calls `publishRecoveryCodeUse` after the commit. Undefined for
   * codes of the authenticator.
   */
  readonly isRecovery?: boolean;
}

/**
 * The circumstances in which a user enters an authenticator code: where wrong codes are counted, which
 * request the code confirms, and whether a recovery code is accepted instead.
 */
export interface AuthenticatorAttempt {
  /**
   * Key under which wrong authenticator codes are counted: the id of the session, or at a login the category of the
   * caller.
   */
  readonly countedBy: string;
  /**
   * Identifies the request that the authenticator code confirms; for the same request, the same code is accepted again,
   * but never a recovery code.
   */
  readonly claim?: Buffer | undefined;
  /** True if a recovery code is accepted in place of an authenticator code. */
  readonly takesRecovery: boolean;
}

/**
 * Creates an authenticator key for the account, in place of an earlier unconfirmed one. The key becomes active when the
 * user enters one of its codes. Refuses an account with an active authenticator, and one that many visitors share.
 */
export async function newKey(parts: IdentityParts, account: Account): Promise<{ key: string; uri: string }> {
  requireOwnAccount(account);
  const key = newTotpSecret(parts.random);
  const sealed = parts.secret.encrypt(KEY, Buffer.from(key), account.id);
  if (!(await parts.authenticators.storeNewKey(account.id, sealed)))
    throw new Refused(refusal('duplicate', 'l.authenticator_bound'));
  return { key, uri: totpUri(key, ISSUER, account.email) };
}

/**
 * Activates the key from `newKey` after verifying one of its codes, and ends all other sessions of the account. Returns
 * the recovery codes, which are shown only once. Refuses a wrong code, and an account without a new key or with an
 * active authenticator, and one that many visitors share.
 */
export async function bindAuthenticator(
  parts: IdentityParts,
  account: Account,
  googleCode: string | undefined,
  caller: SignedInCaller,
): Promise<{ recovery: string[] }> {
  requireOwnAccount(account);
  if (account.authenticator !== undefined) throw new Refused(refusal('duplicate', 'l.authenticator_bound'));
  const sealed = await parts.authenticators.newKey(account.id);
  if (sealed === undefined) throw new Refused(refusal('generic', 'l.authenticator_key'));
  const at = parts.clock.now();
  const step = checkTotp(openKey(parts, account.id, sealed), googleCode ?? '', at, undefined);
  if (step === undefined)
    throw new Refused(refusal('invalidField', 'l.authenticator_wrong', { field: 'googleCode' }));
  const { recovery, hashes } = newRecoveryCodes(parts, account.id);
  const change = { account, kind: 'authenticatorBound', caller, keptSession: caller.session } as const;
  await changeFactor(parts, change, at, async (tx) => {
    if (!(await parts.authenticators.bind(tx, account.id, { key: sealed, step, hashes, at })))
      throw new Refused(refusal('duplicate', 'l.authenticator_bound'));
  });
  publishProtectionChange(parts.events, 'authenticatorBound', { userId: account.id, at });
  return { recovery };
}

/**
 * Removes the authenticator; the caller has confirmed the request with a code of the authenticator, a recovery code or
 * a passkey. Places a hold of one day on withdrawals, and ends all other sessions of the account. Refuses an account
 * without an authenticator.
 */
export async function unbindAuthenticator(
  parts: IdentityParts,
  account: Account,
  caller: SignedInCaller,
): Promise<Record<string, never>> {
  if (account.authenticator === undefined) throw new Refused(refusal('generic', 'l.authenticator_none'));
  const at = parts.clock.now();
  const change = { account, kind: 'authenticatorRemoved', caller, keptSession: caller.session } as const;
  await changeFactor(parts, change, at, async (tx) => {
    await parts.authenticators.unbind(tx, account.id);
    await parts.accounts.change(tx, account.id, holdAfter(account, 'authenticatorRemoved', at));
  });
  publishProtectionChange(parts.events, 'authenticatorRemoved', { userId: account.id, at });
  return {};
}

/**
 * Replaces the recovery codes, and ends all other sessions of the account; the caller has confirmed the request with a
 * code of the authenticator or a passkey. Returns the new codes, which are shown only once. Refuses an account without
 * an authenticator.
 */
export async function renewRecovery(
  parts: IdentityParts,
  account: Account,
  caller: SignedInCaller,
): Promise<{ recovery: string[] }> {
  if (account.authenticator === undefined) throw new Refused(refusal('generic', 'l.authenticator_none'));
  const at = parts.clock.now();
  const { recovery, hashes } = newRecoveryCodes(parts, account.id);
  const change = { account, kind: 'recoveryCodesRenewed', caller, keptSession: caller.session } as const;
  await changeFactor(parts, change, at, (tx) =>
    parts.authenticators.renewRecoveryCodes(tx, account.id, hashes),
  );
  publishProtectionChange(parts.events, 'recoveryCodesRenewed', { userId: account.id, at });
  return { recovery };
}

/**
 * Verifies a code of the authenticator, or a recovery code if `takesRecovery` is true; the result's `use` marks it as
 * used. `account.authenticator` must have been read just before. Refuses missing, wrong and used codes, except one that
 * an earlier attempt of the same request used; the more wrong codes were entered, the longer the next attempt has to
 * wait.
 */
export async function proveAuthenticator(
  parts: IdentityParts,
  account: Account & { readonly authenticator: Authenticator },
  code: string | undefined,
  showing: AuthenticatorAttempt,
): Promise<ProvenAuthenticator> {
  if (code === undefined || code === '')
    throw new Refused(refusal('secondFactor', 'l.authenticator_required', { field: 'googleCode' }));
  await parts.guard.admitAuthenticator(account.id, showing.countedBy);
  const proven = SIX_DIGITS.test(code)
    ? proveTotp(parts, account, code, showing)
    : await proveRecoveryCode(parts, account, code, showing);
  if (proven !== undefined) return proven;
  throw new Refused(refusal('secondFactor', 'l.authenticator_wrong', { field: 'googleCode' }));
}

/**
 * Publishes an event if the verified code is a recovery code; otherwise does nothing. The caller calls it after the
 * transaction has committed.
 */
export function publishRecoveryCodeUse(
  { events, clock }: IdentityParts,
  userId: UserId,
  proven: ProvenAuthenticator | undefined,
): void {
  if (proven?.isRecovery === true)
    publishProtectionChange(events, 'recoveryCodeUsed', { userId, at: clock.now() });
}

function proveTotp(
  parts: IdentityParts,
  { id, authenticator }: Account & { readonly authenticator: Authenticator },
  code: string,
  { countedBy, claim }: AuthenticatorAttempt,
): ProvenAuthenticator | undefined {
  const key = openKey(parts, id, authenticator.key);
  const now = parts.clock.now();
  const { step: lastStep, claimedFor } = authenticator;
  if (claim !== undefined && claimedFor !== null && claim.equals(claimedFor)) {
    // An earlier attempt of the same request, whose answer was lost, has used this code already. The code is
    // accepted again without being marked as used.
    if (checkTotp(key, code, now, lastStep - 1) === lastStep)
      return { use: () => Promise.resolve(undefined) };
  }
  const step = checkTotp(key, code, now, lastStep);
  if (step === undefined) return undefined;
  return {
    use: async (tx) => {
      if (!(await parts.authenticators.consumeStep(tx, id, { step, claim })))
        throw new Refused(refusal('secondFactor', 'l.authenticator_wrong', { field: 'googleCode' }));
      await parts.guard.succeedAuthenticator(tx, id, countedBy);
      return () => parts.authenticators.restoreStep(id, step, lastStep);
    },
  };
}

async function proveRecoveryCode(
  parts: IdentityParts,
  account: Account,
  code: string,
  { countedBy, takesRecovery }: AuthenticatorAttempt,
): Promise<ProvenAuthenticator | undefined> {
  if (!takesRecovery) return undefined;
  const hash = recoveryHash(parts, account.id, code);
  if (!(await parts.authenticators.hasRecoveryCode(account.id, hash))) return undefined;
  const at = parts.clock.now();
  return {
    isRecovery: true,
    use: async (tx) => {
      if (!(await parts.authenticators.consumeRecoveryCode(tx, account.id, hash, at)))
        throw new Refused(refusal('secondFactor', 'l.authenticator_wrong', { field: 'googleCode' }));
      await parts.guard.succeedAuthenticator(tx, account.id, countedBy);
      await writeNotice(parts, tx, account, 'recoveryCodeUsed', { time: timeText(at) });
      return () => parts.authenticators.restoreRecoveryCode(account.id, hash);
    },
  };
}

function openKey(parts: IdentityParts, id: UserId, sealed: Buffer): string {
  return parts.secret.decrypt(KEY, sealed, id).toString();
}

function newRecoveryCodes(parts: IdentityParts, id: UserId): { recovery: string[]; hashes: Buffer[] } {
  const recovery = Array.from({ length: RECOVERY_CODES }, () =>
    randomText(parts.random, RECOVERY_ALPHABET, RECOVERY_LENGTH).replace(/^(.{5})/, '$1-'),
  );
  return { recovery, hashes: recovery.map((code) => recoveryHash(parts, id, code)) };
}

function recoveryHash(parts: IdentityParts, id: UserId, code: string): Buffer {
  return parts.secret.seal(RECOVERY, id, code.replace('-', '').toUpperCase());
}
