import { Decimal } from '@exchange/core/decimal.ts';
import type { ApiOrderType } from '@exchange/wire/public-api/calls.ts';
import { amountText, apiSymbol, priceText, quoteText } from './present.ts';
import type { SpotOrder, UserFill } from './trading-service.ts';

const ZERO = Decimal.zero;
const TYPES: Readonly<Record<SpotOrder['type'], ApiOrderType>> = {
  limit: 'LIMIT',
  market: 'MARKET',
  stopLimit: 'STOP_LOSS_LIMIT',
  stopMarket: 'STOP_LOSS',
  takeProfitLimit: 'TAKE_PROFIT_LIMIT',
  takeProfitMarket: 'TAKE_PROFIT',
  trailing: 'STOP_LOSS',
};
const SELF_TRADE: Readonly<Record<SpotOrder['selfTrade'], string>> = {
  cancelTaker: 'EXPIRE_TAKER',
  cancelMaker: 'EXPIRE_MAKER',
  cancelBoth: 'EXPIRE_BOTH',
  decrement: 'DECREMENT',
};
/** Ends that somebody asked for; other ends without a fill are expiries. */
const CANCELLED: ReadonlySet<SpotOrder['reason']> = new Set(['user', 'oco', 'pairHalted']);
const NO_LIST = -1;

export function statusOf({ state, reason, filledAmount }: SpotOrder): string {
  if (state === 'filled') return 'FILLED';
  if (state === 'open') return filledAmount.isZero() ? 'NEW' : 'PARTIALLY_FILLED';
  if (CANCELLED.has(reason)) return 'CANCELED';
  return reason === 'selfTrade' ? 'EXPIRED_IN_MATCH' : 'EXPIRED';
}

/** The type of an order in the dialect. */
export function orderTypeOf({ type, postOnly }: SpotOrder): ApiOrderType {
  return type === 'limit' && postOnly ? 'LIMIT_MAKER' : TYPES[type];
}

export function timeInForceOf({ timeInForce }: SpotOrder): string {
  return timeInForce === 'GTT' ? 'GTC' : timeInForce;
}

export function selfTradeModeOf({ selfTrade }: SpotOrder): string {
  return SELF_TRADE[selfTrade];
}

/** Whether an open order is on the book or has executed; false for a stop that waits. */
export function isWorking({ stop }: SpotOrder): boolean {
  return stop === undefined || stop.status === 'triggered';
}

/** The fields that an order has in every answer. */
function orderFields(order: SpotOrder, number: number) {
  const { pair } = order;
  return {
    symbol: apiSymbol(pair),
    orderId: number,
    orderListId: NO_LIST,
    clientOrderId: order.clientId,
    price: priceText(pair, order.price ?? ZERO),
    origQty: amountText(pair, order.amount ?? order.filledAmount),
    executedQty: amountText(pair, order.filledAmount),
    origQuoteOrderQty: quoteText(order.total ?? ZERO),
    cummulativeQuoteQty: quoteText(order.filledTotal),
    status: statusOf(order),
    timeInForce: timeInForceOf(order),
    type: orderTypeOf(order),
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    selfTradePreventionMode: selfTradeModeOf(order),
  };
}

/** An order in lists and queries. */
export function presentOrder(order: SpotOrder, number: number) {
  const { pair, stop } = order;
  return {
    ...orderFields(order, number),
    stopPrice: priceText(pair, stop?.price ?? ZERO),
    icebergQty: amountText(pair, ZERO),
    time: order.createdAt,
    updateTime: order.updatedAt,
    isWorking: isWorking(order),
    workingTime: stop === undefined ? order.createdAt : (stop.triggeredAt ?? NO_LIST),
  };
}

export function presentAcknowledgement(order: SpotOrder, number: number) {
  return {
    symbol: apiSymbol(order.pair),
    orderId: number,
    orderListId: NO_LIST,
    clientOrderId: order.clientId,
    transactTime: order.createdAt,
  };
}

/** The answer to a new order without its fills. */
export function presentResult(order: SpotOrder, number: number) {
  const { stop, pair } = order;
  return {
    ...orderFields(order, number),
    transactTime: order.createdAt,
    workingTime: order.createdAt,
    ...(stop === undefined ? {} : { stopPrice: priceText(pair, stop.price) }),
  };
}

/** The answer to a cancellation; `clientOrderId` names the cancellation, `origClientOrderId` the order. */
export function presentCancelled(order: SpotOrder, number: number, name: string) {
  return {
    ...orderFields(order, number),
    clientOrderId: name,
    origClientOrderId: order.clientId,
    transactTime: order.updatedAt,
  };
}

type Parties = Pick<UserFill, 'role' | 'takerSide'>;

function isBuyer({ role, takerSide }: Parties): boolean {
  return (takerSide === 'buy') === (role === 'taker');
}

function commissionOf(pair: SpotOrder['pair'], fill: UserFill) {
  return {
    commission: quoteText(fill.role === 'taker' ? fill.takerFee : fill.makerFee),
    commissionAsset: isBuyer(fill) ? pair.base : pair.quote,
  };
}

/** A fill in the answer to a new order. */
export function presentNewFill(pair: SpotOrder['pair'], fill: UserFill) {
  return {
    price: priceText(pair, fill.price),
    qty: amountText(pair, fill.amount),
    ...commissionOf(pair, fill),
    tradeId: fill.sequence,
  };
}

/** A fill in the list of an account's trades. */
export function presentOwnFill(pair: SpotOrder['pair'], fill: UserFill, orderNumber: number) {
  return {
    symbol: apiSymbol(pair),
    id: fill.sequence,
    orderId: orderNumber,
    orderListId: NO_LIST,
    price: priceText(pair, fill.price),
    qty: amountText(pair, fill.amount),
    quoteQty: quoteText(fill.total),
    ...commissionOf(pair, fill),
    time: fill.at,
    isBuyer: isBuyer(fill),
    isMaker: fill.role === 'maker',
    isBestMatch: true,
  };
}
