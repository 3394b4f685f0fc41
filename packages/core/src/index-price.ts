import { Decimal, sum } from './decimal.ts';
import { later, type Instant } from './time.ts';

/**
 * Greatest age in milliseconds of a price source's quote that counts for an index point; older quotes are
 * ignored.
 */
export const QUOTE_MAX_AGE_MS = 3_000;
/**
 * Milliseconds after its second at which an index point is computed, so that late quotes can still arrive.
 */
export const INDEX_DELAY_MS = 500;
/** Decimals of an index point beyond the decimals of the pair's prices. */
export const INDEX_EXTRA_DIGITS = 2;
const OUTLIER_FRACTION = Decimal.parse('0.02');
const HALF = Decimal.parse('0.5');

/** The latest price from an external price source, with the source's own timestamp. */
export interface SourceQuote {
  readonly id: string;
  readonly price: Decimal;
  readonly at: Instant;
}

/**
 * A price source's quote in a recorded index point. `used`: it was valid at the point's second, so it counts
 * for the price if there are at least two; `outlier`: it is one of at least three used quotes and more than 2 %
 * away from their median.
 */
export interface ComposedSource extends SourceQuote {
  readonly used: boolean;
  readonly outlier: boolean;
}

/**
 * Quality of an index point. `degraded`: only two valid quotes; `outlier`: one of at least three is more than 2 %
 * away from the median; `insufficient`: fewer than two, so that there is no price.
 */
export type IndexFlag = 'degraded' | 'outlier' | 'insufficient';

export interface IndexPoint {
  readonly t: Instant;
  readonly price: Decimal | null;
  readonly flags: readonly IndexFlag[];
  /** Quotes of the point, in the order of the price sources' ids. */
  readonly sources: readonly ComposedSource[];
}

/**
 * Computes the index point of second `t` from at most one quote per source: the median of three or more valid
 * quotes, or the mean of two (`degraded`). A quote is valid if its price is positive and it is not from after
 * `t` and at most 3 s old. An outlier is flagged but still counts: the median tolerates it, and excluding
 * sources would let the operator choose prices. `digits` are the decimals of the price; rounding is half-even.
 * Throws on a repeated source id.
 */
export function composeIndex(t: Instant, quotes: readonly SourceQuote[], digits: number): IndexPoint {
  const ordered = quotes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (ordered.some((quote, index) => quote.id === ordered[index + 1]?.id))
    throw new RangeError('a source votes twice');
  const prices = ordered.filter((quote) => isValid(quote, t)).map(({ price }) => price);
  const exact = median(prices);
  const sources = ordered.map((quote) => {
    const used = isValid(quote, t);
    return { ...quote, used, outlier: used && prices.length >= 3 && isFar(quote.price, exact) };
  });
  const flags: IndexFlag[] = [];
  if (prices.length < 2) flags.push('insufficient');
  if (prices.length === 2) flags.push('degraded');
  if (sources.some(({ outlier }) => outlier)) flags.push('outlier');
  return { t, price: exact?.rounded(digits, 'halfEven') ?? null, flags, sources };
}

/** The newest quote at or before `t` among quotes that are ordered by time. */
export function quoteAt(t: Instant, quotes: readonly SourceQuote[]): SourceQuote | undefined {
  return quotes.findLast((quote) => quote.at <= t);
}

function isValid(quote: SourceQuote, t: Instant): boolean {
  return quote.at <= t && quote.at >= later(t, -QUOTE_MAX_AGE_MS) && quote.price.isPositive();
}

/** The median price: for an even number the mean of the middle two; undefined for fewer than two prices. */
function median(prices: readonly Decimal[]): Decimal | undefined {
  const sorted = prices.toSorted((a, b) => a.compare(b));
  const half = sorted.length >> 1;
  const [lower, upper] = [sorted[half - 1], sorted[half]];
  if (lower === undefined || upper === undefined) return undefined;
  if (sorted.length % 2 === 1) return upper;
  // The half is exact: price sources quote with at most 17 decimals, so that half of a sum fits into 18.
  return sum([lower, upper]).times(HALF, 'halfEven');
}

function isFar(price: Decimal, median: Decimal | undefined): boolean {
  return (
    median !== undefined && price.minus(median).absolute().isMore(median.times(OUTLIER_FRACTION, 'down'))
  );
}
