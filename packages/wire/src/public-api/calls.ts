import { API_INTERVALS } from '@exchange/core/api-interval.ts';
import { apiErrors } from './errors.ts';
import {
  choice,
  clientOrderId,
  clientOrderIds,
  countdownMs,
  decimalNumber,
  jsonObjects,
  limit,
  milliseconds,
  offset,
  pageNumber,
  required,
  seconds,
  symbol,
  symbols,
  wholeNumber,
  wholeNumbers,
  windowMs,
  words,
  type Parameters,
  type ValuesOf,
} from './parameters.ts';

/**
 * Maximum request weight that an IP address can use at once. Used weight is regained continuously, this number per
 * minute. A request above the limit is refused.
 */
export const WEIGHT_PER_MINUTE = 6_000;

/**
 * Maximum number of new orders that an account can place at once; used ones are regained continuously, this number in
 * ten seconds. `ORDERS_PER_DAY` is a second limit, which is regained in 24 hours. An order above a limit is refused.
 */
export const ORDERS_PER_TEN_SECONDS = 100;
export const ORDERS_PER_DAY = 200_000;
/**
 * Maximum length of a countdown in milliseconds. At the end of a countdown, the account's open orders on a pair, or on
 * all pairs, are cancelled, unless a program has renewed the countdown before.
 */
export const COUNTDOWN_MAX_MS = 86_400_000;
/** Maximum number of orders in a batch request. */
export const BATCH_ORDERS_MAX = 20;

/**
 * Who may call an endpoint of the trading API. `open`: everyone; `key`: the header `X-MBX-APIKEY` must contain an API
 * key; `signed`: the request must also be signed with that API key.
 */
export type ApiAccess = 'open' | 'key' | 'signed';

/** The description of an endpoint of the public trading API; the server and the documents use it. */
export interface ApiCall<P extends Parameters = Parameters> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly group:
    | 'general'
    | 'market'
    | 'account'
    | 'wallet'
    | 'sub-accounts'
    | 'trading'
    | 'charts'
    | 'listing';
  readonly access: ApiAccess;
  /** Permission that the API key of a signed request must have; every API key has the permission `read`. */
  readonly action: 'read' | 'trade' | 'transfer' | 'withdraw';
  readonly summary: string;
  readonly parameters: P;
  /**
   * True if the response states how much of the account's limits of new orders (per ten seconds and per day) is used.
   */
  readonly countsOrders: boolean;
  /**
   * Returns the weight of a request, at most `WEIGHT_PER_MINUTE`; it is charged to the IP address before the request is
   * executed.
   */
  readonly weight: (values: ValuesOf<P>) => number;
}

interface CallDescription<P extends Parameters> {
  readonly path: string;
  readonly group: ApiCall['group'];
  readonly summary: string;
  readonly parameters?: P;
  readonly weight: number | ((values: ValuesOf<P>) => number);
}

/** Describes an endpoint that needs no API key and changes nothing. */
function openRead<const P extends Parameters>(description: CallDescription<P>): ApiCall<P> {
  const { path, group, summary, parameters, weight } = description;
  return {
    method: 'GET',
    path,
    group,
    access: 'open',
    action: 'read',
    summary,
    parameters: parameters ?? ({} as P),
    countsOrders: false,
    weight: typeof weight === 'number' ? () => weight : weight,
  };
}

const interval = required(choice(API_INTERVALS, apiErrors.invalidInterval));
/** The time zone of candles. Only UTC is accepted, in several spellings. */
const timeZone = choice(['0', '+0', '-0', '+00:00', '0:00', '00:00']);
const onePair = { symbol: required(symbol) };
const manyPairs = { symbol, symbols };
const tickerType = choice(['FULL', 'MINI']);

export const ping = openRead({
  path: '/api/v3/ping',
  group: 'general',
  summary: 'Answers an empty object.',
  weight: 1,
});

export const time = openRead({
  path: '/api/v3/time',
  group: 'general',
  summary: 'The time of the server.',
  weight: 1,
});

export const exchangeInfo = openRead({
  path: '/api/v3/exchangeInfo',
  group: 'general',
  summary:
    'Limits of requests, and the pairs with their status, precisions and filters. A pair that is not trading has `pause`: the cause, the halted coin, the time by which there is news, and a note by language.',
  parameters: manyPairs,
  weight: 20,
});

const FUTURES_VENUES = ['/fapi/v1/exchangeInfo', '/dapi/v1/exchangeInfo'] as const;
/**
 * Endpoints of futures markets, whose responses contain no markets: client libraries request them by default, but the
 * exchange has no futures.
 */
export const noFutures = FUTURES_VENUES.map((path) =>
  openRead({ path, group: 'general', summary: 'No futures: an answer without markets.', weight: 1 }),
);

