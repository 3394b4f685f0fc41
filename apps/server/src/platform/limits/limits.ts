import { WITHDRAWAL_GAP_SECONDS } from '@exchange/core/network.ts';
import type { Charge } from '@exchange/wire/endpoint.ts';
import {
  ORDERS_PER_DAY,
  ORDERS_PER_TEN_SECONDS,
  WEIGHT_PER_MINUTE,
} from '@exchange/wire/public-api/calls.ts';
import type { Clock } from '../clock.ts';

/**
 * A rate limit: a key may use `burst` units at once; used units become available again at `perSecond` units per second.
 */
interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const MOST_KEYS = 100_000;
const SWEPT_PER_TAKE = 2;

/**
 * Limits the rate of requests per key, such as a user. It uses the generic cell rate algorithm, which stores a single
 * number per key: the time at which the key's whole burst is available again (the key is idle then). Idle keys are
 * removed. If there are too many other keys, the least recently used ones are removed.
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
   * Charges `weight` to a key's rate limit at the monotonic time `nowMs`. Returns 0 if the request is admitted;
   * otherwise charges nothing and returns the milliseconds after which it would be admitted. A weight above the burst
   * counts as the burst. Throws if the weight is negative or NaN.
   */
  charge(key: string, weight: number, nowMs: number): number {
    // A weight of NaN is refused: it would make the stored number of the key NaN, and then no request of the key would
    // be refused any more.
    if (!(weight >= 0)) throw new RangeError(`a weight of ${weight} cannot be charged`);
    const cost = Math.min(weight, this.#burst) * this.#intervalMs;
    const idleAt = Math.max(this.#idleAt.get(key) ?? 0, nowMs);
    const waitMs = idleAt + cost - nowMs - this.#burst * this.#intervalMs;
    // A wait of at most a millionth of a millisecond counts as none, because sums of intervals have rounding errors.
    if (waitMs > 1e-6) return waitMs;
    this.#remember(key, idleAt + cost, nowMs);
    return 0;
  }

  /** Returns the weight of a key's requests that is not available again at the time `nowMs`, rounded up. */
  used(key: string, nowMs: number): number {
    return Math.ceil(Math.max(0, (this.#idleAt.get(key) ?? 0) - nowMs) / this.#intervalMs);
  }

  get size(): number {
    return this.#idleAt.size;
  }

  #remember(key: string, idleAt: number, nowMs: number): void {
    // The key is inserted again at the end, so that the map's first key is the least recently used one.
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
/**
 * Names of rate limits: those of endpoints, and others. `connection` is for new connections; `file` for files, pages,
 * uploads and other requests that are no ordinary API calls; `apiWeight` for the request weight at the public trading
 * API; `apiOrder` and `apiOrderDay` for an account's new orders at the trading API; `apiRefusal` for requests to the
 * trading API that were refused because of `apiWeight`.
 */
export type LimitName =
  | Charge['limit']
  | ('connection' | 'file')
  | ('apiWeight' | 'apiOrder' | 'apiOrderDay' | 'apiRefusal');
export type LimitTable = Readonly<Record<LimitName, Limit>>;

/** The rate limits. `signIn` and `mail` only prevent floods of requests. The identity module has stricter limits. */
export const LIMITS: LimitTable = {
  publicRead: { per: 'address', perSecond: 3_000 / 60, burst: 3_000 },
  signedInRead: { per: 'user', perSecond: 1_200 / 60, burst: 1_200 },
  order: { per: 'user', perSecond: 10, burst: 20 },
  transfer: { per: 'user', perSecond: 2, burst: 4 },
  /**
   * Limit of changes that protect an account, such as signing out, freezing it or removing an API key. It is separate,
   * so that other changes cannot delay them.
   */
  leaving: { per: 'user', perSecond: 1, burst: 60 },
  /**
   * Limit of changes that apps make in large numbers: favorite pairs are added one by one when a visitor signs in, and
   * messages are marked as read when they are opened.
   */
  lightChange: { per: 'user', perSecond: 4, burst: 240 },
  withdrawal: { per: 'user', perSecond: 1 / WITHDRAWAL_GAP_SECONDS, burst: 1 },
  signIn: { per: 'address', perSecond: 1, burst: 60 },
  mail: { per: 'address', perSecond: 1, burst: 60 },
  upload: { per: 'user', perSecond: 0.2, burst: 10 },
  connection: { per: 'address', perSecond: 50, burst: 300 },
  file: { per: 'address', perSecond: 50, burst: 3_000 },
  apiWeight: { per: 'address', perSecond: WEIGHT_PER_MINUTE / 60, burst: WEIGHT_PER_MINUTE },
  apiOrder: { per: 'user', perSecond: ORDERS_PER_TEN_SECONDS / 10, burst: ORDERS_PER_TEN_SECONDS },
  apiOrderDay: { per: 'user', perSecond: ORDERS_PER_DAY / 86_400, burst: ORDERS_PER_DAY },
  apiRefusal: { per: 'address', perSecond: 1, burst: 60 },
};

/** Rate limits for benchmarks and tests that are so high that they practically never refuse a request. */
export const NO_LIMITS: LimitTable = Object.fromEntries(
  Object.entries(LIMITS).map(([name, limit]) => [name, { ...limit, perSecond: 1e6, burst: 1e6 }]),
) as LimitTable;

/** The rate limit to which a request is charged, and the weight of the request. */
interface Price {
  readonly limit: LimitName;
  readonly weight: number;
}

/** The caller whose request is charged: the address group and, if known, the user. */
interface ChargedCaller {
  readonly addressGroup: string;
  readonly userId: string | undefined;
}

/** The counters of all rate limits, which are in the memory of this process. */
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

  /** Returns the number of seconds, rounded up, after which the weight of a charge is available again. */
  secondsOf({ limit, weight }: Charge): number {
    return Math.ceil(weight / this.#table[limit].perSecond);
  }

  /**
   * Charges a request to its rate limit: to the user if the limit is per user and the user is known, otherwise to the
   * address group. Returns 0 if the request is admitted. Otherwise charges nothing and returns the seconds to wait,
   * rounded up.
   */
  charge({ limit, weight }: Price, caller: ChargedCaller): number {
    const per = this.#table[limit].per;
    const key = per === 'user' ? (caller.userId ?? caller.addressGroup) : caller.addressGroup;
    return Math.ceil(this.#limiters[limit].charge(key, weight, this.#clock.monotonicMs()) / 1_000);
  }

  /**
   * Returns the weight of a rate limit that a caller has used and that is not available again yet. `caller`
   * is an address group or a user id, depending on the limit.
   */
  used(limit: LimitName, caller: string): number {
    return this.#limiters[limit].used(caller, this.#clock.monotonicMs());
  }
}
