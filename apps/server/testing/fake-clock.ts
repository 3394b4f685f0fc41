import { instant, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../src/platform/clock.ts';

/** A clock whose time changes only when a test calls `advance`. */
export class FakeClock implements Clock {
  private at: number;
  private elapsedMs = 0;

  constructor(startMs = Date.UTC(2026, 0, 5, 12)) {
    this.at = startMs;
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
