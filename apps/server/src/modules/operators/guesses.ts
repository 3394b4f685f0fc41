import { refusal, Refused } from '@exchange/core/refusal.ts';
import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';

const WINDOW_MS = 15 * MINUTE_MS;
const MAX = 5;
const NAMES_MAX = 10_000;

/**
 * Wrong sign-ins by name and address. Five in a quarter of an hour, and that name waits at that address until the
 * quarter is over: whoever guesses from elsewhere, or stops guessing, locks nobody out for good.
 */
export class Guesses {
  private readonly clock: Clock;
  private readonly failures = new Map<string, { count: number; since: Instant }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Refuses where there were too many. */
  require(name: string, address: string): void {
    const known = this.failures.get(keyOf(name, address));
    if (known === undefined || known.count < MAX) return;
    if (this.clock.now() - known.since >= WINDOW_MS) this.forget(name, address);
    else throw new Refused(refusal('rateLimited', 'l.operator_wait', { limit: String(MAX), minutes: '15' }));
  }

  count(name: string, address: string): void {
    const now = this.clock.now();
    const key = keyOf(name, address);
    const known = this.failures.get(key);
    const goesOn = known !== undefined && now - known.since < WINDOW_MS;
    if (this.failures.size >= NAMES_MAX) this.failures.clear();
    this.failures.set(key, goesOn ? { ...known, count: known.count + 1 } : { count: 1, since: now });
  }

  forget(name: string, address: string): void {
    this.failures.delete(keyOf(name, address));
  }
}

function keyOf(name: string, address: string): string {
  return `${address} ${name.slice(0, 40)}`;
}
