import { instant, type Instant } from '@exchange/core/time.ts';

/** The only source of time. Durations come from `monotonicMs`, which no clock change moves. */
export interface Clock {
  now(): Instant;
  monotonicMs(): number;
}

/** The machine's clock: the only place that reads it. */
export const systemClock: Clock = {
  now: () => instant(Date.now()),
  monotonicMs: () => performance.now(),
};
