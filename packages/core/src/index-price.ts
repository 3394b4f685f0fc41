import { Decimal, sum } from './decimal.ts';
import { later, type Instant } from './time.ts';

/** Maximum age in milliseconds of a price source's quote that counts for an index point. Older quotes are ignored. */
export const QUOTE_MAX_AGE_MS = 3_000;
/**
 * Milliseconds after the time `t` of an index point at which the point is computed. Until then late quotes can still
 * arrive.
 */
export const INDEX_DELAY_MS = 500;
/** Number of decimals of an index point in addition to the decimals of the pair's prices. */
export const INDEX_EXTRA_DIGITS = 2;
const OUTLIER_FRACTION = Decimal.parse('0.02');
const HALF = Decimal.parse('0.5');

/** The latest price of an external price source, with the time that the source gives for it. */
export interface SourceQuote {
  readonly id: string;
  readonly price: Decimal;
  readonly at: Instant;
}

/**
 * A price source's quote in a recorded index point. `used` is true if the quote was valid at the point's second. The
 * price is computed from the used quotes if there are at least two. `outlier` is true if the quote is one of at least
 * three used quotes and differs by more than 2 % from their median.
 */
export interface ComposedSource extends SourceQuote {
  readonly used: boolean;
  readonly outlier: boolean;
}

/**
 * Flags of an index point. `degraded`: only two quotes are valid. `outlier`: at least three are valid, and at least one
 * differs by more than 2 % from their median. `insufficient`: fewer than two are valid, so the point has no price.
 */
export type IndexFlag = 'degraded' | 'outlier' | 'insufficient';

export interface IndexPoint {
  readonly t: Instant;
  readonly price: Decimal | null;
  readonly flags: readonly IndexFlag[];
  /** Quotes of the index point, in the order of the price sources' ids. */
  readonly sources: readonly ComposedSource[];
}

/**
 * Computes the index point of second `t` from at most one quote per source: the median of three or more valid quotes,
 * or the mean of two (`degraded`); null for fewer (`insufficient`). A quote is valid if its price is positive, and its
 * time is not after `t` and at most 3 s before it. An outlier is flagged but still counts, because the median tolerates
 * it, and because excluding sources would let the operator choose prices. `digits` is the number of decimals of the
 * price, to which it is rounded half-even. Throws if two quotes have the same source id.
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

/**
 * Returns the newest quote whose time is at or before `t`; undefined if there is none. The quotes are ordered by time.
 */
export function quoteAt(t: Instant, quotes: readonly SourceQuote[]): SourceQuote | undefined {
  return quotes.findLast((quote) => quote.at <= t);
}

function isValid(quote: SourceQuote, t: Instant): boolean {
  return quote.at <= t && quote.at >= later(t, -QUOTE_MAX_AGE_MS) && quote.price.isPositive();
}

/**
 * Returns the median price. For an even number of prices it is the mean of the middle two. Returns undefined for fewer
 * than two prices.
 */
function median(prices: readonly Decimal[]): Decimal | undefined {
  const sorted = prices.toSorted((a, b) => a.compare(b));
  const half = sorted.length >> 1;
  const [lower, upper] = [sorted[half - 1], sorted[half]];
  if (lower === undefined || upper === undefined) return undefined;
  if (sorted.length % 2 === 1) return upper;
  // Halving the sum is exact, because price sources quote with at most 17 decimals and the half needs one more.
  return sum([lower, upper]).times(HALF, 'halfEven');
}

function isFar(price: Decimal, median: Decimal | undefined): boolean {
  return (
    median !== undefined && price.minus(median).absolute().isMore(median.times(OUTLIER_FRACTION, 'down'))
  );
}
