import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Depth, DepthRow } from '@exchange/web-kit/market/book.ts';
import type { OwnRow } from '@exchange/web-kit/spot/own-amounts.ts';

/** Price differences of neighbouring rows that the user can choose, in ticks of the pair. */
export const GROUPINGS = [1, 5, 10, 50, 100] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Returns the price difference of neighbouring rows: `ticks` ticks of the pair. */
export function stepOf(tickSize: Decimal, ticks: Grouping): Decimal {
  return tickSize.timesExact(Decimal.ofWhole(ticks));
}

/**
 * The default price step is at most this fraction of the price if a tick is that small, so that a screen shows the
 * nearby book.
 */
const FINEST = Decimal.parse('0.0001');

/**
 * Returns the default price step of a pair, in ticks: the largest of the offered ones that is at most a
 * ten-thousandth of the price. One tick if none is that small, or while the price is unknown.
 */
export function usualGrouping(tickSize: Decimal, price: Decimal | undefined): Grouping {
  const bound = price?.times(FINEST, 'down');
  return GROUPINGS.findLast((ticks) => bound !== undefined && !stepOf(tickSize, ticks).isMore(bound)) ?? 1;
}

/**
 * Returns the number of the row that shows a price: row `n` has the price `n × step`. A price between two
 * rows belongs to the lower-priced one.
 */
export function rowNumberOf(price: Decimal, step: Decimal): bigint {
  return price.atoms / step.atoms;
}

/** Returns the price of row `n`; undefined for rows below the first, which have no price. */
export function priceOfRow(row: bigint, step: Decimal): Decimal | undefined {
  return row > 0n ? Decimal.ofAtoms(row * step.atoms) : undefined;
}

/**
 * Returns the numbers of `count` rows from the highest price to the lowest, with the row `centre` in the
 * middle; of an even number of rows, one more lies above it.
 */
export function rowNumbers(centre: bigint, count: number): readonly bigint[] {
  const top = centre + BigInt(count >> 1);
  return Array.from({ length: count }, (_, place) => top - BigInt(place));
}

/** True when a row is more than a quarter of `count` rows away from the row `centre`. */
export function hasLeftMiddle(row: bigint, centre: bigint, count: number): boolean {
  const distance = row > centre ? row - centre : centre - row;
  return distance * 4n > BigInt(count);
}

/**
 * Returns the centre row with which `count` rows include the row `row`: `centre` itself if they do already,
 * otherwise the nearest possible one.
 */
export function centreShowing(row: bigint, centre: bigint, count: number): bigint {
  const numbers = rowNumbers(centre, count);
  const [top = centre, bottom = centre] = [numbers[0], numbers.at(-1)];
  if (row > top) return centre + (row - top);
  return row < bottom ? centre - (bottom - row) : centre;
}

/**
 * One row of the depth ladder. Prices (in the quote coin) and amounts (in the base coin) are plain decimal
 * texts, empty where there is none.
 */
export interface LadderRow {
  readonly row: bigint;
  readonly price: string;
  readonly bid: string;
  readonly ask: string;
  /**
   * The cumulated amount from the best price to this row as a whole percentage of the largest among the shown rows of
   * both sides; 0 where there is none.
   */
  readonly bidShare: number;
  readonly askShare: number;
}

/**
 * Returns the rows with these numbers, from the highest price to the lowest, with the amounts of a book
 * grouped by `step`.
 */
