import { hash, verify } from '@node-rs/argon2';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { ServerSecret } from './server-secret.ts';

export interface HashCost {
  /** In KiB. */
  readonly memoryCost: number;
  /** Passes over it. */
  readonly timeCost: number;
  readonly parallelism: number;
}

export interface SlowHashOptions {
  /** How many run at once: each takes a core and 19 MiB. */
  readonly parallel?: number;
  /** How many may wait; the next is refused with `l.busy`. */
  readonly queue?: number;
  /** Another than the usual one; for tests. */
  readonly cost?: HashCost | undefined;
}

// argon2id, 19 MiB, two passes, one lane: OWASP's recommendation. The algorithm is the package's default.
const COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes that are slow on purpose, over what a key outside the database has sealed; never many at a time. */
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

  /** The text to store for a new password. */
  make(purpose: string, password: string): Promise<string> {
    return this.inTurn(() => hash(this.sealed(purpose, password), this.cost));
  }

  /**
   * Whether a password is the one stored. Without a stored one it works as long and says no, so that
   * the time taken does not tell whether there is an account.
   */
  async matches(purpose: string, stored: string | null | undefined, password: string): Promise<boolean> {
    const compared = stored ?? (await this.dummy(purpose));
    const same = await this.inTurn(() => verify(compared, this.sealed(purpose, password)));
    return same && stored !== null && stored !== undefined;
  }

  /** Makes the stand-in for unknown users ahead of the first one, which would otherwise take twice as long. */
  async warmUp(purpose: string): Promise<void> {
    await this.dummy(purpose);
  }

  /** As text: the package takes bytes only where they are UTF-8. */
  private sealed(purpose: string, password: string): string {
    return this.secret.seal(purpose, password).toString('base64');
  }

  private dummy(purpose: string): Promise<string> {
    const known = this.dummies.get(purpose);
    if (known !== undefined) return known;
    const made = this.make(purpose, 'nobody has this password');
    // A refusal because the queue is full must not be remembered.
    made.catch(() => this.dummies.delete(purpose));
    this.dummies.set(purpose, made);
    return made;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.parallel) {
      if (this.waiting.length >= this.queue) throw new Refused(refusal('rateLimited', 'l.busy'));
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      // A place is handed over, not given back, so that nobody slips in between.
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