export const depth = openRead({
  path: '/api/v3/depth',
  group: 'market',
  summary: 'The price levels of a book, best first. `lastUpdateId` grows with every change of the book.',
  parameters: { symbol: required(symbol), limit: limit(100, 5_000) },
  weight: ({ limit: rows }) => (rows <= 100 ? 5 : rows <= 500 ? 25 : rows <= 1_000 ? 50 : 250),
});

export const trades = openRead({
  path: '/api/v3/trades',
  group: 'market',
  summary: 'The newest trades, oldest first.',
  parameters: { symbol: required(symbol), limit: limit(500, 1_000) },
  weight: 25,
});

export const historicalTrades = openRead({
  path: '/api/v3/historicalTrades',
  group: 'market',
  summary: 'Trades from an id on, oldest first; without it the newest.',
  parameters: { symbol: required(symbol), fromId: wholeNumber, limit: limit(500, 1_000) },
  weight: 25,
});

export const aggTrades = openRead({
  path: '/api/v3/aggTrades',
  group: 'market',
  summary:
    'Trades, oldest first, where consecutive fills of one order at one price are one row, whose id is that of its first trade.',
  parameters: {
    symbol: required(symbol),
    fromId: wholeNumber,
    startTime: milliseconds,
    endTime: milliseconds,
    limit: limit(500, 1_000),
  },
  weight: 4,
});

const klineParameters = {
  symbol: required(symbol),
  interval,
  startTime: milliseconds,
  endTime: milliseconds,
  timeZone,
  limit: limit(500, 1_000),
};

export const klines = openRead({
  path: '/api/v3/klines',
  group: 'market',
  summary:
    'Candles without gaps, oldest first; the last one is still running. The last three cells, what takers bought in the base and in the quote coin and an unused "0", are left out of candles with trades from before the exchange counted them. Candles of one second begin with the first trade, and are fewer than `limit` if they contain more than 100,000 trades.',
  parameters: klineParameters,
  weight: 2,
});

export const uiKlines = openRead({
  path: '/api/v3/uiKlines',
  group: 'market',
  summary: 'The same as `/api/v3/klines`.',
  parameters: klineParameters,
  weight: 2,
});

export const avgPrice = openRead({
  path: '/api/v3/avgPrice',
  group: 'market',
  summary: 'The average price of the last five minutes, weighted by amount; without trades the last price.',
  parameters: onePair,
  weight: 2,
});

export const ticker24hr = openRead({
  path: '/api/v3/ticker/24hr',
  group: 'market',
  summary: 'Statistics of the last 24 hours: an object for `symbol`, otherwise a list.',
  parameters: { symbol, symbols, type: tickerType },
  weight: (values) => (values.symbol === undefined ? 80 : 2),
});

const sizesTo = (most: number, unit: 'm' | 'h' | 'd') =>
  Array.from({ length: most }, (_, index) => `${index + 1}${unit}`);
/** Lengths of the rolling windows that a request can select: numbers of minutes, hours and days. */
const WINDOW_SIZES = [...sizesTo(59, 'm'), ...sizesTo(23, 'h'), ...sizesTo(7, 'd')];
const WINDOW_WEIGHT = { each: 4, most: 200 } as const;

export const rollingTicker = openRead({
  path: '/api/v3/ticker',
  group: 'market',
  summary:
    'Statistics of a window that ends now and begins with a full minute, so that it is up to a minute longer than `windowSize`: an object for `symbol`, a list for `symbols`.',
  parameters: {
    symbol,
    symbols,
    windowSize: choice(WINDOW_SIZES),
    type: tickerType,
  },
  weight: ({ symbols: names }) =>
    Math.min(WINDOW_WEIGHT.most, WINDOW_WEIGHT.each * Math.max(1, names?.length ?? 1)),
});

export const tickerPrice = openRead({
  path: '/api/v3/ticker/price',
  group: 'market',
  summary: 'The last price: an object for `symbol`, otherwise a list.',
  parameters: manyPairs,
  weight: (values) => (values.symbol === undefined ? 4 : 2),
});

export const bookTicker = openRead({
  path: '/api/v3/ticker/bookTicker',
  group: 'market',
  summary: 'The best bid and ask with their amounts: an object for `symbol`, otherwise a list.',
  parameters: manyPairs,
  weight: (values) => (values.symbol === undefined ? 4 : 2),
});

/**
 * Parameters that every signed request has in addition to those of its endpoint. The signature covers all parameters
 * except `signature`.
 */
export const SIGNED_PARAMETERS = {
  timestamp: required(milliseconds),
  recvWindow: windowMs,
  signature: required(words(200)),
};
export const RECV_WINDOW_MS = { usual: 5_000, most: 60_000 } as const;