export function ladderRows(
  numbers: readonly bigint[],
  step: Decimal,
  { bids, asks }: Pick<Depth, 'bids' | 'asks'>,
): readonly LadderRow[] {
  const bidRows = sideRows(numbers, step, { levels: bids, isBeyond: (level, row) => level < row });
  const askRows = sideRows(numbers.toReversed(), step, {
    levels: asks,
    isBeyond: (level, row) => level > row,
  }).toReversed();
  const deepest = [...bidRows, ...askRows].reduce(
    (most, { total }) => (total.isMore(most) ? total : most),
    Decimal.zero,
  );
  const shareOf = (total: Decimal): number =>
    deepest.isZero() ? 0 : Number((total.atoms * 100n) / deepest.atoms);
  return numbers.map((row, place) => {
    const [bid, ask] = [bidRows[place], askRows[place]];
    return {
      row,
      price: priceOfRow(row, step)?.toString() ?? '',
      bid: bid?.amount ?? '',
      ask: ask?.amount ?? '',
      bidShare: shareOf(bid?.total ?? Decimal.zero),
      askShare: shareOf(ask?.total ?? Decimal.zero),
    };
  });
}

interface SideRow {
  readonly amount: string;
  readonly total: Decimal;
}

interface SideLevels {
  /** Price levels of the side of the book, best price first. */
  readonly levels: readonly DepthRow[];
  /** True when a level's row lies farther from the best price than `row`. */
  readonly isBeyond: (level: bigint, row: bigint) => boolean;
}

/** Returns the amount and cumulated amount of each row, the row next to the best price first. */
function sideRows(
  numbers: readonly bigint[],
  step: Decimal,
  { levels, isBeyond }: SideLevels,
): readonly SideRow[] {
  let next = 0;
  let total = Decimal.zero;
  return numbers.map((row) => {
    let amount = '';
    for (let level = levels[next]; level !== undefined; level = levels[next]) {
      const number = rowNumberOf(Decimal.parse(level.price), step);
      if (isBeyond(number, row)) break;
      total = Decimal.parse(level.total);
      if (number === row) ({ amount } = level);
      next += 1;
    }
    return { amount, total };
  });
}

/**
 * The user's open orders at the price of one row of the price ladder: their total unfilled amount, which the
 * row displays, and their ids.
 */
export interface OwnMark {
  /** Sum of the unfilled amounts of the user's orders in the row, in the base coin, as plain decimal text. */
  readonly amount: string;
  readonly ids: readonly string[];
}

/**
 * Returns the total unfilled amount (in the base coin) and the ids of the user's open orders in each row that
 * has any, by the price of the row.
 */
export function ownMarks(
  rows: ReadonlyMap<string, OwnRow<{ readonly id: string }>>,
): ReadonlyMap<string, OwnMark> {
  return new Map(
    [...rows].map(([price, { amount, orders }]) => [
      price,
      { amount: amount.toString(), ids: orders.map(({ id }) => id) },
    ]),
  );
}

/** Totals of the offered order sizes, as multiples of the pair's least total. */
const SIZE_FACTORS = [2, 20, 200] as const;

/**
 * Returns order sizes in the base coin for one click: worth about 2, 20 and 200 times the pair's least total
 * at `price`, rounded up to one significant digit and to the decimals of the pair's amounts, but at least the
 * least amount; equal sizes appear once. None if the price is not positive.
 */
export function quickSizes(
  {
    amountDigits,
    filters,
  }: Pick<Pair, 'amountDigits'> & {
    readonly filters: { readonly minAmount: Decimal; readonly minTotal: Decimal };
  },
  price: Decimal,
): readonly string[] {
  if (!price.isPositive()) return [];
  const sizes = SIZE_FACTORS.map((factor) => {
    const exact = filters.minTotal.timesExact(Decimal.ofWhole(factor)).over(price, 'up');
    const rounded = toOneFigure(exact).rounded(amountDigits, 'up');
    return (rounded.isLess(filters.minAmount) ? filters.minAmount : rounded).toString();
  });
  return [...new Set(sizes)];
}

/** Rounds a positive decimal up to one significant digit: 0.00316 becomes 0.004, and 21 becomes 30. */
function toOneFigure({ atoms }: Decimal): Decimal {
  const unit = 10n ** BigInt(atoms.toString().length - 1);
  return Decimal.ofAtoms(((atoms + unit - 1n) / unit) * unit);
}
