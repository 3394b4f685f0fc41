/**
 * What an order book takes and what it tells. Units everywhere in this folder: prices are whole ticks,
 * amounts whole lots, totals ticks × lots; all bigint, so a trade is exact and matching never rounds.
 */
export type Side = 'buy' | 'sell';
export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

/** What happens when an order meets an order of the same owner. The incoming order's mode decides. */
export type SelfTrade = 'cancelTaker' | 'cancelMaker' | 'cancelBoth' | 'decrement';

/**
 * An order that arrives. Three shapes are allowed:
 * - limit: `price` and `amount`;
 * - market by amount: `price` null, `amount`, perhaps `guardPrice`;
 * - market by total: `price` null, `total` (most quote to pay or to receive), perhaps `guardPrice`, and
 *   perhaps `amount` as a second bound (a seller by total cannot sell more than was held).
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
  /** The worst price at which a market order may trade. */
  readonly guardPrice?: bigint | undefined;
}

/**
 * A change to a resting order. `amount` is the new open amount in lots, not the amount first ordered: the
 * book does not know what was filled before.
 */
export interface Amendment {
  readonly price?: bigint | undefined;
  readonly amount?: bigint | undefined;
  /** Applies when the new price crosses; `cancelTaker` when absent. */
  readonly selfTrade?: SelfTrade | undefined;
  /** Refuses the whole change when the new price would cross. */
  readonly postOnly?: boolean | undefined;
}

/** An order on the book; `amount` is what is still open. */
export interface RestingOrder {
  readonly id: string;
  readonly owner: string;
  readonly side: Side;
  readonly price: bigint;
  readonly amount: bigint;
}

/** One trade, at the maker's price. `makerRemaining` of zero means the maker has left the book. */
export interface Fill {
  readonly makerId: string;
  readonly makerOwner: string;
  readonly price: bigint;
  readonly amount: bigint;
  readonly makerRemaining: bigint;
}

/** A resting order that lost `amount` lots without a trade, because its owner would have met himself. */
export interface CancelledMaker {
  readonly id: string;
  readonly owner: string;
  readonly price: bigint;
  readonly amount: bigint;
  readonly remaining: bigint;
}

/**
 * Where the order is now:
 * - `rested`: on the book, perhaps after fills;
 * - `filled`: nothing left to do;
 * - `partly`: has fills, the rest is cancelled;
 * - `cancelled`: no fill, all of it is cancelled;
 * - `rejected`: nothing happened at all; an amended order stays as it was.
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

/** The figures of a placement, and all that a quote tells. */
export interface Execution {
  readonly outcome: Outcome;
  /** Null when the order rested or filled. */
  readonly reason: Reason | null;
  readonly filledAmount: bigint;
  readonly filledTotal: bigint;
  /** The price of the last fill; null without fills. */
  readonly worstPrice: bigint | null;
  /** Lots that rest on the book (`rested`) or were given up; zero when the order names no amount. */
  readonly remaining: bigint;
  /** The part of `total` not used; zero when the order names no total. */
  readonly remainingTotal: bigint;
  /** Lots taken off the incoming order by the `decrement` mode. */
  readonly decremented: bigint;
}

export interface Placement extends Execution {
  /** In the order in which they happened. */
  readonly fills: readonly Fill[];
  readonly cancelledMakers: readonly CancelledMaker[];
}

/** All orders of one price and side, summed. */
export interface DepthLevel {
  readonly price: bigint;
  readonly amount: bigint;
  readonly orders: number;
}

/** Best level first on both sides. */
export interface Depth {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

export interface OrderBook {
  /** Orders resting on both sides. */
  readonly size: number;
  /**
   * Matches an order and rests what may rest. Throws `RangeError`, before anything changes, for an order
   * that has no meaning (see `checkIncoming`) or an id that already rests.
   */
  place(order: IncomingOrder): Placement;
  /** What `place` would answer now; changes nothing. The id is not looked at. */
  quote(order: IncomingOrder): Execution;
  /** Takes an order off the book and gives it back as it was; null when it does not rest here. */
  cancel(id: string): RestingOrder | null;
  /**
   * Changes a resting order. Only a smaller amount at the same price keeps the place in the queue;
   * otherwise the order goes to the back, and trades first if its new price crosses.
   */
  amend(id: string, change: Amendment): Placement;
  get(id: string): RestingOrder | null;
  best(side: Side): DepthLevel | null;
  /** What is open at a price in all; zero where nobody waits. */
  amountAt(side: Side, price: bigint): bigint;
  /** The best `levels` levels of each side. */
  depth(levels: number): Depth;
  /**
   * Puts a stored order back without matching; orders of one price must come in their old order. Throws
   * `RangeError` when the order has no meaning, already rests, or would cross: a stored book never does.
   */
  restore(order: RestingOrder): void;
  /** Orders of one side in priority order. The book must not change while this is read. */
  resting(side: Side): IterableIterator<RestingOrder>;
  clear(): void;
  /** Every broken structural rule as a sentence; empty when the book is sound. Reads the whole book. */
  validate(): string[];
}
