import type { Side } from '@exchange/core/pair.ts';

/** A price level of one side: `amount` is the total of all its orders in lots, `price` is in ticks. */
export interface BookLevel {
  readonly price: bigint;
  readonly amount: bigint;
}

/** A price level with its side. An amount of 0 removes the level. */
export interface SidedLevel extends BookLevel {
  readonly side: Side;
}

/**
 * The order book as the public sees it: price levels without orders. Each side is sorted with its best price
 * last, because most changes happen near the best price and then move few array elements.
 */
export class PublicBook {
  /** Counter that is incremented with every change of the book. */
  version = 0;
  private readonly sides: Record<Side, SidedLevel[]> = { buy: [], sell: [] };
  private readonly changed: Readonly<Record<Side, Map<bigint, SidedLevel>>> = {
    buy: new Map(),
    sell: new Map(),
  };

  /**
   * Replaces all price levels of the book, in one sort: inserting them one by one would move all worse levels for each.
   * `levels` contains each price of a side at most once, with an amount above 0. Earlier changes are no longer reported
   * by `drainChanged`.
   */
  load(levels: readonly SidedLevel[]): void {
    for (const side of ['buy', 'sell'] as const) {
      const worstFirst = levels.filter((level) => level.side === side).toSorted(byPrice);
      this.sides[side] = side === 'buy' ? worstFirst : worstFirst.reverse();
      this.changed[side].clear();
    }
    this.version += 1;
  }

  /** Sets the amount at a price level; 0 removes the level. */
  set(level: SidedLevel): void {
    const { side, price, amount } = level;
    const levels = this.sides[side];
    const at = insertionIndex(levels, side, price);
    const isPresent = levels[at]?.price === price;
    if (amount > 0n && isPresent) levels[at] = level;
    else if (amount > 0n) levels.splice(at, 0, level);
    else if (isPresent) levels.splice(at, 1);
    else return;
    this.version += 1;
    this.changed[side].set(price, level);
  }

  best(side: Side): SidedLevel | undefined {
    return this.sides[side].at(-1);
  }

  /** The best `count` price levels of a side, best first. */
  top(side: Side, count: number): SidedLevel[] {
    const levels = this.sides[side];
    return levels.slice(Math.max(0, levels.length - count)).toReversed();
  }

  /** Returns the price levels changed since the last call, each with its latest amount. */
  drainChanged(): SidedLevel[] {
    const { buy, sell } = this.changed;
    const changedLevels = [...buy.values(), ...sell.values()];
    buy.clear();
    sell.clear();
    return changedLevels;
  }
}

function byPrice(first: BookLevel, second: BookLevel): number {
  if (first.price === second.price) return 0;
  return first.price < second.price ? -1 : 1;
}

/**
 * The index of a price among the levels of a side, which are sorted with the worst first, or the index at
 * which it would be inserted.
 */
function insertionIndex(levels: readonly BookLevel[], side: Side, price: bigint): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const middlePrice = levels[middle]?.price ?? price;
    const isWorse = side === 'buy' ? middlePrice < price : middlePrice > price;
    if (isWorse) low = middle + 1;
    else high = middle;
  }
  return low;
}
