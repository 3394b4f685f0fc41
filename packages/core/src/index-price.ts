import { Decimal, sum } from './decimal.ts';
import { later, type Instant } from './time.ts';

/** A quote older than this at the point's second does not count. */
export const QUOTE_MAX_AGE_MS = 3_000;
/** A point is fixed this long after its second, so that quotes from before it may still arrive. */
export const INDEX_DELAY_MS = 500;
/** Digits that a point has beyond those of its pair's prices. */
export const INDEX_EXTRA_DIGITS = 2;
const OUTLIER_FRACTION = Decimal.parse('0.02');
const HALF = Decimal.parse('0.5');

/** The last price of one source and the source's own time of it. */
export interface SourceQuote {
  readonly id: string;
  readonly price: Decimal;
  readonly at: Instant;
}

/** A source as it stands on the tape: whether it counted, and whether it lay far from the others. */
export interface ComposedSource extends SourceQuote {
  readonly used: boolean;
  readonly outlier: boolean;
}

/** `degraded`: two sources only; `outlier`: a source is more than 2 % away; `insufficient`: no point. */
export type IndexFlag = 'degraded' | 'outlier' | 'insufficient';

export interface IndexPoint {
  readonly t: Instant;
  readonly price: Decimal | null;
  readonly flags: readonly IndexFlag[];
  /** Ordered by id. */
  readonly sources: readonly ComposedSource[];
}

/**
 * The point of second `t` from at most one quote per source: the median of three or more that count, the
 * mean of two (`degraded`), otherwise none. A quote counts when it is not from after `t` and not older
 * than 3 s. An outlier is flagged but keeps its vote: the median bears it, and nobody chooses afterwards
 * whose price counts. `digits` are the point's decimals; rounding is half-even. Throws on a repeated id.
 */
export function composeIndex(t: Instant, quotes: readonly SourceQuote[], digits: number): IndexPoint {
  const ordered = quotes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (ordered.some((quote, at) => quote.id === ordered[at + 1]?.id))
    throw new RangeError('a source votes twice');
  const prices = ordered.filter((quote) => counts(quote, t)).map(({ price }) => price);
  const exact = middle(prices);
  const sources = ordered.map((quote) => {
    const used = counts(quote, t);
    return { ...quote, used, outlier: used && prices.length >= 3 && isFar(quote.price, exact) };
  });
  const flags: IndexFlag[] = [];
  if (prices.length < 2) flags.push('insufficient');
  if (prices.length === 2) flags.push('degraded');
  if (sources.some(({ outlier }) => outlier)) flags.push('outlier');
  return { t, price: exact?.rounded(digits, 'halfEven') ?? null, flags, sources };
}

/** The newest quote that is not from after `t`, out of one source's quotes in the order of their time. */
export function quoteAt(t: Instant, quotes: readonly SourceQuote[]): SourceQuote | undefined {
  return quotes.findLast((quote) => quote.at <= t);
}

function counts(quote: SourceQuote, t: Instant): boolean {
  return quote.at <= t && quote.at >= later(t, -QUOTE_MAX_AGE_MS) && quote.price.isPositive();
}

/** The median, which of two is their mean; undefined of fewer. */
function middle(prices: readonly Decimal[]): Decimal | undefined {
  const sorted = prices.toSorted((a, b) => a.compare(b));
  const half = sorted.length >> 1;
  const [lower, upper] = [sorted[half - 1], sorted[half]];
  if (lower === undefined || upper === undefined) return undefined;
  if (sorted.length % 2 === 1) return upper;
  // Exact: sources quote with at most 17 decimals, so half of a sum still fits.
  return sum([lower, upper]).times(HALF, 'halfEven');
}

function isFar(price: Decimal, from: Decimal | undefined): boolean {
  return from !== undefined && price.minus(from).absolute().isMore(from.times(OUTLIER_FRACTION, 'down'));
}
