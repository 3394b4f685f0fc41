import { createHash } from 'node:crypto';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import type { Random } from '../../platform/secrets/random.ts';
import { sameDigest, type ServerSecret } from '../../platform/secrets/server-secret.ts';
import { CODE_RULES, type Purpose } from './domain/mailed-code.ts';

const CHALLENGE_KEY = 'code-challenge';
const SALT_BYTES = 8;
const CHALLENGE = /^(\d{1,2})\.([0-9a-z]{1,10})\.([\w-]{11})\.([\w-]{43})$/;

/**
 * The request for which a proof-of-work challenge is issued; the solution of the challenge is valid only for that
 * request.
 */
export interface ChallengedRequest {
  readonly email: string;
  readonly purpose: Purpose;
  /** The caller's IP address; for IPv6 its /64 network. */
  readonly origin: string;
}

/**
 * The proof-of-work challenge and its solution, as the client sent them; a field that it did not send is
 * undefined.
 */
export interface SentSolution {
  readonly challenge?: string | undefined;
  readonly solution?: string | undefined;
}

/** A solution of a proof-of-work challenge that was verified. */
export interface Work {
  readonly bits: number;
  /** Identifies the challenge; each challenge can be used for only one mailed code. */
  readonly signature: Buffer;
}

/**
 * Creates the refusal `l.code_challenge`, which requests proof of work from the client and contains the challenge and
 * its difficulty in bits. Nothing is stored: the signed challenge contains its difficulty and expiry, and the signature
 * also covers the request.
 */
export function demandWork(
  secret: ServerSecret,
  random: Random,
  request: ChallengedRequest,
  bits: number,
  now: Instant,
): Refusal {
  const expiresAt = later(now, CODE_RULES.challengeMs).toString(36);
  const head = `${bits}.${expiresAt}.${random.bytes(SALT_BYTES).toString('base64url')}`;
  const challenge = `${head}.${signatureOf(secret, head, request).toString('base64url')}`;
  return refusal('rateLimited', 'l.code_challenge', { challenge, difficulty: String(bits) });
}

/**
 * Verifies the solution of a challenge with one hash and one signature. Returns the difficulty and the
 * signature of the solved challenge, or undefined if the client sent neither a challenge nor a solution.
 * Refuses a solution that is wrong, forged, expired or for another request with `l.challenge_invalid`; the
 * client then requests a new challenge.
 */
export function checkWork(
  secret: ServerSecret,
  { challenge, solution }: SentSolution,
  request: ChallengedRequest,
  now: Instant,
): Work | undefined {
  if (challenge === undefined && solution === undefined) return undefined;
  const [, bits, expiresAt, salt, signed] = CHALLENGE.exec(challenge ?? '') ?? [];
  if (signed === undefined || solution === undefined) throw challengeInvalid();
  const signature = signatureOf(secret, `${bits}.${expiresAt}.${salt}`, request);
  const difficulty = Number(bits);
  if (
    !sameDigest(Buffer.from(signed, 'base64url'), signature) ||
    Number.parseInt(expiresAt!, 36) <= now ||
    !isSolution(`${challenge}.${solution}`, difficulty)
  )
    throw challengeInvalid();
  return { bits: difficulty, signature };
}

export function challengeInvalid(): Refused {
  return new Refused(refusal('invalidField', 'l.challenge_invalid', { field: 'solution' }));
}

function signatureOf(
  secret: ServerSecret,
  head: string,
  { email, purpose, origin }: ChallengedRequest,
): Buffer {
  return secret.seal(CHALLENGE_KEY, head, email, purpose, origin);
}

/** True if the SHA-256 of the text starts with at least `bits` zero bits (`bits` is at most 32). */
function isSolution(text: string, bits: number): boolean {
  return Math.clz32(createHash('sha256').update(text).digest().readUInt32BE()) >= bits;
}
