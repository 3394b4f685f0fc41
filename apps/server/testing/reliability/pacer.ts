import { setTimeout as sleep } from 'node:timers/promises';
import type { Charge } from '@exchange/wire/endpoint.ts';
import { LIMITS, RateLimiter } from '../../src/platform/limits/limits.ts';

type Limit = Charge['limit'];

/** Keeps one user's calls within what the server admits, so that nobody is turned away all the time. */
export class Pacer {
  private readonly limiters = new Map<Limit, RateLimiter>();

  /** Resolves once another call is admitted. */
  async turn(limit: Limit): Promise<void> {
    for (;;) {
      const waitMs = this.limiterOf(limit).take('', 1, performance.now());
      if (waitMs === 0) return;
      await sleep(waitMs);
    }
  }

  /** The server was started anew, which knows nothing of earlier calls. */
  forget(): void {
    this.limiters.clear();
  }

  private limiterOf(limit: Limit): RateLimiter {
    const known = this.limiters.get(limit);
    if (known !== undefined) return known;
    const limiter = new RateLimiter(LIMITS[limit]);
    this.limiters.set(limit, limiter);
    return limiter;
  }
}
