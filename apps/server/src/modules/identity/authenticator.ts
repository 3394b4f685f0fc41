import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Tx } from '../../platform/database/database.ts';
import { openBytes, sealBytes } from '../../platform/files/sealed-store.ts';
import type { GiveBack } from '../../platform/http/demands.ts';
import type { SignedInCaller } from '../../platform/http/route.ts';
import { randomText } from '../../platform/secrets/random.ts';
import { checkTotp, newTotpSecret, totpUri } from '../../platform/secrets/totp.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Account, Authenticator } from './account-repository.ts';
import { tellProtection } from './events.ts';
import { changeFactor } from './factor-change.ts';
import { requireOwnAccount } from './house-users.ts';
import { writeNotice } from './freezing.ts';
import type { IdentityParts } from './parts.ts';
import { holdAfter } from './passwords.ts';

const KEY = 'authenticator';
const RECOVERY = 'recovery-code';
const ISSUER = 'Amethyst';
const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 10;
/** No 0, O, 1, I or L: it is written down and typed. 31^10 is 2^49. */
const RECOVERY_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const SIX_DIGITS = /^\d{6}$/;

/** A code that was right; it counts once it is used up inside the change that it allows. */
export interface ProvenAuthenticator {
  /** Uses it up, or refuses when a parallel call did. Gives the way to take that back. */
  use(tx: Tx): Promise<GiveBack | undefined>;
  /** It was a recovery code, which whoever uses it up tells its owner of. */
  readonly isRecovery?: boolean;
}

/** Who shows a code, and for what. */
export interface Showing {
  /** What guesses are counted by: a session's id, or the lane of a sign-in. */
  readonly by: string;
  /** Names the request it is used for: it is right for that again. */
  readonly claim?: Buffer | undefined;
  /** Whether a recovery code is as good. */
  readonly takesRecovery: boolean;
}

/** A new key for the owner's app; it is in force once a code of it was shown. */
export async function newKey(parts: IdentityParts, account: Account): Promise<{ key: string; uri: string }> {
  requireOwnAccount(account);
  const key = newTotpSecret(parts.random);
  const sealed = sealBytes(parts.secret.key(KEY), Buffer.from(key), account.id);
  if (!(await parts.authenticators.keepNewKey(account.id, sealed)))
    throw new Refused(refusal('duplicate', 'l.authenticator_bound'));
  return { key, uri: totpUri(key, ISSUER, account.email) };
}

/**
 * Puts the key in force that `newKey` gave, for somebody who shows a code of it. Gives recovery codes, once. All other
 * sessions end.
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
  const step = checkTotp(opened(parts, account.id, sealed), googleCode ?? '', at, undefined);
  if (step === undefined)
    throw new Refused(refusal('invalidField', 'l.authenticator_wrong', { field: 'googleCode' }));
  const { recovery, hashes } = newRecoveryCodes(parts, account.id);
  const change = { account, kind: 'authenticatorBound', caller, keptSession: caller.session } as const;
  await changeFactor(parts, change, at, async (tx) => {
    if (!(await parts.authenticators.bind(tx, account.id, { key: sealed, step, hashes, at })))
      throw new Refused(refusal('duplicate', 'l.authenticator_bound'));
  });
  tellProtection(parts.events, 'authenticatorBound', { userId: account.id, at });
  return { recovery };
}

/**
 * Takes the authenticator away from somebody who has shown a code of it, or a recovery code: holds withdrawals and
 * ends all other sessions.
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
  tellProtection(parts.events, 'authenticatorRemoved', { userId: account.id, at });
  return {};
}

/** New recovery codes for somebody who has shown a code of the authenticator; those before are gone. Shown once. */
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
  tellProtection(parts.events, 'recoveryCodesRenewed', { userId: account.id, at });
  return { recovery };
}

/**
 * Looks at the code of an account's authenticator, which is to be `account.authenticator` as just read. Refuses one
 * that is missing, wrong or used; whoever guesses waits longer and longer.
 */
export async function proveAuthenticator(
  parts: IdentityParts,
  account: Account & { readonly authenticator: Authenticator },
  given: string | undefined,
  showing: Showing,
): Promise<ProvenAuthenticator> {
  if (given === undefined || given === '')
    throw new Refused(refusal('secondFactor', 'l.authenticator_required', { field: 'googleCode' }));
  await parts.guard.admitAuthenticator(account.id, showing.by);
  const proven = SIX_DIGITS.test(given)
    ? stepOf(parts, account, given, showing)
    : await recoveryOf(parts, account, given, showing);
  if (proven !== undefined) return proven;
  throw new Refused(refusal('secondFactor', 'l.authenticator_wrong', { field: 'googleCode' }));
}

/** Tells whoever follows that a recovery code was used, where it was one, once that is committed. */
export function tellRecovery(
  { events, clock }: IdentityParts,
  userId: UserId,
  proven: ProvenAuthenticator | undefined,
): void {
  if (proven?.isRecovery === true) tellProtection(events, 'recoveryCodeUsed', { userId, at: clock.now() });
}

function stepOf(
  parts: IdentityParts,
  { id, authenticator }: Account & { readonly authenticator: Authenticator },
  code: string,
  { by, claim }: Showing,
): ProvenAuthenticator | undefined {
  const key = opened(parts, id, authenticator.key);
  const now = parts.clock.now();
  const { step: last, claimedFor } = authenticator;
  if (claim !== undefined && claimedFor !== null && claim.equals(claimedFor)) {
    // The same request, sent again because its answer was lost.
    if (checkTotp(key, code, now, last - 1) === last) return { use: () => Promise.resolve(undefined) };
  }
  const step = checkTotp(key, code, now, last);
  if (step === undefined) return undefined;
  return {
    use: async (tx) => {
      if (!(await parts.authenticators.takeStep(tx, id, { step, claim })))
        throw new Refused(refusal('secondFactor', 'l.authenticator_wrong', { field: 'googleCode' }));
      await parts.guard.succeedAuthenticator(tx, id, by);
      return () => parts.authenticators.giveStepBack(id, step, last);
    },
  };
}

async function recoveryOf(
  parts: IdentityParts,
  account: Account,
  code: string,
  { by, takesRecovery }: Showing,
): Promise<ProvenAuthenticator | undefined> {
  if (!takesRecovery) return undefined;
  const hash = recoveryHash(parts, account.id, code);
  if (!(await parts.authenticators.hasRecoveryCode(account.id, hash))) return undefined;
  const at = parts.clock.now();
  return {
    isRecovery: true,
    use: async (tx) => {
      if (!(await parts.authenticators.takeRecoveryCode(tx, account.id, hash, at)))
        throw new Refused(refusal('secondFactor', 'l.authenticator_wrong', { field: 'googleCode' }));
      await parts.guard.succeedAuthenticator(tx, account.id, by);
      await writeNotice(parts, tx, account, 'recoveryCodeUsed', { time: timeText(at) });
      return () => parts.authenticators.giveRecoveryCodeBack(account.id, hash);
    },
  };
}

function opened(parts: IdentityParts, id: UserId, sealed: Buffer): string {
  return openBytes(parts.secret.key(KEY), sealed, id).toString();
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
