import type { Pair, Side } from '@exchange/core/pair.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { levelsMoved } from '../market/index.ts';
import type { OrderBook } from '../matching/index.ts';
import { amountOf, priceOf } from './scale.ts';

/**
 * The book's levels that one step moved. Steps come one after another, so all of them use the same arrays.
 * A level may be named twice when others came in between: what is told is how it stands in the end.
 */
export class TouchedLevels {
  private readonly sides: Side[] = [];
  private readonly ticks: bigint[] = [];

  clear(): void {
    this.sides.length = 0;
    this.ticks.length = 0;
  }

  add(side: Side, ticks: bigint): void {
    const last = this.sides.length - 1;
    // A sweep goes level by level, so the commonest repetition is the one just before.
    if (last >= 0 && this.ticks[last] === ticks && this.sides[last] === side) return;
    this.sides.push(side);
    this.ticks.push(ticks);
  }

  /** Tells how the levels stand now, and forgets them. */
  tell(step: Step, { pair, book }: { readonly pair: Pair; readonly book: OrderBook }): void {
    if (this.sides.length === 0) return;
    const levels = this.ticks.map((ticks, index) => {
      const side = this.sides[index]!;
      return { side, price: priceOf(pair, ticks), amount: amountOf(pair, book.amountAt(side, ticks)) };
    });
    step.tell(levelsMoved, { symbol: pair.symbol, levels, at: step.now });
    this.clear();
  }
}
