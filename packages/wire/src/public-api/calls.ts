import { API_INTERVALS } from '@exchange/core/api-interval.ts';
import { apiErrors } from './errors.ts';
import {
  choice,
  limit,
  milliseconds,
  required,
  seconds,
  symbol,
  symbols,
  wholeNumber,
  words,
  type Parameters,
  type ValuesOf,
} from './parameters.ts';

/** Request weight that an address may use within a minute. */
export const WEIGHT_PER_MINUTE = 6_000;

/**
 * Who may make a call. `open`: everybody; `key`: the header `X-MBX-APIKEY` names a key; `signed`: the call is also
 * signed with that key.
 */
export type ApiAccess = 'open' | 'key' | 'signed';

/** The description of a call of the public trading API, from which the server and the documents are made. */
export interface ApiCall<P extends Parameters = Parameters> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly group: 'general' | 'market' | 'charts' | 'listing';
  readonly access: ApiAccess;
  readonly summary: string;
  readonly parameters: P;
  /** Request weight, at most `WEIGHT_PER_MINUTE`; charged to the address before the call is served. */
  readonly weight: (values: ValuesOf<P>) => number;
}

interface CallDescription<P extends Parameters> {
  readonly path: string;
  readonly group: ApiCall['group'];
  readonly summary: string;
  readonly parameters?: P;
  readonly weight: number | ((values: ValuesOf<P>) => number);
}

/** Describes a call without a key that changes nothing. */
function openRead<const P extends Parameters>(description: CallDescription<P>): ApiCall<P> {
  const { path, group, summary, parameters, weight } = description;
  return {
    method: 'GET',
    path,
    group,
    access: 'open',
    summary,
    parameters: parameters ?? ({} as P),
    weight: typeof weight === 'number' ? () => weight : weight,
  };
}

const interval = required(choice(API_INTERVALS, apiErrors.invalidInterval));
/** UTC is the only grid; clients may name it. */
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
  summary: 'Limits of requests, and the pairs with their status, precisions and filters.',
  parameters: manyPairs,
  weight: 20,
});

const FUTURES_VENUES = ['/fapi/v1/exchangeInfo', '/dapi/v1/exchangeInfo'] as const;
/** Clients load these markets with their default settings; there are none here. */
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
  summary: 'Candles without gaps, oldest first; the last one is still running.',
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
/** The pair is the last part of the path: `BTC_USDT`. */
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

/** All calls, in the order of the documents. */
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
  tickerPrice,
  bookTicker,
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
