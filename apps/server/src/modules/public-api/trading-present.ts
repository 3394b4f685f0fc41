import { Decimal } from '@exchange/core/decimal.ts';
import type { ApiOrderType } from '@exchange/wire/public-api/calls.ts';
import { amountText, apiSymbol, priceText, quoteText } from './present.ts';
import { isPending, type AmountChange, type SpotOrder, type UserFill } from './trading-service.ts';

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
/**
 * Reasons with which the end of an order is shown as a cancellation. Any other end, except a complete fill, is shown as
 * an expiry.
 */
const CANCELLED: ReadonlySet<SpotOrder['reason']> = new Set([
  'user',
  'oco',
  'oto',
  'pairHalted',
  'countdown',
  'disconnected',
  'grid',
]);
const NO_LIST = -1;
const NO_TIME = -1;

export function statusOf(order: SpotOrder): string {
  const { state, reason, filledAmount } = order;
  if (state === 'filled') return 'FILLED';
  if (state === 'open' && isPending(order)) return 'PENDING_NEW';
  if (state === 'open') return filledAmount.isZero() ? 'NEW' : 'PARTIALLY_FILLED';
  if (CANCELLED.has(reason)) return 'CANCELED';
  return reason === 'selfTrade' ? 'EXPIRED_IN_MATCH' : 'EXPIRED';
}

/** The type of an order in the trading API. */
export function orderTypeOf({ type, postOnly, groupId }: SpotOrder): ApiOrderType {
  // The limit order of an OCO (with a `groupId`) is post-only, so it has the type `LIMIT_MAKER` too: it is
  // refused if it would execute at once.
  return type === 'limit' && (postOnly || groupId !== '') ? 'LIMIT_MAKER' : TYPES[type];
}

export function timeInForceOf({ timeInForce }: SpotOrder): string {
  return timeInForce === 'GTT' ? 'GTC' : timeInForce;
}

export function selfTradeModeOf({ selfTrade }: SpotOrder): string {
  return SELF_TRADE[selfTrade];
}

export function sideOf({ side }: SpotOrder): 'BUY' | 'SELL' {
  return side === 'buy' ? 'BUY' : 'SELL';
}

/**
 * Whether an order has been sent to the matching engine: false for a stop that has not triggered and for a pending
 * order of an OTO whose working order has not filled yet.
 */
export function isWorking(order: SpotOrder): boolean {
  const { stop } = order;
  return !isPending(order) && (stop === undefined || stop.status === 'triggered');
}

/** The numbers of an order and of its list in the trading API; −1 without a list. */
export interface OrderNumbers {
  readonly order: number;
  readonly list: number;
}

/** The fields of an order in lists and in the answers to new orders, except acknowledgements, and to cancellations. */
function orderFields(order: SpotOrder, numbers: OrderNumbers) {
  const { pair } = order;
  return {
    symbol: apiSymbol(pair),
    orderId: numbers.order,
    orderListId: numbers.list,
    clientOrderId: order.clientId,
    price: priceText(pair, order.price ?? ZERO),
    origQty: amountText(pair, order.amount ?? order.filledAmount),
    executedQty: amountText(pair, order.filledAmount),
    origQuoteOrderQty: quoteText(order.total ?? ZERO),
    cummulativeQuoteQty: quoteText(order.filledTotal),
    status: statusOf(order),
    timeInForce: timeInForceOf(order),
    type: orderTypeOf(order),
    side: sideOf(order),
    selfTradePreventionMode: selfTradeModeOf(order),
  };
}

/** An order in the form of the API's lists and queries. */
export function presentOrder(order: SpotOrder, numbers: OrderNumbers) {
  const { pair, stop } = order;
  return {
    ...orderFields(order, numbers),
    stopPrice: priceText(pair, stop?.price ?? ZERO),
    icebergQty: amountText(pair, ZERO),
    time: order.createdAt,
    updateTime: order.updatedAt,
    isWorking: isWorking(order),
    workingTime: workingTimeOf(order),
  };
}

/**
 * Time in milliseconds UTC at which an order was sent to the matching engine: of the trigger of a stop, the release of
 * a pending order, or else the placement. −1 while it waits for one of them.
 */
export function workingTimeOf(order: SpotOrder): number {
  if (!isWorking(order)) return NO_TIME;
  return order.stop?.triggeredAt ?? order.oto?.releasedAt ?? order.createdAt;
}

