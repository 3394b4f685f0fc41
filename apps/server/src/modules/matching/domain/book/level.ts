import type { DepthLevel, RestingOrder, Side } from './contract.ts';

/**
 * A resting order inside the book: a node of its level's linked queue, so that removal takes constant time.
 */
export class BookOrder {
  readonly id: string;
  readonly owner: string;
  amount: bigint;
  level: Level;
  previous: BookOrder | null = null;
  next: BookOrder | null = null;

  constructor(id: string, owner: string, amount: bigint, level: Level) {
    this.id = id;
    this.owner = owner;
    this.amount = amount;
    this.level = level;
  }

  /** A copy of the resting order for callers, who must not hold a node of the queue. */
  view(): RestingOrder {
    const { side, price } = this.level;
    return { id: this.id, owner: this.owner, side, price, amount: this.amount };
  }
}

/** The queue of orders at one price, oldest first, with its sums kept up to date. */
export class Level {
  readonly side: Side;
  readonly price: bigint;
  amount = 0n;
  orders = 0;
  first: BookOrder | null = null;
  last: BookOrder | null = null;

  constructor(side: Side, price: bigint) {
    this.side = side;
    this.price = price;
  }

  append(order: BookOrder): void {
    order.previous = this.last;
    if (this.last === null) this.first = order;
    else this.last.next = order;
    this.last = order;
    this.orders += 1;
    this.amount += order.amount;
  }

  unlink(order: BookOrder): void {
    if (order.previous === null) this.first = order.next;
    else order.previous.next = order.next;
    if (order.next === null) this.last = order.previous;
    else order.next.previous = order.previous;
    // Links of a removed order are cleared, so that a remaining reference to it neither keeps its neighbours
    // in memory nor leads back into the queue.
    order.previous = null;
    order.next = null;
    this.orders -= 1;
    this.amount -= order.amount;
  }

  /** Removes lots from a resting order that keeps its place in the queue. */
  reduce(order: BookOrder, lots: bigint): void {
    order.amount -= lots;
    this.amount -= lots;
  }

  view(): DepthLevel {
    return { price: this.price, amount: this.amount, orders: this.orders };
  }
}
