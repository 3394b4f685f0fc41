import type { Side } from '@exchange/core/pair.ts';

/** All orders of one price and side summed, in ticks and lots. */
export interface BookLevel {
  readonly price: bigint;
  readonly amount: bigint;
}

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
  private readonly sides: Readonly<Record<Side, BookLevel[]>> = { buy: [], sell: [] };
  private changed = new Map<string, SidedLevel>();

  /** Replaces everything. */
  load(levels: readonly SidedLevel[]): void {
    for (const side of ['buy', 'sell'] as const) this.sides[side].length = 0;
    for (const level of levels) this.set(level);
    this.version += 1;
    this.changed.clear();
  }

  /** Puts a level to its new amount; zero removes it. */
  set({ side, price, amount }: SidedLevel): void {
    const levels = this.sides[side];
    const at = placeOf(levels, side, price);
    const isPresent = levels[at]?.price === price;
    if (amount > 0n) levels.splice(at, isPresent ? 1 : 0, { price, amount });
    else if (isPresent) levels.splice(at, 1);
    else return;
    this.version += 1;
    this.changed.set(`${side}${price}`, { side, price, amount });
  }

  best(side: Side): BookLevel | undefined {
    return this.sides[side].at(-1);
  }

  /** The best `count` levels of a side, best first. */
  top(side: Side, count: number): BookLevel[] {
    const levels = this.sides[side];
    return levels.slice(Math.max(0, levels.length - count)).toReversed();
  }

  /** The levels changed since the last call, each with its latest amount. */
  takeChanged(): SidedLevel[] {
    const taken = [...this.changed.values()];
    this.changed = new Map();
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
