import { setTimeout as sleep } from 'node:timers/promises';
import type { Charge } from '@exchange/wire/endpoint.ts';
import { LIMITS, RateLimiter } from '../../src/platform/limits/limits.ts';

type Limit = Charge['limit'];

/** Delays a user's calls so that they stay within the server's rate limits. */
export class Pacer {
  private readonly limiters = new Map<Limit, RateLimiter>();

  /** Resolves when the user may send another request that counts towards `limit`, and counts this request. */
  async waitForTurn(limit: Limit): Promise<void> {
    for (;;) {
      const waitMs = this.limiterOf(limit).charge('', 1, performance.now());
      if (waitMs === 0) return;
      await sleep(waitMs);
    }
  }

  /** Resets the counters after a restart of the server, whose new process has not counted the earlier requests. */
  reset(): void {
    this.limiters.clear();
  }

  private limiterOf(limit: Limit): RateLimiter {
    const existing = this.limiters.get(limit);
    if (existing !== undefined) return existing;
    const limiter = new RateLimiter(LIMITS[limit]);
    this.limiters.set(limit, limiter);
    return limiter;
  }
}
