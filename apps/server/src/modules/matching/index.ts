/**
 * The door of the matching module: the order book of one pair.
 *
 * A book matches by price, then time, over whole ticks and lots. It knows no clock, no balance and no
 * database, and it makes no ids: the caller names every order, holds the funds first (`quote` tells what
 * an order would do), then places, and turns the returned events into postings. The worst case is safe to
 * hold for: a limit never trades past its price, a market order never past its guard price.
 *
 * A book lives in memory only. After a restart the caller feeds the stored open orders to `restore`, level
 * by level in their old order; `resting` reads them back in the same order, ready to be hashed.
 */
export { PriceTimeBook } from './domain/book/price-time-book.ts';
export type {
  Amendment,
  CancelledMaker,
  Depth,
  DepthLevel,
  Execution,
  Fill,
  IncomingOrder,
  OrderBook,
  Outcome,
  Placement,
  Reason,
  RestingOrder,
  SelfTrade,
  Side,
  TimeInForce,
} from './domain/book/contract.ts';
