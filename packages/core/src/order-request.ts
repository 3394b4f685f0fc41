import type { Decimal } from './decimal.ts';
import type { Side } from './pair.ts';
import type { Instant } from './time.ts';

/**
 * `stop…` and `takeProfit…` orders trigger when the last price reaches a level, `trailing` orders when it
 * reverses by a distance.
 */
export type OrderType =
  | 'limit'
  | 'market'
  | 'stopLimit'
  | 'stopMarket'
  | 'takeProfitLimit'
  | 'takeProfitMarket'
  | 'trailing';
export type TimeInForce = 'GTC' | 'GTT' | 'IOC' | 'FOK';
/** Trigger condition of a stop: last price at or above the level (`gte`), or at or below it (`lte`). */
export type StopDirection = 'gte' | 'lte';

/**
 * Exit orders that are placed when an order that traded has ended: a limit order of the opposite side at
 * `takeProfit`, and a stop at `stopLoss` that executes at market, or at `stopLossLimit` if given. At least
 * one of `takeProfit` and `stopLoss` is required. A buy sells the bought amount; a sale buys back with its
 * proceeds.
 */
export interface ExitsRequest {
  readonly takeProfit?: Decimal | undefined;
  readonly stopLoss?: Decimal | undefined;
  readonly stopLossLimit?: Decimal | undefined;
}

/** An order as the user requests it. Exactly one of `amount` (in base) and `total` (in quote) is set. */
export interface OrderRequest {
  readonly side: Side;
  readonly type: OrderType;
  readonly price?: Decimal | undefined;
  readonly amount?: Decimal | undefined;
  readonly total?: Decimal | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Trigger price of a stop; unset for trailing stops. */
  readonly stopPrice?: Decimal | undefined;
  /** Trigger condition of a stop; derived from side and type if unset. */
  readonly direction?: StopDirection | undefined;
  /**
   * Distance of a trailing stop from the best price since its placement, or since its activation, as a
   * fraction.
   */
  readonly trail?: Decimal | undefined;
  /** Last price from which a trailing stop follows; it follows from its placement if unset. */
  readonly activation?: Decimal | undefined;
  /** Expiry of a GTT order. */
  readonly expireAt?: Instant | undefined;
  readonly exits?: ExitsRequest | undefined;
}