/** Describes an endpoint that changes nothing; its requests need an API key in the header, but no signature. */
function keyRead<const P extends Parameters>(description: CallDescription<P>): ApiCall<P> {
  return { ...openRead(description), access: 'key' };
}

interface SignedDescription<P extends Parameters> extends CallDescription<P> {
  readonly method?: ApiCall['method'];
  readonly countsOrders?: boolean;
}

/**
 * Describes an endpoint whose requests must be signed with an API key. Without `method`, it is a GET that changes
 * nothing.
 */
function signed<const P extends Parameters>(description: SignedDescription<P>): ApiCall<P> {
  const { method = 'GET', countsOrders = false } = description;
  return {
    ...openRead(description),
    method,
    countsOrders,
    access: 'signed',
    action: method === 'GET' ? 'read' : 'trade',
  };
}

export const API_SIDES = ['BUY', 'SELL'] as const;
export const API_ORDER_TYPES = [
  'LIMIT',
  'LIMIT_MAKER',
  'MARKET',
  'STOP_LOSS',
  'STOP_LOSS_LIMIT',
  'TAKE_PROFIT',
  'TAKE_PROFIT_LIMIT',
] as const;
export type ApiOrderType = (typeof API_ORDER_TYPES)[number];
export const API_CANCEL_RESTRICTIONS = ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED'] as const;
export type ApiCancelRestriction = (typeof API_CANCEL_RESTRICTIONS)[number];
export const API_SELF_TRADE_MODES = ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'] as const;

export const newOrderParameters = {
  symbol: required(symbol),
  side: required(choice(API_SIDES, apiErrors.invalidSide)),
  type: required(choice(API_ORDER_TYPES, apiErrors.invalidOrderType)),
  timeInForce: choice(['GTC', 'IOC', 'FOK'], apiErrors.invalidTimeInForce),
  quantity: decimalNumber,
  quoteOrderQty: decimalNumber,
  price: decimalNumber,
  stopPrice: decimalNumber,
  newClientOrderId: clientOrderId,
  newOrderRespType: choice(['ACK', 'RESULT', 'FULL']),
  selfTradePreventionMode: choice(API_SELF_TRADE_MODES),
  icebergQty: decimalNumber,
};
const namedOrder = {
  symbol: required(symbol),
  orderId: wholeNumber,
  origClientOrderId: clientOrderId,
};