export function presentAcknowledgement(order: SpotOrder, numbers: OrderNumbers) {
  return {
    symbol: apiSymbol(order.pair),
    orderId: numbers.order,
    orderListId: numbers.list,
    clientOrderId: order.clientId,
    transactTime: order.createdAt,
  };
}

/** The answer to a new order without its fills. */
export function presentResult(order: SpotOrder, numbers: OrderNumbers) {
  const { stop, pair } = order;
  return {
    ...orderFields(order, numbers),
    transactTime: order.createdAt,
    workingTime: workingTimeOf(order),
    ...(stop === undefined ? {} : { stopPrice: priceText(pair, stop.price) }),
  };
}

/** The answer to a cancellation; `clientOrderId` names the cancellation, `origClientOrderId` the order. */
export function presentCancelled(order: SpotOrder, numbers: OrderNumbers, name: string | undefined) {
  return {
    ...orderFields(order, numbers),
    clientOrderId: name ?? `cancel-${numbers.order}`,
    origClientOrderId: order.clientId,
    transactTime: order.updatedAt,
  };
}

/**
 * The API's answer to an amendment of an order's amount. `amendment` is the number of the amendment, which increases
 * with each amendment of the order.
 */
export function presentAmended(order: SpotOrder, numbers: OrderNumbers, amendment: number) {
  const { pair, clientId } = order;
  return {
    transactTime: order.updatedAt,
    executionId: amendment,
    amendedOrder: {
      symbol: apiSymbol(pair),
      orderId: numbers.order,
      orderListId: numbers.list,
      origClientOrderId: clientId,
      clientOrderId: clientId,
      price: priceText(pair, order.price ?? ZERO),
      qty: amountText(pair, order.amount ?? ZERO),
      executedQty: amountText(pair, order.filledAmount),
      preventedQty: amountText(pair, order.cancelledAmount),
      quoteOrderQty: quoteText(ZERO),
      cumulativeQuoteQty: quoteText(order.filledTotal),
      status: statusOf(order),
      timeInForce: timeInForceOf(order),
      type: orderTypeOf(order),
      side: sideOf(order),
      workingTime: workingTimeOf(order),
      selfTradePreventionMode: selfTradeModeOf(order),
    },
  };
}

/** An amendment of an order in the API's list of amendments. */
export function presentAmendment(order: SpotOrder, number: number, amendment: AmountChange) {
  const { pair, clientId } = order;
  return {
    symbol: apiSymbol(pair),
    orderId: number,
    executionId: amendment.sequence,
    origClientOrderId: clientId,
    newClientOrderId: clientId,
    origQty: amountText(pair, amendment.amountBefore ?? ZERO),
    newQty: amountText(pair, amendment.amount ?? ZERO),
    time: amendment.at,
  };
}

/**
 * Whether an order list is open. An OCO is open while both of its orders are open and its stop has not
 * triggered. An OTO is open while one of its orders is open.
 */
export function isListOpen(orders: readonly SpotOrder[]): boolean {
  if (orders.some(({ oto }) => oto !== undefined)) return orders.some(({ state }) => state === 'open');
  return orders.every(({ state, stop }) => state === 'open' && stop?.status !== 'triggered');
}

/**
 * The client id of an order list: the one that its owner chose, otherwise one that is derived from the list's
 * number.
 */
function listNameOf({ listName }: SpotOrder, number: number): string {
  return listName === '' ? `list-${number}` : listName;
}

/** A list of orders that cancel one another or wait for one another. */
export function presentList(orders: readonly SpotOrder[], numbers: readonly OrderNumbers[]) {
  const [order] = orders as readonly [SpotOrder];
  const { pair, createdAt } = order;
  const [{ list }] = numbers as readonly [OrderNumbers];
  const isOpen = isListOpen(orders);
  return {
    orderListId: list,
    contingencyType: order.oto === undefined ? 'OCO' : 'OTO',
    listStatusType: isOpen ? 'EXEC_STARTED' : 'ALL_DONE',
    listOrderStatus: isOpen ? 'EXECUTING' : 'ALL_DONE',
    listClientOrderId: listNameOf(order, list),
    transactionTime: createdAt,
    symbol: apiSymbol(pair),
    orders: orders.map((order, index) => ({
      symbol: apiSymbol(pair),
      orderId: numbers[index]!.order,
      clientOrderId: order.clientId,
    })),
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
