import type { UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { OcoRequest } from '@exchange/core/spot-oco.ts';
import type { OrderRequest } from '@exchange/core/spot.ts';
import type { SelfTrade } from '../matching/index.ts';

/** What an order needs to be told; `timeInForce` defaults to GTC for what becomes a limit order and IOC for the rest. */
export interface PlaceOrder extends Omit<OrderRequest, 'timeInForce' | 'postOnly'> {
  readonly symbol: string;
  readonly timeInForce?: OrderRequest['timeInForce'] | undefined;
  readonly postOnly?: boolean | undefined;
  readonly selfTrade?: SelfTrade | undefined;
}

export interface PlaceOco extends OcoRequest {
  readonly symbol: string;
  readonly selfTrade?: SelfTrade | undefined;
}

/** What spot asks of identity: whether a user may buy, from memory. */
export interface Standings {
  /** Loads the user's standing where it is not yet known; refuses a frozen account. */
  requireTrading(user: UserId, side: Side): Promise<void>;
}
