import { WITHDRAWAL_GAP_SECONDS } from '@exchange/core/network.ts';
import type { Charge } from '@exchange/wire/endpoint.ts';
import type { Clock } from '../clock.ts';

/** How fast something may happen: `burst` at once, then `perSecond` for as long as one likes. */
interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const MOST_KEYS = 100_000;
const SWEPT_PER_TAKE = 2;

/**
 * Lets calls through at a rate, counted per key. It keeps one number per key, the moment at which the key
 * would be idle again (the generic cell rate algorithm), and forgets keys that are idle. When more keys
 * are busy than it may hold, the longest known are forgotten first: memory is bounded, whoever calls.
 */
export class RateLimiter {
  readonly #idleAt = new Map<string, number>();
  readonly #intervalMs: number;
  readonly #burst: number;
  readonly #mostKeys: number;

  constructor(rate: Rate, mostKeys: number = MOST_KEYS) {
    this.#intervalMs = 1_000 / rate.perSecond;
    this.#burst = rate.burst;
    this.#mostKeys = mostKeys;
  }

  /**
   * Takes `weight` for a key at a monotonic time. Gives 0 where it is let through, else the milliseconds
   * until it would be; nothing is taken then. A weight above the burst is taken as the burst.
   */
  take(key: string, weight: number, nowMs: number): number {
    // Whatever is no number would make the key's counter none either, and nothing would ever be refused again.
    if (!(weight >= 0)) throw new RangeError(`a weight of ${weight} cannot be charged`);
    const cost = Math.min(weight, this.#burst) * this.#intervalMs;
    const idleAt = Math.max(this.#idleAt.get(key) ?? 0, nowMs);
    const waitMs = idleAt + cost - nowMs - this.#burst * this.#intervalMs;
    // A billionth of slack: the sum of many intervals is not exact.
    if (waitMs > 1e-6) return waitMs;
    this.#remember(key, idleAt + cost, nowMs);
    return 0;
  }

  get size(): number {
    return this.#idleAt.size;
  }

  #remember(key: string, idleAt: number, nowMs: number): void {
    // Put last, so that the first key is the one that has been quiet for longest.
    this.#idleAt.delete(key);
    this.#idleAt.set(key, idleAt);
    let swept = 0;
    for (const [oldest, oldestIdleAt] of this.#idleAt) {
      const isFull = this.#idleAt.size > this.#mostKeys;
      if (!isFull && (oldestIdleAt > nowMs || swept >= SWEPT_PER_TAKE)) break;
      this.#idleAt.delete(oldest);
      swept += 1;
    }
  }
}

type Counted = 'address' | 'user';
export interface Limit extends Rate {
  readonly per: Counted;
}
/** Beside what calls are charged to: connections that are opened, and whatever is asked for that is no described call. */
export type LimitName = Charge['limit'] | 'connection' | 'file';
export type LimitTable = Readonly<Record<LimitName, Limit>>;

/** What one caller may do. Sign-in and mail are counted finely by the identity module; these only stop floods. */
export const LIMITS: LimitTable = {
  publicRead: { per: 'address', perSecond: 3_000 / 60, burst: 3_000 },
  signedInRead: { per: 'user', perSecond: 1_200 / 60, burst: 1_200 },
  order: { per: 'user', perSecond: 10, burst: 20 },
  transfer: { per: 'user', perSecond: 2, burst: 4 },
  /** Signing out, ending sessions and freezing the own account: not held up by anything else that was changed. */
  leaving: { per: 'user', perSecond: 1, burst: 60 },
  /** Favourite pairs, which are added all at once when a visitor signs in, and messages, which are read when opened. */
  lightChange: { per: 'user', perSecond: 4, burst: 240 },
  withdrawal: { per: 'user', perSecond: 1 / WITHDRAWAL_GAP_SECONDS, burst: 1 },
  signIn: { per: 'address', perSecond: 1, burst: 60 },
  mail: { per: 'address', perSecond: 1, burst: 60 },
  upload: { per: 'user', perSecond: 0.2, burst: 10 },
  connection: { per: 'address', perSecond: 50, burst: 300 },
  file: { per: 'address', perSecond: 50, burst: 3_000 },
};

/** A table that stops nobody, for measurements. */
export const NO_LIMITS: LimitTable = Object.fromEntries(
  Object.entries(LIMITS).map(([name, limit]) => [name, { ...limit, perSecond: 1e6, burst: 1e6 }]),
) as LimitTable;

/** What is charged. */
interface Work {
  readonly limit: LimitName;
  readonly weight: number;
}

/** Who is charged: the group of the caller's address, and the user where there is one. */
interface Charged {
  readonly addressGroup: string;
  readonly userId: string | undefined;
}

/** The counters of all calls, in this process's memory. */
export class Limits {
  readonly #clock: Clock;
  readonly #table: LimitTable;
  readonly #limiters: Readonly<Record<LimitName, RateLimiter>>;

  constructor(clock: Clock, table: LimitTable = LIMITS) {
    this.#clock = clock;
    this.#table = table;
    this.#limiters = Object.fromEntries(
      Object.entries(table).map(([name, limit]) => [name, new RateLimiter(limit)]),
    ) as Record<LimitName, RateLimiter>;
  }

  /** In how many seconds so much is free again. */
  secondsOf({ limit, weight }: Charge): number {
    return Math.ceil(weight / this.#table[limit].perSecond);
  }

  /** Charges a call. Gives 0 where it is admitted, else the seconds to wait, rounded up. */
  charge({ limit, weight }: Work, charged: Charged): number {
    const per = this.#table[limit].per;
    const key = per === 'user' ? (charged.userId ?? charged.addressGroup) : charged.addressGroup;
    return Math.ceil(this.#limiters[limit].take(key, weight, this.#clock.monotonicMs()) / 1_000);
  }
}
