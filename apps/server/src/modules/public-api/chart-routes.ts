import { SECOND_MS } from '@exchange/core/time.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import type { ApiInterval } from '@exchange/core/api-interval.ts';
import { ExactAnswer, handler, PlainText, StatusAnswer, type Handler } from './handlers.ts';
import type { ListedPairs } from './pair-routes.ts';
import { apiSymbol } from './present.ts';
import type { ApiMarket, ListedForApi, PublicCandle } from './service.ts';

interface ChartParts {
  readonly market: ApiMarket;
  readonly pairs: ListedPairs;
}

/** Name of this exchange in the charting library. */
const VENUE = 'AMETHYST';
/** Maximum number of bars in an answer; the charting library sends more requests if it needs more. */
const MOST_BARS = 2_000;
const SESSION_TYPE = 'crypto';
const INTERVAL_OF: Readonly<Record<calls.UdfResolution, ApiInterval>> = {
  '1': '1m',
  '3': '3m',
  '5': '5m',
  '15': '15m',
  '30': '30m',
  '60': '1h',
  '240': '4h',
  '1D': '1d',
};

/** Calls of the charting library's datafeed protocol (UDF). Times are in seconds. */
export function chartRoutes({ market, pairs }: ChartParts): Handler[] {
  return [
    handler(calls.udfConfig, () => ({
      supports_search: true,
      supports_group_request: false,
      supports_marks: false,
      supports_timescale_marks: false,
      supports_time: true,
      supported_resolutions: calls.UDF_RESOLUTIONS,
      exchanges: [{ value: VENUE, name: VENUE, desc: 'Amethyst' }],
      symbols_types: [{ name: 'Crypto', value: SESSION_TYPE }],
    })),
    handler(calls.udfTime, () => new PlainText(String(Math.floor(market.now() / SECOND_MS)))),
    handler(calls.udfSymbols, ({ symbol }) => {
      const listed = namedPair(pairs, symbol);
      return listed === undefined ? new StatusAnswer(404, UNKNOWN_SYMBOL) : presentChartSymbol(listed);
    }),
    handler(calls.udfSearch, ({ query = '', type, exchange, limit }) => {
      const isOurs = (exchange ?? VENUE) === VENUE && (type ?? SESSION_TYPE) === SESSION_TYPE;
      const words = query.toUpperCase().replace('/', '');
      const matching = pairs.all().filter(({ pair }) => isOurs && apiSymbol(pair).includes(words));
      return matching.slice(0, limit).map(({ pair }) => ({
        symbol: apiSymbol(pair),
        full_name: `${VENUE}:${apiSymbol(pair)}`,
        description: `${pair.base}/${pair.quote}`,
        exchange: VENUE,
        ticker: apiSymbol(pair),
        type: SESSION_TYPE,
      }));
    }),
    handler(calls.udfHistory, async ({ symbol, resolution, from = 0, to, countback }) => {
      const listed = namedPair(pairs, symbol);
      if (listed === undefined) return UNKNOWN_SYMBOL;
      const interval = intervalOf(resolution);
      if (interval === undefined) return { s: 'error', errmsg: 'unknown_resolution' };
      const endMs = to * SECOND_MS - 1;
      const bars = Math.min(countback ?? MOST_BARS, MOST_BARS);
      // The newest bars that open before `to` are read: `countback` bars, even if they open before `from`, or
      // without `countback` as many as an answer may contain.
      const newest =
        bars === 0 ? [] : await market.candles(listed.pair.symbol, interval, { endMs, limit: bars });
      const candles = countback === undefined ? newest.filter(({ candle }) => candle.opened >= from) : newest;
      const firstMs = countback === undefined ? from * SECOND_MS : endMs;
      if (candles.length > 0) return presentBars(candles.map(({ candle }) => candle));
      const nextMs = await openingBefore(market, listed.pair.symbol, interval, firstMs);
      return nextMs === undefined ? { s: 'no_data' } : { s: 'no_data', nextTime: nextMs / SECOND_MS };
    }),
  ];
}

const UNKNOWN_SYMBOL = { s: 'error', errmsg: 'unknown_symbol' };

function intervalOf(resolution: string): ApiInterval | undefined {
  const known = calls.UDF_RESOLUTIONS.find(
    (name) => name === resolution || (name === '1D' && resolution === 'D'),
  );
  return known === undefined ? undefined : INTERVAL_OF[known];
}

/**
 * The pair with a name such as `BTCUSDT` or `AMETHYST:BTCUSDT`; undefined if no listed pair has this symbol or the
 * prefix names another exchange.
 */
function namedPair(pairs: ListedPairs, name: string): ListedForApi | undefined {
  const symbol = name.startsWith(`${VENUE}:`) ? name.slice(VENUE.length + 1) : name;
  return pairs.all().find(({ pair }) => apiSymbol(pair) === symbol);
}

function presentChartSymbol({ pair }: ListedForApi) {
  const symbol = apiSymbol(pair);
  return {
    name: symbol,
    ticker: symbol,
    full_name: `${VENUE}:${symbol}`,
    description: `${pair.base}/${pair.quote}`,
    type: SESSION_TYPE,
    session: '24x7',
    timezone: 'Etc/UTC',
    exchange: VENUE,
    listed_exchange: VENUE,
    minmov: 1,
    pricescale: 10 ** pair.priceDigits,
    has_intraday: true,
    has_daily: true,
    supported_resolutions: calls.UDF_RESOLUTIONS,
    volume_precision: pair.amountDigits,
    data_status: 'streaming',
    format: 'price',
  };
}

/**
 * Opening time in milliseconds UTC of the newest candle that opened before `beforeMs`, the candle at this time
 * excluded; undefined if there is none.
 */
async function openingBefore(
  market: ApiMarket,
  symbol: string,
  interval: ApiInterval,
  beforeMs: number,
): Promise<number | undefined> {
  const [newest] = await market.candles(symbol, interval, { endMs: beforeMs - 1, limit: 1 });
  return newest === undefined ? undefined : newest.candle.opened * SECOND_MS;
}

/** Bars in the form of the protocol, which requires JSON numbers; `ExactAnswer` prints them with all digits. */
function presentBars(candles: readonly PublicCandle[]) {
  return new ExactAnswer({
    s: 'ok',
    t: candles.map(({ opened }) => opened),
    o: candles.map(({ open }) => open),
    h: candles.map(({ high }) => high),
    l: candles.map(({ low }) => low),
    c: candles.map(({ close }) => close),
    v: candles.map(({ volume }) => volume),
  });
}
