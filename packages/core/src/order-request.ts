import type { Decimal } from './decimal.ts';
import type { Side } from './pair.ts';
import type { Instant } from './time.ts';

/** `stop…` and `takeProfit…` wait for the last price to go through a level, `trailing` for it to turn. */
export type OrderType =
  | 'limit'
  | 'market'
  | 'stopLimit'
  | 'stopMarket'
  | 'takeProfitLimit'
  | 'takeProfitMarket'
  | 'trailing';
export type TimeInForce = 'GTC' | 'GTT' | 'IOC' | 'FOK';
/** Which way the last price must go through a stop: to the level or above it, or to the level or below it. */
export type StopDirection = 'gte' | 'lte';

/**
 * Where an order takes its profit and stops its loss once it has traded: a limit order of the other side at
 * `takeProfit`, and a stop at `stopLoss` that trades at the market or, with `stopLossLimit`, at that limit. At least one
 * of the first two is given. A buy sells what it bought; a sale buys back with what it brought.
 */
export interface ExitsRequest {
  readonly takeProfit?: Decimal | undefined;
  readonly stopLoss?: Decimal | undefined;
  readonly stopLossLimit?: Decimal | undefined;
}

/** What a person asks for, before anything is decided. Exactly one of `amount` (base) and `total` (quote) is given. */
export interface OrderRequest {
  readonly side: Side;
  readonly type: OrderType;
  readonly price?: Decimal | undefined;
  readonly amount?: Decimal | undefined;
  readonly total?: Decimal | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Where a stop triggers; not given for trailing stops. */
  readonly stopPrice?: Decimal | undefined;
  /** Follows from side and type where it is not given. */
  readonly direction?: StopDirection | undefined;
  /** A trailing stop's distance from the best price since it was placed, as a fraction. */
  readonly trail?: Decimal | undefined;
  /** Where a trailing stop begins to follow; from the start where it is not given. */
  readonly activation?: Decimal | undefined;
  /** When a GTT order ends by itself. */
  readonly expireAt?: Instant | undefined;
  readonly exits?: ExitsRequest | undefined;
}
