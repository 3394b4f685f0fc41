import { IdTable } from '@exchange/core/id-table.ts';
import type { Side } from './contract.ts';
import { Ladder } from './ladder.ts';
import { BookOrder } from './level.ts';

/** The resting orders of both sides, by price and by id. Does no matching. */
export class RestingOrders {
  readonly bids = new Ladder('buy');
  readonly asks = new Ladder('sell');
  readonly index = new IdTable<BookOrder>();

  ladder(side: Side): Ladder {
    return side === 'buy' ? this.bids : this.asks;
  }

  /** The price levels against which an order of this side trades. */
  opposite(side: Side): Ladder {
    return side === 'buy' ? this.asks : this.bids;
  }

  /** Whether an order of this side and limit price would meet a resting order, of any owner, at once. */
  crosses(side: Side, limit: bigint): boolean {
    const makers = this.opposite(side);
    return makers.best !== null && !makers.isWorse(makers.best.price, limit);
  }

  /** Adds a new order at the end of the queue of its price level, and to the index by id. */
  append(id: string, owner: string, side: Side, price: bigint, amount: bigint): void {
    const level = this.ladder(side).obtain(price);
    const order = new BookOrder(id, owner, amount, level);
    level.append(order);
    this.index.set(order);
  }

  remove(order: BookOrder): void {
    const level = order.level;
    level.unlink(order);
    this.ladder(level.side).noteChange(level);
    if (level.first === null) this.ladder(level.side).remove(level);
    this.index.delete(order.id);
  }

  clear(): void {
    this.bids.clear();
    this.asks.clear();
    this.index.clear();
  }
}
