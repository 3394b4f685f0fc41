import { createHash } from 'node:crypto';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, later, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/secrets/random.ts';
import { sameDigest, type ServerSecret } from '../../platform/secrets/server-secret.ts';
import { PASSKEY_RULES } from './domain/passkeys.ts';

const KEY = 'passkey-challenge';
const TIME_BYTES = 6;
const SALT_BYTES = 16;
const HEAD_BYTES = TIME_BYTES + SALT_BYTES;

/**
 * Purpose of a passkey challenge: a login, adding a passkey in a session, or confirming one request in a session.
 * `about` is the text that identifies the confirmed request, as for mailed codes.
 */
export type ChallengePurpose =
  | { readonly kind: 'signIn' }
  | { readonly kind: 'add'; readonly userId: string; readonly sessionId: string }
  | { readonly kind: 'confirm'; readonly userId: string; readonly sessionId: string; readonly about: string };

/** A passkey challenge that this exchange issued and that has not expired, with its digest and expiry. */
export interface KnownChallenge {
  /** Digest that identifies the passkey challenge in the table of used challenges. */
  readonly digest: Buffer;
  readonly expiresAt: Instant;
}

/**
 * Challenges of passkeys. Nothing is stored when a challenge is issued: it contains its expiry and a signature of the
 * server that also covers its purpose. It therefore stays valid after a restart, and nobody can fill a table by
 * requesting challenges.
 */
export class PasskeyChallenges {
  private readonly secret: ServerSecret;
  private readonly random: Random;
  private readonly clock: Clock;

  constructor({ secret, random, clock }: { secret: ServerSecret; random: Random; clock: Clock }) {
    this.secret = secret;
    this.random = random;
    this.clock = clock;
  }

  /** A new passkey challenge in base64url, valid for five minutes. */
  issue(purpose: ChallengePurpose): string {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUIntBE(later(this.clock.now(), PASSKEY_RULES.challengeMs), 0, TIME_BYTES);
    this.random.bytes(SALT_BYTES).copy(head, TIME_BYTES);
    return Buffer.concat([head, this.sealOf(head, purpose)]).toString('base64url');
  }

  /**
   * Verifies the passkey challenge in a device's answer, and returns its digest and expiry. Refuses with
   * `l.passkey_failed` a challenge that was not issued for this purpose, and with `l.passkey_expired` one
   * that is older than five minutes.
   */
  require(challenge: string | undefined, purpose: ChallengePurpose): KnownChallenge {
    const bytes = Buffer.from(challenge ?? '', 'base64url');
    const head = bytes.subarray(0, HEAD_BYTES);
    if (head.length < HEAD_BYTES || !sameDigest(bytes.subarray(HEAD_BYTES), this.sealOf(head, purpose)))
      throw passkeyRefused(purpose, 'l.passkey_failed');
    const expiresAt = instant(head.readUIntBE(0, TIME_BYTES));
    if (expiresAt <= this.clock.now()) throw passkeyRefused(purpose, 'l.passkey_expired');
    return { digest: createHash('sha256').update(bytes).digest(), expiresAt };
  }

  private sealOf(head: Buffer, purpose: ChallengePurpose): Buffer {
    return this.secret.seal(KEY, head.toString('hex'), ...partsOf(purpose));
  }
}

/**
 * The refusal of a login or a confirmation with a passkey; it is the same for every reason except an expired challenge
 * and a copied passkey.
 */
export function passkeyFailed(): Refused {
  return passkeyRefused({ kind: 'signIn' }, 'l.passkey_failed');
}

/** The refusal of a wrong or repeated answer of a device that would add a passkey; it does not contain the reason. */
export function registrationFailed(): Refused {
  return passkeyRefused({ kind: 'add' }, 'l.passkey_failed');
}

function passkeyRefused(
  { kind }: Pick<ChallengePurpose, 'kind'>,
  key: 'l.passkey_failed' | 'l.passkey_expired',
): Refused {
  return kind === 'add'
    ? new Refused(refusal('invalidField', key, { field: 'credential' }))
    : new Refused(refusal('secondFactor', key, { field: 'passkey' }));
}

function partsOf(purpose: ChallengePurpose): readonly string[] {
  if (purpose.kind === 'signIn') return ['signIn'];
  const owner = [purpose.kind, purpose.userId, purpose.sessionId];
  return purpose.kind === 'confirm' ? [...owner, purpose.about] : owner;
}