export const newOrder = signed({
  method: 'POST',
  path: '/api/v3/order',
  group: 'trading',
  summary:
    'Places an order. The answer is sent after the commit. Sent again unchanged it answers the first outcome.',
  parameters: newOrderParameters,
  countsOrders: true,
  weight: 1,
});
export const testOrder = signed({
  method: 'POST',
  path: '/api/v3/order/test',
  group: 'trading',
  summary:
    'Checks an order without placing it: its parameters, and the limits of its pair by present prices. Balances are not checked.',
  parameters: newOrderParameters,
  weight: 1,
});
const cancelRestrictions = choice(API_CANCEL_RESTRICTIONS);
export const cancelOrder = signed({
  method: 'DELETE',
  path: '/api/v3/order',
  group: 'trading',
  summary: 'Cancels an open order by its id, or by the name that it was placed with.',
  parameters: { ...namedOrder, newClientOrderId: clientOrderId, cancelRestrictions },
  weight: 1,
});
export const cancelReplaceOrder = signed({
  method: 'POST',
  path: '/api/v3/order/cancelReplace',
  group: 'trading',
  summary:
    'Cancels an order, then places another one on the same pair. `STOP_ON_FAILURE` places nothing when the cancellation was refused. Sent again unchanged it executes neither part twice.',
  parameters: {
    ...newOrderParameters,
    cancelReplaceMode: required(choice(['STOP_ON_FAILURE', 'ALLOW_FAILURE'])),
    cancelOrderId: wholeNumber,
    cancelOrigClientOrderId: clientOrderId,
    cancelNewClientOrderId: clientOrderId,
    cancelRestrictions,
    orderRateLimitExceededMode: choice(['DO_NOTHING']),
  },
  countsOrders: true,
  weight: 1,
});
export const placeBatch = signed({
  method: 'POST',
  path: '/api/v3/batchOrders',
  group: 'trading',
  summary:
    'Places up to 20 orders in their order as a JSON list of objects with the parameters of `POST /api/v3/order`. Each is answered by itself: with the order, or with its error.',
  parameters: { batchOrders: required(jsonObjects(BATCH_ORDERS_MAX)) },
  countsOrders: true,
  weight: ({ batchOrders }) => batchOrders.length,
});
export const cancelBatch = signed({
  method: 'DELETE',
  path: '/api/v3/batchOrders',
  group: 'trading',
  summary:
    'Cancels up to 20 open orders on a pair by their ids, then by their names. Each is answered by itself: with the order, or with its error.',
  parameters: {
    symbol: required(symbol),
    orderIdList: wholeNumbers(BATCH_ORDERS_MAX),
    origClientOrderIdList: clientOrderIds(BATCH_ORDERS_MAX),
  },
  weight: ({ orderIdList = [], origClientOrderIdList = [] }) =>
    Math.max(1, orderIdList.length + origClientOrderIdList.length),
});
export const orderRateLimits = signed({
  path: '/api/v3/rateLimit/order',
  group: 'trading',
  summary: 'The limits of new orders, and how much of them the account has used.',
  weight: 40,
});
const listParameters = {
  symbol: required(symbol),
  listClientOrderId: clientOrderId,
  side: required(choice(API_SIDES, apiErrors.invalidSide)),
  quantity: required(decimalNumber),
  newOrderRespType: choice(['ACK', 'RESULT', 'FULL']),
  selfTradePreventionMode: choice(API_SELF_TRADE_MODES),
};
const listLegTypes = ['LIMIT_MAKER', 'STOP_LOSS', 'STOP_LOSS_LIMIT'] as const;
export const placeList = signed({
  method: 'POST',
  path: '/api/v3/orderList/oco',
  group: 'trading',
  summary:
    'Places two orders that cancel one another: a limit order, above the last price for a sale and below it for a purchase, and a stop on the other side. Sent again unchanged it answers the first outcome.',
  parameters: {
    ...listParameters,
    aboveType: required(choice(listLegTypes, apiErrors.invalidOrderType)),
    aboveClientOrderId: clientOrderId,
    abovePrice: decimalNumber,
    aboveStopPrice: decimalNumber,
    aboveTimeInForce: choice(['GTC'], apiErrors.invalidTimeInForce),
    belowType: required(choice(listLegTypes, apiErrors.invalidOrderType)),
    belowClientOrderId: clientOrderId,
    belowPrice: decimalNumber,
    belowStopPrice: decimalNumber,
    belowTimeInForce: choice(['GTC'], apiErrors.invalidTimeInForce),
  },
  countsOrders: true,
  weight: 1,
});
export const placeOco = signed({
  method: 'POST',
  path: '/api/v3/order/oco',
  group: 'trading',
  summary: 'The older form of `POST /api/v3/orderList/oco`.',
  parameters: {
    ...listParameters,
    limitClientOrderId: clientOrderId,
    price: required(decimalNumber),
    stopClientOrderId: clientOrderId,
    stopPrice: required(decimalNumber),
    stopLimitPrice: decimalNumber,
    stopLimitTimeInForce: choice(['GTC'], apiErrors.invalidTimeInForce),
  },
  countsOrders: true,
  weight: 1,
});
const workingParameters = {
  symbol: required(symbol),
  listClientOrderId: clientOrderId,
  newOrderRespType: choice(['ACK', 'RESULT', 'FULL']),
  selfTradePreventionMode: choice(API_SELF_TRADE_MODES),
  workingType: required(choice(['LIMIT', 'LIMIT_MAKER'], apiErrors.invalidOrderType)),
  workingSide: required(choice(API_SIDES, apiErrors.invalidSide)),
  workingClientOrderId: clientOrderId,
  workingPrice: required(decimalNumber),
  workingQuantity: required(decimalNumber),
  workingIcebergQty: decimalNumber,
  workingTimeInForce: choice(['GTC', 'IOC', 'FOK'], apiErrors.invalidTimeInForce),
  pendingSide: required(choice(API_SIDES, apiErrors.invalidSide)),
  pendingQuantity: required(decimalNumber),
};
export const placeOto = signed({
  method: 'POST',
  path: '/api/v3/orderList/oto',
  group: 'trading',
  summary:
    'Places a working order, and a pending order that is placed when the working order is completely filled. Until then the pending order holds no funds, and the end of either order ends both. Sent again unchanged it answers the first outcome.',
  parameters: {
    ...workingParameters,
    pendingType: required(choice(API_ORDER_TYPES, apiErrors.invalidOrderType)),
    pendingClientOrderId: clientOrderId,
    pendingPrice: decimalNumber,
    pendingStopPrice: decimalNumber,
    pendingIcebergQty: decimalNumber,
    pendingTimeInForce: choice(['GTC', 'IOC', 'FOK'], apiErrors.invalidTimeInForce),
  },
  countsOrders: true,
  weight: 1,
});
export const placeOtoco = signed({
  method: 'POST',
  path: '/api/v3/orderList/otoco',
  group: 'trading',
  summary:
    'Places a working order, and two pending orders that are placed when the working order is completely filled and cancel one another: a limit order on one side of the working price and a stop on the other. Until then they hold no funds, and the end of one order ends all. Sent again unchanged it answers the first outcome.',
  parameters: {
    ...workingParameters,
    pendingAboveType: required(choice(listLegTypes, apiErrors.invalidOrderType)),
    pendingAboveClientOrderId: clientOrderId,
    pendingAbovePrice: decimalNumber,
    pendingAboveStopPrice: decimalNumber,
    pendingAboveTimeInForce: choice(['GTC'], apiErrors.invalidTimeInForce),
    pendingBelowType: required(choice(listLegTypes, apiErrors.invalidOrderType)),
    pendingBelowClientOrderId: clientOrderId,
    pendingBelowPrice: decimalNumber,
    pendingBelowStopPrice: decimalNumber,
    pendingBelowTimeInForce: choice(['GTC'], apiErrors.invalidTimeInForce),
  },
  countsOrders: true,
  weight: 1,
});
export const cancelList = signed({
  method: 'DELETE',
  path: '/api/v3/orderList',
  group: 'trading',
  summary: 'Cancels the open orders of a list by its id or name.',
  parameters: {
    symbol: required(symbol),
    orderListId: wholeNumber,
    listClientOrderId: clientOrderId,
    newClientOrderId: clientOrderId,
  },
  weight: 1,
});
export const orderList = signed({
  path: '/api/v3/orderList',
  group: 'trading',
  summary: 'A list of orders by its id or name.',
  parameters: { orderListId: wholeNumber, origClientOrderId: clientOrderId },
  weight: 4,
});
export const openOrderLists = signed({
  path: '/api/v3/openOrderList',
  group: 'trading',
  summary:
    'Open lists of orders, oldest first: OCOs of which both orders wait, and OTOs of which an order is open.',
  weight: 6,
});
export const allOrderLists = signed({
  path: '/api/v3/allOrderList',
  group: 'trading',
  summary:
    'Lists of orders, oldest first: with `fromId` or `startTime` the oldest from there on, otherwise the newest.',
  parameters: {
    fromId: wholeNumber,
    startTime: milliseconds,
    endTime: milliseconds,
    limit: limit(500, 1_000),
  },
  weight: 20,
});
export const amendOrder = signed({
  method: 'PUT',
  path: '/api/v3/order/amend/keepPriority',
  group: 'trading',
  summary:
    'Lowers the quantity of a limit order on the book, which keeps its place. `newQty` includes the executed part. The order keeps its name.',
  parameters: { ...namedOrder, newClientOrderId: clientOrderId, newQty: required(decimalNumber) },
  weight: 4,
});
export const orderAmendments = signed({
  path: '/api/v3/order/amendments',
  group: 'trading',
  summary: 'Amendments of an order, oldest first: from an execution id on, otherwise the oldest.',
  parameters: {
    symbol: required(symbol),
    orderId: required(wholeNumber),
    fromExecutionId: wholeNumber,
    limit: limit(500, 1_000),
  },
  weight: 4,
});
export const cancelOpenOrders = signed({
  method: 'DELETE',
  path: '/api/v3/openOrders',
  group: 'trading',
  summary: 'Cancels all open orders on a pair.',
  parameters: onePair,
  weight: 1,
});
export const countdownCancelAll = signed({
  method: 'POST',
  path: '/api/v3/countdownCancelAll',
  group: 'trading',
  summary:
    'Cancels the open orders on a pair, or on all pairs, when `countdownTime` milliseconds have passed without another request; 0 ends the countdown. An account has one for each pair and one for all.',
  parameters: { symbol, countdownTime: required(countdownMs(COUNTDOWN_MAX_MS)) },
  weight: 1,
});
export const order = signed({
  path: '/api/v3/order',
  group: 'trading',
  summary: 'An order by its id or name; ended orders by name as far as they are among the newest thousand.',
  parameters: namedOrder,
  weight: 4,
});
export const openOrders = signed({
  path: '/api/v3/openOrders',
  group: 'trading',
  summary: 'Open orders, of one pair or all, oldest first.',
  parameters: { symbol },
  weight: (values) => (values.symbol === undefined ? 80 : 6),
});
export const allOrders = signed({
  path: '/api/v3/allOrders',
  group: 'trading',
  summary: 'Orders on a pair, oldest first: from an id or a time on, otherwise the newest.',
  parameters: {
    symbol: required(symbol),
    orderId: wholeNumber,
    startTime: milliseconds,
    endTime: milliseconds,
    limit: limit(500, 1_000),
  },
  weight: 20,
});
export const myTrades = signed({
  path: '/api/v3/myTrades',
  group: 'account',
  summary: 'Fills on a pair, oldest first: from a trade’s id or a time on, otherwise the newest.',
  parameters: {
    symbol: required(symbol),
    orderId: wholeNumber,
    fromId: wholeNumber,
    startTime: milliseconds,
    endTime: milliseconds,
    limit: limit(500, 1_000),
  },
  weight: 20,
});
export const account = signed({
  path: '/api/v3/account',
  group: 'account',
  summary: 'Balances, commission rates and permissions.',
  parameters: { omitZeroBalances: choice(['true', 'false']) },
  weight: 20,
});
export const accountCommission = signed({
  path: '/api/v3/account/commission',
  group: 'account',
  summary: 'Commission rates of a pair.',
  parameters: onePair,
  weight: 20,
});
export const tradeFee = signed({
  path: '/sapi/v1/asset/tradeFee',
  group: 'account',
  summary: 'Commission rates of one pair or all.',
  parameters: { symbol },
  weight: 1,
});
export const systemStatus = openRead({
  path: '/sapi/v1/system/status',
  group: 'general',
  summary: 'Status 0 while the exchange serves.',
  weight: 1,
});
export const apiRestrictions = signed({
  path: '/sapi/v1/account/apiRestrictions',
  group: 'account',
  summary: 'What the key may do.',
  weight: 1,
});

