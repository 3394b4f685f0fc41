import type { Decimal } from '@exchange/core/decimal.ts';
import type { IndexPoint } from '@exchange/core/index-price.ts';
import type { Instant } from '@exchange/core/time.ts';

const RATE_PLACES = 6;

/** The newest price of a source for a pair, together with the pair's index price. */
export interface SourcePrice {
  readonly symbol: string;
  readonly source: string;
  /**
   * State of the price at the newest index point. `counts`: part of the index; `far`: part of the index although more
   * than 2 % from the median of the used quotes; `stale`: on the tape, but not part of the index, because the quote is
   * too old or later than the point; `silent`: the index tape lists no quote, because none has arrived recently; `off`:
   * switched off by an operator.
   */
  readonly state: 'counts' | 'far' | 'stale' | 'silent' | 'off';
  readonly price: Decimal | undefined;
  /**
   * Age of the quote in milliseconds at the second of the index point, 0 for a later quote; undefined without
   * a quote.
   */
  readonly ageMs: number | undefined;
  readonly index: Decimal | undefined;
  /**
   * Distance of the price from the index as a fraction, negative below it; undefined without a quote or an
   * index.
   */
  readonly deviation: Decimal | undefined;
  readonly at: Instant | undefined;
}

/** The prices of all sources for a pair at its newest index point, in the order of the sources. */
export function sourcePrices(
  symbol: string,
  point: IndexPoint | undefined,
  sources: readonly { readonly id: string; readonly isOn: boolean }[],
): SourcePrice[] {
  const quotes = new Map(point?.sources.map((quote) => [quote.id, quote]));
  const index = point?.price ?? undefined;
  return sources.map(({ id, isOn }) => {
    const quote = quotes.get(id);
    const active = quote === undefined ? 'silent' : quote.used ? (quote.outlier ? 'far' : 'counts') : 'stale';
    return {
      symbol,
      source: id,
      state: isOn ? active : 'off',
      price: quote?.price,
      ageMs: quote && point && Math.max(0, point.t - quote.at),
      index,
      deviation: quote && index && quote.price.minus(index).over(index, 'halfEven', RATE_PLACES),
      at: quote?.at,
    };
  });
}
