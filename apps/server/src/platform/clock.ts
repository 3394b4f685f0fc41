import { instant, type Instant } from '@exchange/core/time.ts';

/**
 * The source of time for the server's code. Child processes do not use it, but read the machine's clock themselves.
 * Durations are measured with `monotonicMs`, which corrections of the clock do not affect.
 */
export interface Clock {
  now(): Instant;
  monotonicMs(): number;
}

/** The clock that reads the machine's time. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  monotonicMs: () => performance.now(),
};
