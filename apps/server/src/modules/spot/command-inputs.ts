import type { Decimal } from '@exchange/core/decimal.ts';
import type { FeeRates } from '@exchange/core/fee.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { AssetCode, PairStatus, Side } from '@exchange/core/pair.ts';
import type { OcoRequest } from '@exchange/core/spot-oco.ts';
import type { OrderRequest } from '@exchange/core/spot.ts';
import { becomes } from '@exchange/core/stop.ts';
import type { SelfTrade } from '../matching/index.ts';
import type { PlaceOrder } from './parts.ts';

/** What a step that may trade knows from outside. */
export interface Outside {
  /** Reference price for the band and for price protection, as it was when the step was asked for. */
  readonly reference: Decimal | undefined;
  /** USDT per unit of the quote asset, for the volume that counts toward fee tiers. */
  readonly quoteValue: Decimal | undefined;
}

/** What is fixed for an order when it is placed, besides the request itself. */
export interface Entering extends Outside {
  readonly owner: UserId;
  readonly symbol: string;
  readonly selfTrade: SelfTrade;
  readonly rates: FeeRates;
  readonly clientId: string;
}

export interface PlaceInput extends Entering {
  readonly request: OrderRequest;
}

/** What the placing step is told, all fields by name: it is the commonest of all. */
export function placeInput(entering: Entering, request: OrderRequest): PlaceInput {
  const { owner, symbol, selfTrade, rates, clientId, reference, quoteValue } = entering;
  return { owner, symbol, selfTrade, rates, clientId, reference, quoteValue, request };
}

/** An order as the book's rules read it, with what it left open as usual. */
export function requestOf(order: PlaceOrder): OrderRequest {
  const usual = becomes(order.type) === 'limit' ? 'GTC' : 'IOC';
  return {
    side: order.side,
    type: order.type,
    price: order.price,
    amount: order.amount,
    total: order.total,
    stopPrice: order.stopPrice,
    direction: order.direction,
    trail: order.trail,
    expireAt: order.expireAt,
    postOnly: order.postOnly ?? false,
    timeInForce: order.timeInForce ?? usual,
  };
}

export interface OcoInput extends Entering {
  readonly request: OcoRequest;
}

export interface AmendInput extends Outside {
  readonly owner: UserId;
  readonly order: OrderId;
  /** What is absent stays as it is. */
  readonly price: Decimal | undefined;
  /** In all, the filled part included. */
  readonly amount: Decimal | undefined;
}

export interface CancelInput {
  readonly owner: UserId;
  readonly order: OrderId;
}

export interface CancelAllInput {
  readonly owner: UserId;
  readonly base: AssetCode | undefined;
  readonly quote: AssetCode | undefined;
  readonly side: Side | undefined;
}

/** `order` is due, the first of those that may move; nothing happens when it is not. */
export interface TriggerInput extends Outside {
  readonly order: OrderId;
}

export interface StatusInput {
  readonly symbol: string;
  readonly status: PairStatus;
  readonly by: string;
  readonly reason: string;
}
