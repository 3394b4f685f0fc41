import type { Pair, Side } from '@exchange/core/pair.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { levelsMoved, type SidedLevel } from '../market/index.ts';
import type { OrderBook } from '../matching/index.ts';

/**
 * The book's levels that one step moved. Steps come one after another, so all of them use the same arrays.
 * A level may be named twice when others came in between: what is told is how it stands in the end.
 */
export class TouchedLevels {
  private readonly sides: Side[] = [];
  private readonly ticks: bigint[] = [];
  /** How many of the entries are of this step; the arrays are kept as they are, so that they need not grow again. */
  private count = 0;

  clear(): void {
    this.count = 0;
  }

  add(side: Side, ticks: bigint): void {
    const { count } = this;
    // A sweep goes level by level, so the commonest repetition is the one just before.
    if (count > 0 && this.ticks[count - 1] === ticks && this.sides[count - 1] === side) return;
    this.sides[count] = side;
    this.ticks[count] = ticks;
    this.count = count + 1;
  }

  /** Tells how the levels stand now, and forgets them. */
  tell(step: Step, { pair, book }: { readonly pair: Pair; readonly book: OrderBook }): void {
    if (this.count === 0) return;
    // Mostly it is one level, and an array that begins as a pair of brackets makes room for many.
    const levels = [this.levelAt(0, book)];
    for (let at = 1; at < this.count; at += 1) levels.push(this.levelAt(at, book));
    step.tell(levelsMoved, { symbol: pair.symbol, levels, at: step.now });
    this.clear();
  }

  private levelAt(at: number, book: OrderBook): SidedLevel {
    const side = this.sides[at]!;
    const price = this.ticks[at]!;
    return { side, price, amount: book.amountAt(side, price) };
  }
}
