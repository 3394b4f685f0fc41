import { Decimal, greatest } from '@exchange/core/decimal.ts';
import type { DepthMessage } from '@exchange/wire/feed.ts';

export type BookSide = 'bids' | 'asks';

export interface Level {
  readonly price: Decimal;
  readonly amount: Decimal;
}

/** The book of one pair by price text. Immutable towards readers: a change gives a new one. */
export interface Book {
  readonly bids: ReadonlyMap<string, Level>;
  readonly asks: ReadonlyMap<string, Level>;
  /** Whether a snapshot has arrived. */
  readonly isKnown: boolean;
}

export const EMPTY_BOOK: Book = { bids: new Map(), asks: new Map(), isKnown: false };

/** A row of the book as it is drawn. */
export interface DepthRow {
  readonly price: string;
  readonly amount: string;
  /** Amount of this row and of all better ones. */
  readonly total: string;
  /**
   * `total` against the deepest row drawn on either side in hundredths, for the bar behind the row: finer ones
   * would be drawn anew at every change.
   */
  readonly share: number;
}

export interface Depth {
  /** From the highest. */
  readonly bids: readonly DepthRow[];
  /** From the lowest. */
  readonly asks: readonly DepthRow[];
  readonly isKnown: boolean;
}

/** The book after a snapshot. */
export function bookOf(message: DepthMessage): Book {
  return { bids: changed(new Map(), message.bids), asks: changed(new Map(), message.asks), isKnown: true };
}

/** The book after an update: a level with amount 0 is gone. */
export function bookAfter(book: Book, message: DepthMessage): Book {
  return { bids: changed(book.bids, message.bids), asks: changed(book.asks, message.asks), isKnown: true };
}

/** The best price of a side as text; undefined where nothing rests. */
export function bestPriceOf(book: Book, side: BookSide): string | undefined {
  return levelsOf(book, side)[0]?.price.toString();
}

/** The best `rows` levels of both sides; `grouping` joins levels into steps of that size, away from the spread. */
export function depthOf(book: Book, rows: number, grouping?: Decimal): Depth {
  const bids = bestLevels(book, 'bids', rows, grouping);
  const asks = bestLevels(book, 'asks', rows, grouping);
  const deepest = greatest(totalOf(bids), totalOf(asks));
  return { bids: drawn(bids, deepest), asks: drawn(asks, deepest), isKnown: book.isKnown };
}

function changed(side: ReadonlyMap<string, Level>, levels: DepthMessage['bids']): ReadonlyMap<string, Level> {
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
 * The levels of a side from the best; sorted once for all who look at the same side, in however many rows and
 * steps, and the same array as long as the side stays.
 */
export function levelsOf(book: Book, side: BookSide): readonly Level[] {
  const unsorted = book[side];
  let levels = sorted.get(unsorted);
  if (levels === undefined) {
    levels = [...unsorted.values()].toSorted((one, other) =>
      side === 'asks' ? one.price.compare(other.price) : other.price.compare(one.price),
    );
    sorted.set(unsorted, levels);
  }
  return levels;
}

/** What an order would meet that takes a side of the book down to a row. */
export interface Sweep {
  /** In the base coin. */
  readonly amount: Decimal;
  /** In the quote coin. */
  readonly total: Decimal;
  /** In the quote coin for one of the base coin, cut to 18 decimals. */
  readonly average: Decimal;
  /** How far the average lies from the best price, as a fraction of that. */
  readonly slippage: Decimal;
}

/** Sweeps `levels`, best first, down to `price`, the row included; undefined where nothing rests there. */
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
  const joined: { price: Decimal; amount: Decimal }[] = [];
  for (const { price, amount } of levels) {
    const step = stepOf(price, grouping, side);
    const last = joined.at(-1);
    if (last?.price.equals(step)) last.amount = last.amount.plus(amount);
    else if (joined.length === rows) break;
    else joined.push({ price: step, amount });
  }
  return joined;
}

function stepOf(price: Decimal, grouping: Decimal, name: BookSide): Decimal {
  const beyond = price.atoms % grouping.atoms;
  if (beyond === 0n) return price;
  return Decimal.ofAtoms(price.atoms - beyond + (name === 'asks' ? grouping.atoms : 0n));
}

function totalOf(levels: readonly Level[]): Decimal {
  return levels.reduce((sum, { amount }) => sum.plus(amount), Decimal.zero);
}

function drawn(levels: readonly Level[], deepest: Decimal): DepthRow[] {
  let total = Decimal.zero;
  return levels.map(({ price, amount }) => {
    total = total.plus(amount);
    const share = deepest.isZero() ? 0 : Number((total.atoms * 100n) / deepest.atoms) / 100;
    return { price: price.toString(), amount: amount.toString(), total: total.toString(), share };
  });
}

/** The steps in which a book can be shown: the tick, then ten times coarser each, as long as they mean anything. */
export function groupingsOf(priceDigits: number, lastPrice: string | undefined): readonly string[] {
  const leading = Math.floor(Math.log10(Number(lastPrice ?? '1') || 1));
  // A hundredth of the price's leading digit is the coarsest step that still leaves a readable book.
  const coarsestExponent = Math.max(leading - 2, -priceDigits);
  const steps: string[] = [];
  for (let exponent = -priceDigits; exponent <= coarsestExponent && steps.length < 6; exponent += 1) {
    steps.push(powerOfTen(exponent));
  }
  return steps;
}

/** How many decimals a price has in steps of `grouping`. */
export function digitsOf(grouping: string): number {
  return grouping.split('.')[1]?.length ?? 0;
}

function powerOfTen(exponent: number): string {
  return exponent >= 0 ? `1${'0'.repeat(exponent)}` : `0.${'0'.repeat(-exponent - 1)}1`;
}
