import { instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../src/platform/clock.ts';

/** A clock that only moves when a test moves it. */
export class FakeClock implements Clock {
  private at: number;
  private elapsedMs = 0;

  constructor(at = Date.UTC(2026, 0, 5, 12)) {
    this.at = at;
  }

  now(): Instant {
    return instant(this.at);
  }

  monotonicMs(): number {
    return this.elapsedMs;
  }

  advance(milliseconds: number): void {
    this.at += milliseconds;
    this.elapsedMs += milliseconds;
  }
}
