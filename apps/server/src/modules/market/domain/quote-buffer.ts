import { INDEX_DELAY_MS, QUOTE_MAX_AGE_MS, type SourceQuote } from '@exchange/core/index-price.ts';
import { later, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/** A quote of one source with the instant at which it reached this machine. */
export interface ReceivedQuote extends SourceQuote {
  readonly receivedAt: Instant;
}

/** So many quotes of one source and pair are stored at most; ten a second fill it in seven minutes. */
const QUOTES_MAX = 4_096;
/** A source that has been silent for longer than this is not listed on the tape. */
const LISTED_MS = 2 * QUOTE_MAX_AGE_MS;

/**
 * The quotes from which seconds that are not fixed yet are composed. A second rests on quotes that had reached this machine
 * half a second after it; so it gives the same point whether it is composed on time or, after a pause, later.
 */
export class QuoteBuffer {
  private readonly bySymbol = new Map<string, Map<string, ReceivedQuote[]>>();

  add(symbol: string, quote: ReceivedQuote): void {
    const bySource = this.bySymbol.get(symbol) ?? new Map<string, ReceivedQuote[]>();
    this.bySymbol.set(symbol, bySource);
    const quotes = bySource.get(quote.id) ?? [];
    bySource.set(quote.id, quotes);
    // Messages may overtake each other on the way.
    const after = quotes.findLastIndex((other) => other.at <= quote.at);
    quotes.splice(after + 1, 0, quote);
    if (quotes.length > QUOTES_MAX) quotes.shift();
  }

  /** Of each source that counts and was heard of late, the newest quote of second `t` or before that arrived in time. */
  newest(symbol: string, t: Instant, isOn: (source: string) => boolean): ReceivedQuote[] {
    const deadline = later(t, INDEX_DELAY_MS);
    const oldest = later(t, -LISTED_MS);
    return [...(this.bySymbol.get(symbol) ?? [])]
      .filter(([source]) => isOn(source))
      .map(([, quotes]) => quotes.findLast(({ at, receivedAt }) => at <= t && receivedAt <= deadline))
      .filter((quote) => quote !== undefined)
      .filter((quote) => quote.at >= oldest);
  }

  /**
   * Of these whole seconds, those of which `newest` may list a quote of some pair; of all others it lists none. After a long
   * pause nearly all are others, and this is quicker than to ask for each pair and second.
   */
  within(seconds: readonly Instant[]): Set<Instant> {
    if (seconds.length === 0) return new Set();
    const listing = new Set<number>();
    for (const bySource of this.bySymbol.values())
      for (const quotes of bySource.values())
        for (const { at } of quotes)
          for (let t = Math.ceil(at / SECOND_MS) * SECOND_MS; t <= at + LISTED_MS; t += SECOND_MS)
            listing.add(t);
    return new Set(seconds.filter((t) => listing.has(t)));
  }

  /** Removes quotes that no second after `t` can rest on. */
  removeBefore(t: Instant): void {
    const oldest = later(t, -LISTED_MS);
    for (const bySource of this.bySymbol.values())
      for (const quotes of bySource.values()) {
        const first = quotes.findIndex(({ at }) => at >= oldest);
        quotes.splice(0, first < 0 ? quotes.length : first);
      }
  }
}
