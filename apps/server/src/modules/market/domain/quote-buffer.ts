import { INDEX_DELAY_MS, QUOTE_MAX_AGE_MS, type SourceQuote } from '@exchange/core/index-price.ts';
import { later, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/** A quote of a price source with the time at which this server received it. */
export interface ReceivedQuote extends SourceQuote {
  readonly receivedAt: Instant;
}

/**
 * Maximum number of stored quotes per price source and pair; at ten quotes a second it is reached
 * after seven minutes.
 */
const QUOTES_MAX = 4_096;
/**
 * Age in milliseconds, at the second of a tape line, above which a price source's newest quote is no longer listed on
 * the line.
 */
const LISTED_MS = 2 * QUOTE_MAX_AGE_MS;

/**
 * Quotes from which index points of later seconds are composed. The point of a second uses only quotes received by half
 * a second after it, so the result is the same whether it is composed on time or late.
 */
export class QuoteBuffer {
  private readonly bySymbol = new Map<string, Map<string, ReceivedQuote[]>>();

  add(symbol: string, quote: ReceivedQuote): void {
    const bySource = this.bySymbol.get(symbol) ?? new Map<string, ReceivedQuote[]>();
    this.bySymbol.set(symbol, bySource);
    const quotes = bySource.get(quote.id) ?? [];
    bySource.set(quote.id, quotes);
    // Quotes of a price source may arrive out of order, so each is inserted at the place of its time `at`.
    const previous = quotes.findLastIndex((stored) => stored.at <= quote.at);
    quotes.splice(previous + 1, 0, quote);
    if (quotes.length > QUOTES_MAX) quotes.shift();
  }

  /**
   * For each enabled price source: its newest quote at or before second `t` that was received by half a second after
   * `t` and is at most `LISTED_MS` older than `t`.
   */
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
   * Filters `seconds` to those for which `newest` may return a quote of any pair. After a long pause this is
   * faster than calling `newest` for each pair and second.
   */
  filterListed(seconds: readonly Instant[]): Set<Instant> {
    if (seconds.length === 0) return new Set();
    const listedSeconds = new Set<number>();
    for (const bySource of this.bySymbol.values())
      for (const quotes of bySource.values())
        for (const { at } of quotes)
          for (let t = Math.ceil(at / SECOND_MS) * SECOND_MS; t <= at + LISTED_MS; t += SECOND_MS)
            listedSeconds.add(t);
    return new Set(seconds.filter((t) => listedSeconds.has(t)));
  }

  /** Removes quotes that the index of no second after `t` can use. */
  removeBefore(t: Instant): void {
    const oldest = later(t, -LISTED_MS);
    for (const bySource of this.bySymbol.values())
      for (const quotes of bySource.values()) {
        const first = quotes.findIndex(({ at }) => at >= oldest);
        quotes.splice(0, first < 0 ? quotes.length : first);
      }
  }
}
