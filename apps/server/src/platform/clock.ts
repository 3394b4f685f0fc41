import { instant, type Instant } from '@exchange/core/time.ts';

/**
 * The source of time for the code of the server; child processes read the machine's clock themselves. Durations are
 * measured with `monotonicMs`, which clock corrections do not affect.
 */
export interface Clock {
  now(): Instant;
  monotonicMs(): number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  monotonicMs: () => performance.now(),
};
