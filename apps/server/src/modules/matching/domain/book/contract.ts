/**
 * The interface of an order book. Units in this folder: prices are whole ticks, amounts whole lots, totals
 * ticks × lots. All are bigint, so trades are exact and matching never rounds.
 */
export type Side = 'buy' | 'sell';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

/**
 * Self-trade prevention: the action when an order would trade with an order of the same owner. The incoming
 * order's mode applies.
 */
export type SelfTrade = 'cancelTaker' | 'cancelMaker' | 'cancelBoth' | 'decrement';

/**
 * An incoming order. A limit order has `price` and `amount`. A market order by amount has `price` null, `amount` and an
 * optional `guardPrice` (the worst price). A market order by total has `price` null, `total` (in ticks × lots, the most
 * that a buyer pays or a seller receives), an optional `guardPrice`, and an optional `amount` as a second limit (the
 * lots that the seller owns).
 */
export interface IncomingOrder {
  readonly id: string;
  readonly owner: string;
  readonly side: Side;
  readonly price: bigint | null;
  readonly amount: bigint | null;
  readonly total?: bigint | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly selfTrade: SelfTrade;
  readonly guardPrice?: bigint | undefined;
}

/**
 * A change of a resting order. `amount` is the new open amount in lots, without fills, because the book does not store
 * how much of an order was filled.
 */
export interface Amendment {
  readonly price?: bigint | undefined;
  readonly amount?: bigint | undefined;
  /** Self-trade prevention that applies when the new price crosses; `cancelTaker` when absent. */
  readonly selfTrade?: SelfTrade | undefined;
  /** Rejects the whole change with `wouldCross` when the new price would cross (post-only); false when absent. */
  readonly postOnly?: boolean | undefined;
}

/** An order on the book; `amount` is the open amount. */
export interface RestingOrder {
  readonly id: string;
  readonly owner: string;
  readonly side: Side;
  readonly price: bigint;
  readonly amount: bigint;
}

/** One trade, at the maker's price. The maker has left the book when `makerRemaining` is zero. */
export interface Fill {
  readonly makerId: string;
  readonly makerOwner: string;
  readonly price: bigint;
  readonly amount: bigint;
  readonly makerRemaining: bigint;
}

/**
 * A resting order that lost `amount` lots without a trade, through self-trade prevention. It has left the book if
 * `remaining` is zero.
 */
export interface CancelledMaker {
  readonly id: string;
  readonly owner: string;
  readonly price: bigint;
  readonly amount: bigint;
  readonly remaining: bigint;
}

/**
 * The state of an order after it was placed or amended:
 * - `rested`: on the book, possibly after fills;
 * - `filled`: traded in full; a part of the total that buys no whole lot can remain;
 * - `partly`: has fills, the remainder is cancelled;
 * - `cancelled`: has no fills, completely cancelled;
 * - `rejected`: nothing changed; an amended order stays as it was.
 */
export type Outcome = 'rested' | 'filled' | 'partly' | 'cancelled' | 'rejected';

export type Reason =
  | 'wouldCross'
  | 'cannotFill'
  | 'selfTrade'
  | 'noLiquidity'
  | 'limitReached'
  | 'guardReached'
  | 'totalTooSmall'
  | 'unknownOrder';

/** The result of matching an order, without its fills. `OrderBook.quote` returns only this. */
export interface Execution {
  readonly outcome: Outcome;
  /**
   * The reason why the order or its remainder was rejected or cancelled; null if it was filled or rests.
   */
  readonly reason: Reason | null;
  readonly filledAmount: bigint;
  readonly filledTotal: bigint;
  /** The price of the last fill in ticks; null without fills. */
  readonly worstPrice: bigint | null;
  /**
   * The lots that rest on the book (`rested`) or were cancelled or rejected; zero when the order has no
   * amount.
   */
  readonly remaining: bigint;
  /** The unused part of the order's `total`; zero when the order has no total. */
  readonly remainingTotal: bigint;
  /** The lots that the `decrement` mode removed from the incoming order. */
  readonly decremented: bigint;
}

export interface Placement extends Execution {
  /** Fills in the order of their execution. */
  readonly fills: readonly Fill[];
  readonly cancelledMakers: readonly CancelledMaker[];
}

/** The sums of all orders at one price and side. */
export interface DepthLevel {
  readonly price: bigint;
  readonly amount: bigint;
  readonly orders: number;
}

/** Price levels of both sides, the best first. */
export interface Depth {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

/** The next slice of an iceberg order, which replaces its completely filled slice at the same price. */
export interface NextSlice {
  readonly id: string;
  readonly amount: bigint;
}

/**
 * The hidden amounts of icebergs. When a resting order is filled completely, the next slice goes to the end of the same
 * price level, where the incoming order meets it after the orders that rested before.
 */
export interface HiddenAmounts {
  /** The number of orders with a hidden amount. While it is 0, the book never calls the other methods. */
  readonly size: number;
  /**
   * The amounts, in lots, of the slices of a hidden amount that will replace an order one after another, the
   * next slice first. Changes nothing.
   */
  slicesAfter(id: string): readonly bigint[];
  /**
   * Called once when an order has been filled completely: removes the next slice from the hidden amount and returns it;
   * null if the order is no slice or nothing is hidden.
   */
  replace(id: string): NextSlice | null;
}

export interface OrderBook {
  /** The number of orders resting on both sides. */
  readonly size: number;
  /**
   * Matches an order and rests the remainder where the order allows it. Throws `RangeError`, before any
   * change, for an invalid order (see `checkIncoming`) or an id that already rests.
   */
  place(order: IncomingOrder): Placement;
  /**
   * The result that `place` would have now; changes nothing and ignores the id. Throws `RangeError` for an invalid
   * order.
   */
  quote(order: IncomingOrder): Execution;
  /** Removes an order from the book and returns its last state; null when it does not rest here. */
  cancel(id: string): RestingOrder | null;
  /**
   * Changes a resting order. With the same price and an amount that is not larger it keeps its place in the queue.
   * After any other change it trades if its new price crosses, and its remainder goes to the back of the queue. Rejects
   * an unknown id with `unknownOrder`. Throws `RangeError` if a new price or amount is not positive.
   */
  amend(id: string, change: Amendment): Placement;
  get(id: string): RestingOrder | null;
  best(side: Side): DepthLevel | null;
  /** The total open amount at a price, in lots; zero when no order rests there. */
  amountAt(side: Side, price: bigint): bigint;
  /** The best `levels` price levels of each side. */
  depth(levels: number): Depth;
  /**
   * Restores a stored order without matching; orders of one price must come in queue order. Throws
   * `RangeError` when the order is invalid, already rests, or would cross, which a stored book never does.
   */
  restore(order: RestingOrder): void;
  /** The orders of one side in priority order. The book must not change during the iteration. */
  resting(side: Side): IterableIterator<RestingOrder>;
  clear(): void;
  /**
   * Sets the source of the next slices of iceberg orders, which `quote` uses too. Without a source, no filled order is
   * replaced.
   */
  replenishFrom(hidden: HiddenAmounts): void;
  /** Describes every violated structural rule; empty when the book is consistent. Reads the whole book. */
  validate(): string[];
}
