import { Decimal, greatest } from '@exchange/core/decimal.ts';
import type { DepthMessage } from '@exchange/wire/feed.ts';

export type BookSide = 'bids' | 'asks';

export interface Level {
  readonly price: Decimal;
  readonly amount: Decimal;
}

/**
 * Order book of one pair; the levels of each side are keyed by their price text. Immutable: an update returns a new
 * book.
 */
export interface Book {
  readonly bids: ReadonlyMap<string, Level>;
  readonly asks: ReadonlyMap<string, Level>;
  /** False until the feed or a poll has delivered the order book. */
  readonly isKnown: boolean;
}

export const EMPTY_BOOK: Book = { bids: new Map(), asks: new Map(), isKnown: false };

export interface DepthRow {
  readonly price: string;
  readonly amount: string;
  /** Sum of the amounts from the best price to this row, in the base coin. */
  readonly total: string;
  /**
   * `total` divided by the largest displayed total of both sides, rounded down to hundredths; a finer value would
   * redraw the bar at every change.
   */
  readonly share: number;
}

export interface Depth {
  /** Bids, highest price first. */
  readonly bids: readonly DepthRow[];
  /** Asks, lowest price first. */
  readonly asks: readonly DepthRow[];
  readonly isKnown: boolean;
}

export function bookOf(message: DepthMessage): Book {
  return {
    bids: withLevels(new Map(), message.bids),
    asks: withLevels(new Map(), message.asks),
    isKnown: true,
  };
}

/** Returns the book after an update; a level with the amount 0 is removed. */
export function bookAfter(book: Book, message: DepthMessage): Book {
  return {
    bids: withLevels(book.bids, message.bids),
    asks: withLevels(book.asks, message.asks),
    isKnown: true,
  };
}

/** Best price of a side as text; undefined when that side has no orders. */
export function bestPriceOf(book: Book, side: BookSide): string | undefined {
  return levelsOf(book, side)[0]?.price.toString();
}

/**
 * Returns the best `rows` price levels on both sides of the order book. `grouping` is a price step: levels
 * are merged into multiples of it, bids rounded down and asks rounded up.
 */
export function depthOf(book: Book, rows: number, grouping?: Decimal): Depth {
  const bids = bestLevels(book, 'bids', rows, grouping);
  const asks = bestLevels(book, 'asks', rows, grouping);
  const deepest = greatest(totalOf(bids), totalOf(asks));
  return { bids: depthRows(bids, deepest), asks: depthRows(asks, deepest), isKnown: book.isKnown };
}

function withLevels(
  side: ReadonlyMap<string, Level>,
  levels: DepthMessage['bids'],
): ReadonlyMap<string, Level> {
  if (levels.length === 0) return side;
  const next = new Map(side);
  for (const [price, amount] of levels) {
    const parsed = Decimal.parse(amount);
    if (parsed.isZero()) next.delete(price);
    else next.set(price, { price: Decimal.parse(price), amount: parsed });
  }
  return next;
}

const sorted = new WeakMap<ReadonlyMap<string, Level>, readonly Level[]>();

/**
 * Price levels of one side of the order book, best price first. The sorted array is cached; the same array is returned
 * until that side changes.
 */
export function levelsOf(book: Book, side: BookSide): readonly Level[] {
  const unsorted = book[side];
  let levels = sorted.get(unsorted);
  if (levels === undefined) {
    levels = [...unsorted.values()].toSorted((left, right) =>
      side === 'asks' ? left.price.compare(right.price) : right.price.compare(left.price),
    );
    sorted.set(unsorted, levels);
  }
  return levels;
}

/** Figures of an order that would fill all levels of one side of the book, from the best price to a given price. */
export interface Sweep {
  /** Amount of the order that would fill the levels, in the base coin. */
  readonly amount: Decimal;
  /** Total of the order that would fill the levels, in the quote coin. */
  readonly total: Decimal;
  /** Average price of the order that would fill the levels, in the quote coin, cut off after 18 decimals. */
  readonly average: Decimal;
  /** Difference between the average price and the best price, as a fraction of the best price. */
  readonly slippage: Decimal;
}

/**
 * Returns amount, total, average price and slippage of an order that would fill the levels, given best price
 * first, up to and including those at `price`; undefined if no level has that price or a better one.
 */
export function sweepTo(levels: readonly Level[], side: BookSide, price: Decimal): Sweep | undefined {
  const best = levels[0]?.price;
  let amount = Decimal.zero;
  let total = Decimal.zero;
  for (const level of levels) {
    if (side === 'asks' ? level.price.isMore(price) : level.price.isLess(price)) break;
    amount = amount.plus(level.amount);
    total = total.plus(level.price.times(level.amount, 'down'));
  }
  if (best === undefined || !amount.isPositive()) return undefined;
  const average = total.over(amount, 'down');
  const distance = average.isMore(best) ? average.minus(best) : best.minus(average);
  return { amount, total, average, slippage: distance.over(best, 'down') };
}

function bestLevels(
  book: Book,
  side: BookSide,
  rows: number,
  grouping: Decimal | undefined,
): readonly Level[] {
  const levels = levelsOf(book, side);
  if (grouping === undefined) return levels.slice(0, rows);
  const grouped: { price: Decimal; amount: Decimal }[] = [];
  for (const { price, amount } of levels) {
    const step = stepOf(price, grouping, side);
    const last = grouped.at(-1);
    if (last?.price.equals(step)) last.amount = last.amount.plus(amount);
    else if (grouped.length === rows) break;
    else grouped.push({ price: step, amount });
  }
  return grouped;
}

function stepOf(price: Decimal, grouping: Decimal, name: BookSide): Decimal {
  const remainder = price.atoms % grouping.atoms;
  if (remainder === 0n) return price;
  return Decimal.ofAtoms(price.atoms - remainder + (name === 'asks' ? grouping.atoms : 0n));
}

function totalOf(levels: readonly Level[]): Decimal {
  return levels.reduce((sum, { amount }) => sum.plus(amount), Decimal.zero);
}

function depthRows(levels: readonly Level[], deepest: Decimal): DepthRow[] {
  let total = Decimal.zero;
  return levels.map(({ price, amount }) => {
    total = total.plus(amount);
    const share = deepest.isZero() ? 0 : Number((total.atoms * 100n) / deepest.atoms) / 100;
    return { price: price.toString(), amount: amount.toString(), total: total.toString(), share };
  });
}

/**
 * The price steps by which an order book can be grouped, at most six: one unit of the last price decimal,
 * then each ten times the previous one, as long as a step is not more than a hundredth of the place value of
 * the price's first digit.
 */
export function groupingsOf(priceDigits: number, lastPrice: string | undefined): readonly string[] {
  const leading = Math.floor(Math.log10(Number(lastPrice ?? '1') || 1));
  // The coarsest useful step is a hundredth of the place value of the price's first digit: 100 for a price of 60,000.
  const coarsestExponent = Math.max(leading - 2, -priceDigits);
  const steps: string[] = [];
  for (let exponent = -priceDigits; exponent <= coarsestExponent && steps.length < 6; exponent += 1) {
    steps.push(powerOfTen(exponent));
  }
  return steps;
}

/** Number of decimals of prices that are grouped by the price step `grouping`. */
export function digitsOf(grouping: string): number {
  return grouping.split('.')[1]?.length ?? 0;
}

function powerOfTen(exponent: number): string {
  return exponent >= 0 ? `1${'0'.repeat(exponent)}` : `0.${'0'.repeat(-exponent - 1)}1`;
}
