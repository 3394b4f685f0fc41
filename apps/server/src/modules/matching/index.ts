/**
 * Entry point of the matching module: the order book of one pair.
 *
 * A book matches by price-time priority over whole ticks and lots. It has no clock, balances or database and
 * creates no ids. The caller chooses the id of an order, holds its funds (`quote` returns the result that the
 * order would have), places it, and books the returned fills. A limit order never trades past its price and a
 * market order never past its guard price, so the caller can hold the funds of the worst case.
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