/**
 * Describes an endpoint that changes neither orders nor balances; its requests need an API key in the header, but no
 * signature.
 */
function keyCall<const P extends Parameters>(description: SignedDescription<P>): ApiCall<P> {
  return { ...keyRead(description), method: description.method ?? 'GET' };
}

const listenKey = required(words(100));
export const createListenKey = keyCall({
  method: 'POST',
  path: '/api/v3/userDataStream',
  group: 'account',
  summary:
    'A key with which `/ws/<listenKey>` streams the events of the account; while one is valid it is returned and prolonged.',
  weight: 2,
});
export const prolongListenKey = keyCall({
  method: 'PUT',
  path: '/api/v3/userDataStream',
  group: 'account',
  summary: 'Prolongs a listen key by an hour.',
  parameters: { listenKey },
  weight: 2,
});
export const endListenKey = keyCall({
  method: 'DELETE',
  path: '/api/v3/userDataStream',
  group: 'account',
  summary: 'Ends a listen key and its streams.',
  parameters: { listenKey },
  weight: 2,
});

/**
 * Endpoint whose response is an empty list of margin pairs: client libraries request it when they load markets with an
 * API key, but the exchange has no margin trading.
 */
export const marginPairs = keyRead({
  path: '/sapi/v1/margin/allPairs',
  group: 'general',
  summary: 'No margin trading: an empty list.',
  parameters: {},
  weight: 1,
});
export const isolatedMarginPairs = signed({
  path: '/sapi/v1/margin/isolated/allPairs',
  group: 'general',
  summary: 'No margin trading: an empty list.',
  parameters: {},
  weight: 1,
});
export const coinConfiguration = signed({
  path: '/sapi/v1/capital/config/getall',
  group: 'wallet',
  summary: 'All coins with their networks, fees and limits, and the balance of the account.',
  parameters: {},
  weight: 10,
});

