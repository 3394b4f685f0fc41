import type { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';

/** A quote of a venue; `at` is the time by the venue's clock. */
export interface VenueQuote {
  readonly symbol: string;
  readonly price: Decimal;
  readonly at: Instant;
  /**
   * Time at which this server received the quote, if another process recorded it; otherwise the quote counts as
   * received when the venue emits it.
   */
  readonly receivedAt?: Instant;
}

/** An independent market that publishes prices; simulated in demo mode, real exchanges in live mode. */
export interface Venue {
  /** Identifier of the venue on the index tape. */
  readonly id: string;
  /** Starts emitting quotes; called once before `stop`. */
  start(emit: (quote: VenueQuote) => void): void;
  stop(): void;
}
