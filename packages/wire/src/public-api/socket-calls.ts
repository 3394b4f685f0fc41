import * as calls from './calls.ts';
import type { ApiCall } from './calls.ts';
import { choice, required } from './parameters.ts';
import type { RequestId } from './streams.ts';

/** A request on a connection of the WebSocket API. */
export interface SocketRequest {
  /** ID of the request, which is repeated in the response; null if the request has none. */
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const NAME_LENGTH = 60;
const ID_LENGTH = 36;

/**
 * Parses a request of the WebSocket API; undefined if it is malformed. Does not use zod, which is ten times slower,
 * because every order sent over a WebSocket is parsed here.
 */
export function socketRequestOf(json: unknown): SocketRequest | undefined {
  if (!isObject(json)) return undefined;
  const { id = null, method, params = {} } = json;
  if (!isRequestId(id) || typeof method !== 'string' || method.length > NAME_LENGTH) return undefined;
  if (!isObject(params)) return undefined;
  for (const name of Object.keys(params)) if (name.length > NAME_LENGTH) return undefined;
  return { id, method, params };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRequestId(id: unknown): id is RequestId {
  return id === null || Number.isSafeInteger(id) || (typeof id === 'string' && id.length <= ID_LENGTH);
}

/**
 * Endpoints of the trading API by the method name that they have in the WebSocket API. Parameters and responses are the
 * same in both.
 */
export const SOCKET_METHODS: ReadonlyMap<string, ApiCall> = new Map(
  Object.entries({
    ping: calls.ping,
    time: calls.time,
    exchangeInfo: calls.exchangeInfo,
    depth: calls.depth,
    'trades.recent': calls.trades,
    'trades.historical': calls.historicalTrades,
    'trades.aggregate': calls.aggTrades,
    klines: calls.klines,
    uiKlines: calls.uiKlines,
    avgPrice: calls.avgPrice,
    'ticker.24hr': calls.ticker24hr,
    ticker: calls.rollingTicker,
    'ticker.price': calls.tickerPrice,
    'ticker.book': calls.bookTicker,
    'order.place': calls.newOrder,
    'order.test': calls.testOrder,
    'order.status': calls.order,
    'order.cancel': calls.cancelOrder,
    'order.cancelReplace': calls.cancelReplaceOrder,
    'order.amend.keepPriority': calls.amendOrder,
    'order.place.batch': calls.placeBatch,
    'order.cancel.batch': calls.cancelBatch,
    'orderList.place.oco': calls.placeList,
    'orderList.place': calls.placeOco,
    'orderList.place.oto': calls.placeOto,
    'orderList.place.otoco': calls.placeOtoco,
    'orderList.cancel': calls.cancelList,
    'orderList.status': calls.orderList,
    'openOrderLists.status': calls.openOrderLists,
    allOrderLists: calls.allOrderLists,
    'account.rateLimits.orders': calls.orderRateLimits,
    'order.amendments': calls.orderAmendments,
    'openOrders.status': calls.openOrders,
    'openOrders.cancelAll': calls.cancelOpenOrders,
    countdownCancelAll: calls.countdownCancelAll,
    allOrders: calls.allOrders,
    myTrades: calls.myTrades,
    'account.status': calls.account,
    'account.commission': calls.accountCommission,
    'userDataStream.start': calls.createListenKey,
    'userDataStream.ping': calls.prolongListenKey,
    'userDataStream.stop': calls.endListenKey,
  }).map(([method, call]) => [method, call as unknown as ApiCall]),
);

/**
 * Parameters of the method `session.cancelOnDisconnect`: if `enabled` is `true`, orders placed through the
 * connection after this request are cancelled when the connection ends.
 */
export const CANCEL_ON_DISCONNECT = { enabled: required(choice(['true', 'false'])) };

/** Methods of the WebSocket API that are about the connection itself: session and subscriptions. */
export const SESSION_METHODS = [
  'session.logon',
  'session.status',
  'session.logout',
  'session.cancelOnDisconnect',
  'session.subscriptions',
  'userDataStream.subscribe',
  'userDataStream.subscribe.signature',
  'userDataStream.unsubscribe',
] as const;
export type SessionMethod = (typeof SESSION_METHODS)[number];

/** Descriptions of the methods in `SESSION_METHODS`, for the documents. */
export const SESSION_METHOD_TEXTS: Readonly<Record<SessionMethod, string>> = {
  'session.logon': 'Logs the connection on: its later requests need no signature. Signed, with `apiKey`.',
  'session.status':
    'The key with which the connection is logged on, if any, and whether its end cancels the orders placed through it.',
  'session.logout': 'Ends the log-on; the connection stays open.',
  'session.cancelOnDisconnect':
    'With `enabled` true, orders placed through the connection from now on are cancelled when it ends for any reason, also with the server; false ends this for later orders. After a log-on with a key that may trade.',
  'session.subscriptions': 'The subscriptions of the connection.',
  'userDataStream.subscribe': 'Sends the events of the account whose key is logged on.',
  'userDataStream.subscribe.signature': 'Sends the events of the account whose key signs the request.',
  'userDataStream.unsubscribe': 'Ends one subscription by `subscriptionId`, or all.',
};
