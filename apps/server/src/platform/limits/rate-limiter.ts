/** How fast something may happen: `burst` at once, then `perSecond` for as long as one likes. */
export interface Rate {
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
