import type { Decimal } from './decimal.ts';
import type { Side } from './pair.ts';
import type { Instant } from './time.ts';

/**
 * Type of an order. `stop…` and `takeProfit…` orders trigger when the last price reaches their stop price. `trailing`
 * orders trigger when the last price reverses by a distance.
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
/**
 * Trigger condition of a stop order: the last price is at or above the stop price (`gte`), or at or below it (`lte`).
 */
export type StopDirection = 'gte' | 'lte';

/**
 * Exit orders of an order. They are placed when the order has ended after trading: a limit order of the opposite side
 * at `takeProfit`, and a stop order at `stopLoss`, which executes as a market order, or as a limit order at
 * `stopLossLimit` if that is given. At least one of `takeProfit` and `stopLoss` is required. After a buy the exit
 * orders sell the bought amount less the fee. After a sale they buy coins back with its proceeds after the
 * fee, at most the sold amount if they have a price.
 */
export interface ExitsRequest {
  readonly takeProfit?: Decimal | undefined;
  readonly stopLoss?: Decimal | undefined;
  readonly stopLossLimit?: Decimal | undefined;
}

/**
 * An order as the user requests it. Exactly one of `amount` (in the base coin) and `total` (in the quote coin) is set.
 */
export interface OrderRequest {
  readonly side: Side;
  readonly type: OrderType;
  readonly price?: Decimal | undefined;
  readonly amount?: Decimal | undefined;
  readonly total?: Decimal | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Trigger price of a stop or take-profit order; undefined for all other orders, including trailing stops. */
  readonly stopPrice?: Decimal | undefined;
  /** Trigger condition of a stop order. If it is undefined, it is derived from side and type. */
  readonly direction?: StopDirection | undefined;
  /**
   * Distance, as a fraction, by which the last price must reverse from its best value to trigger a trailing stop. The
   * best value is that since the order's placement, or since its activation if it has an activation price.
   */
  readonly trail?: Decimal | undefined;
  /**
   * Activation price of a trailing stop, which begins to follow the market when the price of the last trade
   * reaches it. If it is undefined, the order follows from its placement.
   */
  readonly activation?: Decimal | undefined;
  /** Time at which a GTT order expires; undefined for other orders. */
  readonly expireAt?: Instant | undefined;
  readonly exits?: ExitsRequest | undefined;
}
