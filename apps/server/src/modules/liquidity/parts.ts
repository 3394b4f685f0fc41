import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair, PairFilters, Side } from '@exchange/core/pair.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

/**
 * The order functions of the spot module that the market maker and the simulated takers use; their orders are
 * subject to the same rules as those of users. A refusal is thrown as `Refused`.
 */
export interface SpotTrading {
  place(user: UserId, order: HouseOrder): Promise<unknown>;
  /** Moves an open order to another price; its amount stays. */
  amend(user: UserId, id: OrderId, change: { readonly price: Decimal }): Promise<unknown>;
  cancel(user: UserId, id: OrderId): Promise<unknown>;
  openOrders(user: UserId): readonly {
    readonly id: OrderId;
    readonly symbol: string;
    readonly side: Side;
    readonly price: Decimal;
    readonly remaining: Decimal;
  }[];
}

export interface HouseOrder {
  readonly symbol: string;
  readonly side: Side;
  readonly type: 'limit' | 'market';
  readonly price?: Decimal;
  readonly amount: Decimal;
  readonly timeInForce: 'GTC' | 'IOC';
  readonly postOnly?: boolean;
}

/**
 * The prices that the market maker and the simulated takers need: the index price of a pair and the best
 * price on a side of its book, both in the quote coin, and the price of a coin in USDT. Each is undefined
 * while it is unknown.
 */
export interface Prices {
  indexPrice(symbol: string): { readonly price: Decimal } | undefined;
  bestPrice(symbol: string, side: Side): Decimal | undefined;
  usdtPrice(coin: string): Decimal | undefined;
}

export interface QuotedPair {
  readonly pair: Pair;
  readonly filters: PairFilters;
  /** True if the base coin was sold in a token sale; such a coin is scarce, so the quoted amounts are small. */
  readonly isToken: boolean;
}

export interface TradingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly spot: SpotTrading;
  readonly prices: Prices;
  readonly pairs: readonly QuotedPair[];
}