const coin = words(20);
const transferRange = {
  coin,
  startTime: milliseconds,
  endTime: milliseconds,
  offset: offset(10_000),
  limit: limit(1_000, 1_000),
};
/**
 * Numbers of deposit statuses in the trading API. Client libraries also accept 6 (credited, but not yet free to
 * withdraw) as a filter. No deposit of this exchange has that status.
 */
export const API_DEPOSIT_STATUSES = ['0', '1', '3', '6'] as const;
/**
 * Numbers of withdrawal statuses in the trading API. Client libraries also accept 0 (waiting for a confirmation by
 * mail) as a filter. No withdrawal of this exchange has that status.
 */
export const API_WITHDRAWAL_STATUSES = ['0', '1', '2', '3', '4', '5', '6'] as const;

export const walletDepositAddress = signed({
  path: '/sapi/v1/capital/deposit/address',
  group: 'wallet',
  summary:
    'The deposit address of the account for a coin, the same at every call. Without a network that of the coin’s default network.',
  parameters: { coin: required(coin), network: words(20) },
  weight: 10,
});
export const walletDeposits = signed({
  path: '/sapi/v1/capital/deposit/hisrec',
  group: 'wallet',
  summary:
    'Deposits of the account, newest first. `status`: 0 waiting for confirmations, 1 credited, 3 dropped by its network.',
  parameters: { ...transferRange, status: choice(API_DEPOSIT_STATUSES) },
  weight: 10,
});
export const applyWithdrawal = {
  ...signed({
    method: 'POST',
    path: '/sapi/v1/capital/withdraw/apply',
    group: 'wallet',
    summary:
      'Requests a withdrawal, with a key that may withdraw: to an address of the address book that is at least 24 hours old. `amount` is debited and includes the fee; with `fee` a higher one is refused. The same `withdrawOrderId` withdraws once; without it the same signed request does. Where the travel rule applies, state the recipient.',
    parameters: {
      coin: required(coin),
      network: words(20),
      address: required(words(120)),
      addressTag: words(64),
      amount: required(decimalNumber),
      fee: decimalNumber,
      withdrawOrderId: clientOrderId,
      recipientOwn: choice(['true', 'false']),
      recipientName: words(100),
      recipientProvider: words(100),
    },
    weight: 60,
  }),
  action: 'withdraw',
} as const;
export const walletWithdrawals = signed({
  path: '/sapi/v1/capital/withdraw/history',
  group: 'wallet',
  summary:
    'Withdrawals of the account, newest first; `amount` arrives, `transactionFee` is paid in addition. `status`: 1 cancelled, 2 awaiting approval, 3 rejected, 4 processing, 5 failed or returned, 6 completed.',
  parameters: {
    ...transferRange,
    status: choice(API_WITHDRAWAL_STATUSES),
    withdrawOrderId: clientOrderId,
  },
  weight: 10,
});

