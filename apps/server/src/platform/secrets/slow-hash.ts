import { hash, verify } from '@node-rs/argon2';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { ServerSecret } from './server-secret.ts';

export interface HashCost {
  /** Memory in KiB that a password hash needs. */
  readonly memoryCost: number;
  /** Number of passes of a password hash over its memory. */
  readonly timeCost: number;
  readonly parallelism: number;
}

export interface SlowHashOptions {
  /**
   * Maximum number of concurrent password hashes; default 2. With the default cost, each uses a processor core and 19
   * MiB of memory.
   */
  readonly parallel?: number;
  /** Maximum number of waiting password hashes; default 50. Further requests for a hash are refused with `l.busy`. */
  readonly queue?: number;
  /** Cost of hashing passwords. Only tests replace the default. */
  readonly cost?: HashCost | undefined;
}

// Cost of password hashes: argon2id with 19 MiB, two passes and one lane, as recommended by OWASP. The algorithm is the
// package's default.
const COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Prefix of an encrypted password hash. The prefix is followed by the key's id in hex, `$`, and the ciphertext in
 * Base64.
 */
const ENCRYPTED = 'ring$';
/**
 * Purpose of the key that encrypts password hashes. All kinds of hashes share this key, because passwords of different
 * kinds are sealed with different keys before they are hashed.
 */
const HASHES = 'stored hashes';

/** Returns the beginning of every password hash that is encrypted with this secret. */
export function hashHead(secret: ServerSecret): string {
  return `${ENCRYPTED}${secret.keyId.toString('hex')}$`;
}

/**
 * Encrypts an argon2 hash for storage, with a key derived from the server secret. A rotation of the secret encrypts
 * the stored hashes again with the new one, so an attacker who knows only an earlier secret cannot decrypt them.
 */
export function encryptHash(secret: ServerSecret, argonHash: string): string {
  const sealed = secret.encrypt(HASHES, Buffer.from(argonHash), HASHES);
  return `${hashHead(secret)}${sealed.toString('base64')}`;
}

/** Returns the argon2 hash in a stored text. Older texts are not encrypted and are returned unchanged. */
export function decryptHash(secret: ServerSecret, stored: string): string {
  if (!stored.startsWith(ENCRYPTED)) return stored;
  const sealed = Buffer.from(stored.slice(stored.lastIndexOf('$') + 1), 'base64');
  return secret.decrypt(HASHES, sealed, HASHES).toString();
}

/**
 * Hashes passwords with argon2id, after sealing them with a key that is not in the database. Limits the number of
 * concurrent hashes.
 */
export class SlowHash {
  private readonly secret: ServerSecret;
  private readonly parallel: number;
  private readonly queue: number;
  private readonly cost: HashCost;
  private readonly dummies = new Map<string, Promise<string>>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(secret: ServerSecret, { parallel = 2, queue = 50, cost = COST }: SlowHashOptions = {}) {
    this.secret = secret;
    this.parallel = parallel;
    this.queue = queue;
    this.cost = cost;
  }

  /** Hashes a new password and returns the text to store for it. */
  make(purpose: string, password: string): Promise<string> {
    return this.limited(async () =>
      encryptHash(this.secret, await hash(this.sealed(purpose, password), this.cost)),
    );
  }

  /**
   * Returns whether a password matches the stored hash. Without a stored hash the result is false; after `warmUp`, that
   * takes as long as a real check, so that the duration does not reveal whether an account exists.
   */
  async matches(purpose: string, stored: string | null | undefined, password: string): Promise<boolean> {
    const compared = stored ?? (await this.dummy(purpose));
    const same = await this.limited(() =>
      verify(decryptHash(this.secret, compared), this.sealed(purpose, password)),
    );
    return same && stored !== null && stored !== undefined;
  }

  /**
   * Computes the dummy hash of a purpose (see `matches`) in advance. Otherwise the first check of an unknown
   * user would take twice as long.
   */
  async warmUp(purpose: string): Promise<void> {
    await this.dummy(purpose);
  }

  /**
   * Returns the keyed digest (HMAC) of a password as base64, because the hashing package requires valid
   * UTF-8.
   */
  private sealed(purpose: string, password: string): string {
    return this.secret.seal(purpose, password).toString('base64');
  }

  private dummy(purpose: string): Promise<string> {
    const existing = this.dummies.get(purpose);
    if (existing !== undefined) return existing;
    const created = this.make(purpose, 'nobody has this password');
    // If the dummy hash was refused because too many hashes wait, it is not cached, and the next call computes it.
    created.catch(() => this.dummies.delete(purpose));
    this.dummies.set(purpose, created);
    return created;
  }

  private async limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.parallel) {
      if (this.waiting.length >= this.queue) throw new Refused(refusal('rateLimited', 'l.busy'));
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      // The slot is passed on to the caller that waits longest. If it was freed first, a later caller could get it.
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
