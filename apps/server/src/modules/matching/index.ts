/**
 * Entry point of the matching module: the order book of one pair.
 *
 * A book matches by price-time priority over whole ticks and lots. It has no clock, balances or database and
 * creates no ids: the caller names every order, holds the funds first (`quote` returns what an order would
 * do), then places it and turns the returned events into postings. A limit order never trades past its price
 * and a market order never past its guard price, so the worst case can be held.
 *
 * A book lives in memory only. After a restart the caller passes the stored open orders to `restore`, each
 * level in queue order; `resting` iterates them in the same order.
 */
export { PriceTimeBook } from './domain/book/price-time-book.ts';
export type {
  Amendment,
  CancelledMaker,
  Depth,
  DepthLevel,
  Execution,
  Fill,
  HiddenAmounts,
  IncomingOrder,
  NextSlice,
  OrderBook,
  Outcome,
  Placement,
  Reason,
  RestingOrder,
  SelfTrade,
  Side,
  TimeInForce,
} from './domain/book/contract.ts';