/**
 * Describes an endpoint whose requests must be signed with an API key that permits transfers between the main account
 * and sub-accounts.
 */
function ofSubAccounts<const P extends Parameters>(
  description: Omit<SignedDescription<P>, 'group'>,
): ApiCall<P> {
  return { ...signed({ ...description, group: 'sub-accounts' }), action: 'transfer' };
}

/** Types of account between which the trading API transfers; spot is the only one. */
export const API_ACCOUNT_TYPES = ['SPOT'] as const;

export const subAccountList = ofSubAccounts({
  path: '/sapi/v1/sub-account/list',
  summary:
    'The sub-accounts, newest first, archived ones last (`isFreeze`). `email` is the name by which calls know a sub-account, not a mail address.',
  parameters: {
    email: words(60),
    page: pageNumber,
    limit: limit(20, 200),
  },
  weight: 10,
});
export const subAccountAssets = ofSubAccounts({
  path: '/sapi/v1/sub-account/assets',
  summary: 'The balances of a sub-account that are not zero.',
  parameters: { email: required(words(60)) },
  weight: 20,
});
export const universalTransfer = ofSubAccounts({
  path: '/sapi/v1/sub-account/universalTransfer',
  method: 'POST',
  summary:
    'Moves a free balance between the main account and a sub-account, or between two sub-accounts. An absent `fromEmail` or `toEmail` is the main account. The same `clientTranId` returns the first transfer.',
  parameters: {
    fromEmail: words(60),
    toEmail: words(60),
    fromAccountType: required(choice(API_ACCOUNT_TYPES)),
    toAccountType: required(choice(API_ACCOUNT_TYPES)),
    clientTranId: clientOrderId,
    asset: required(coin),
    amount: required(decimalNumber),
  },
  weight: 20,
});
export const universalTransfers = ofSubAccounts({
  path: '/sapi/v1/sub-account/universalTransfer',
  summary: 'Transfers between the accounts, newest first.',
  parameters: {
    fromEmail: words(60),
    toEmail: words(60),
    clientTranId: clientOrderId,
    startTime: milliseconds,
    endTime: milliseconds,
    page: pageNumber,
    limit: limit(500, 500),
  },
  weight: 10,
});

/** Chart intervals of the charting endpoints, in minutes or days. */
export const UDF_RESOLUTIONS = ['1', '3', '5', '15', '30', '60', '240', '1D'] as const;
export type UdfResolution = (typeof UDF_RESOLUTIONS)[number];

export const udfConfig = openRead({
  path: '/udf/config',
  group: 'charts',
  summary: 'What the charting library may ask for.',
  weight: 1,
});

export const udfTime = openRead({
  path: '/udf/time',
  group: 'charts',
  summary: 'The time of the server in seconds, as plain text.',
  weight: 1,
});

export const udfSymbols = openRead({
  path: '/udf/symbols',
  group: 'charts',
  summary: 'A pair as the charting library describes it: `BTCUSDT`, or with the exchange before a colon.',
  parameters: { symbol: required(words(60)) },
  weight: 2,
});

export const udfSearch = openRead({
  path: '/udf/search',
  group: 'charts',
  summary: 'Pairs whose name contains the query.',
  parameters: { query: words(40), type: words(40), exchange: words(40), limit: limit(30, 200) },
  weight: 2,
});

