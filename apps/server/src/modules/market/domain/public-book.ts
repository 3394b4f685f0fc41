import type { Side } from '@exchange/core/pair.ts';

/** All orders of one price and side summed, in ticks and lots. */
export interface BookLevel {
  readonly price: bigint;
  readonly amount: bigint;
}

/** One level of our own book, counted as the book counts; an amount of 0 when nothing is left. */
export interface SidedLevel extends BookLevel {
  readonly side: Side;
}

/**
 * The book as everybody sees it: levels only, no orders. Each side is sorted with its best level last, so
 * that what happens near the best price moves little.
 */
export class PublicBook {
  /** Grows with every change. */
  version = 0;
  private readonly sides: Readonly<Record<Side, SidedLevel[]>> = { buy: [], sell: [] };
  private readonly changed: Readonly<Record<Side, Map<bigint, SidedLevel>>> = {
    buy: new Map(),
    sell: new Map(),
  };

  /** Replaces everything. */
  load(levels: readonly SidedLevel[]): void {
    for (const side of ['buy', 'sell'] as const) this.sides[side].length = 0;
    for (const level of levels) this.set(level);
    this.version += 1;
    for (const side of ['buy', 'sell'] as const) this.changed[side].clear();
  }

  /** Puts a level to its new amount; zero removes it. */
  set(level: SidedLevel): void {
    const { side, price, amount } = level;
    const levels = this.sides[side];
    const at = placeOf(levels, side, price);
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

  /** The best `count` levels of a side, best first. */
  top(side: Side, count: number): SidedLevel[] {
    const levels = this.sides[side];
    return levels.slice(Math.max(0, levels.length - count)).toReversed();
  }

  /** The levels changed since the last call, each with its latest amount. */
  takeChanged(): SidedLevel[] {
    const { buy, sell } = this.changed;
    const taken = [...buy.values(), ...sell.values()];
    buy.clear();
    sell.clear();
    return taken;
  }
}

/** Where a price stands or would stand; the best level is the last. */
function placeOf(levels: readonly BookLevel[], side: Side, price: bigint): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = levels[middle]?.price ?? price;
    const isWorse = side === 'buy' ? other < price : other > price;
    if (isWorse) low = middle + 1;
    else high = middle;
  }
  return low;
}
