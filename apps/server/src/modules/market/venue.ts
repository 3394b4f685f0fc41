import type { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';

/** A quote of a venue; `at` is the venue's own time of it. */
export interface VenueQuote {
  readonly symbol: string;
  readonly price: Decimal;
  readonly at: Instant;
  /** When it reached this machine, where somebody stamped it before; otherwise the instant at which it is emitted. */
  readonly receivedAt?: Instant;
}

/** An independent market that publishes its prices: simulated here, real ones through their own adapters. */
export interface Venue {
  /** Appears on the tape. */
  readonly id: string;
  /** Begins to emit quotes; called once until `stop`. */
  start(emit: (quote: VenueQuote) => void): void;
  stop(): void;
}