export const udfHistory = openRead({
  path: '/udf/history',
  group: 'charts',
  summary:
    'Bars that begin before `to`, oldest first; `countback` bars when it is sent, otherwise from `from` on.',
  parameters: {
    symbol: required(words(60)),
    resolution: required(words(8)),
    from: seconds,
    to: required(seconds),
    countback: wholeNumber,
  },
  weight: 2,
});

export const cmcSummary = openRead({
  path: '/cmc/summary',
  group: 'listing',
  summary: 'All pairs with prices and volumes of 24 hours.',
  weight: 40,
});
export const cmcAssets = openRead({
  path: '/cmc/assets',
  group: 'listing',
  summary: 'All coins with their fees, and whether they can be deposited and withdrawn.',
  weight: 10,
});
export const cmcTicker = openRead({
  path: '/cmc/ticker',
  group: 'listing',
  summary: 'Prices and volumes by pair.',
  weight: 40,
});
const bookDepth = { depth: wholeNumber, level: choice(['1', '2', '3']) };
/** Order book of a pair; the last part of the URL path is the pair, such as `BTC_USDT`. */
export const cmcOrderbook = openRead({
  path: '/cmc/orderbook/{pair}',
  group: 'listing',
  summary: 'The book of a pair; `depth` counts both sides together, 0 is the whole book.',
  parameters: bookDepth,
  weight: 50,
});
export const cmcTrades = openRead({
  path: '/cmc/trades/{pair}',
  group: 'listing',
  summary: 'The newest 1,000 trades of the last 24 hours.',
  weight: 25,
});

export const geckoPairs = openRead({
  path: '/coingecko/pairs',
  group: 'listing',
  summary: 'All pairs.',
  weight: 2,
});
export const geckoTickers = openRead({
  path: '/coingecko/tickers',
  group: 'listing',
  summary: 'Prices and volumes of 24 hours of all pairs.',
  weight: 40,
});
export const geckoOrderbook = openRead({
  path: '/coingecko/orderbook',
  group: 'listing',
  summary: 'The book of a pair; `depth` counts both sides together, 0 is the whole book.',
  parameters: { ticker_id: required(words(40)), depth: wholeNumber },
  weight: 50,
});
export const geckoTrades = openRead({
  path: '/coingecko/historical_trades',
  group: 'listing',
  summary: 'Trades of a pair by side, oldest first; without times the newest.',
  parameters: {
    ticker_id: required(words(40)),
    type: choice(['buy', 'sell']),
    limit: limit(500, 1_000),
    start_time: milliseconds,
    end_time: milliseconds,
  },
  weight: 25,
});

/** Description of each group of endpoints, in the sequence of the documents. */
export const CALL_GROUPS: Readonly<Record<ApiCall['group'], string>> = {
  general: 'Time, limits and pairs.',
  market: 'Prices, books, trades and candles.',
  trading: 'Orders.',
  account: 'Balances, fills, fees and the events of the account.',
  wallet: 'Coins and networks, deposit addresses, deposits and withdrawals.',
  'sub-accounts':
    'Sub-accounts of the account and transfers between them; the key needs a permission of its own.',
  charts: 'A datafeed for TradingView’s charting library.',
  listing: 'The formats of CoinMarketCap and CoinGecko.',
};

/** All endpoints of the trading API, in the sequence of the documents. */
export const API_CALLS: readonly ApiCall[] = [
  ping,
  time,
  exchangeInfo,
  ...noFutures,
  depth,
  trades,
  historicalTrades,
  aggTrades,
  klines,
  uiKlines,
  avgPrice,
  ticker24hr,
  rollingTicker,
  tickerPrice,
  bookTicker,
  newOrder,
  testOrder,
  cancelOrder,
  cancelReplaceOrder,
  amendOrder,
  orderAmendments,
  placeList,
  placeOco,
  placeOto,
  placeOtoco,
  cancelList,
  orderList,
  allOrderLists,
  openOrderLists,
  placeBatch,
  cancelBatch,
  orderRateLimits,
  order,
  cancelOpenOrders,
  countdownCancelAll,
  openOrders,
  allOrders,
  myTrades,
  account,
  accountCommission,
  tradeFee,
  apiRestrictions,
  createListenKey,
  prolongListenKey,
  endListenKey,
  coinConfiguration,
  walletDepositAddress,
  walletDeposits,
  applyWithdrawal,
  walletWithdrawals,
  subAccountList,
  subAccountAssets,
  universalTransfer,
  universalTransfers,
  marginPairs,
  isolatedMarginPairs,
  systemStatus,
  udfConfig,
  udfTime,
  udfSymbols,
  udfSearch,
  udfHistory,
  cmcSummary,
  cmcAssets,
  cmcTicker,
  cmcOrderbook,
  cmcTrades,
  geckoPairs,
  geckoTickers,
  geckoOrderbook,
  geckoTrades,
] as readonly ApiCall[];
