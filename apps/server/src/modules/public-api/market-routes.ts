import { Decimal } from '@exchange/core/decimal.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import { apiErrors } from '@exchange/wire/public-api/errors.ts';
import type { ValuesOf } from '@exchange/wire/public-api/parameters.ts';
import { handler, type Handler } from './handlers.ts';
import type { ListedPairs } from './pair-routes.ts';
import { AVERAGE_MINUTES, type ApiMarket } from './service.ts';
import type { DayTickers } from './day-tickers.ts';
import {
  apiSymbol,
  presentAggregates,
  presentBookTicker,
  presentKline,
  presentLevel,
  presentSymbol,
  presentTrade,
  priceText,
  RATE_LIMITS,
} from './present.ts';

interface MarketRouteParts {
  readonly market: ApiMarket;
  readonly pairs: ListedPairs;
  readonly dayTickers: DayTickers;
}

const ZERO = Decimal.zero;

/** Calls for the server's time, the pairs, and the market data of the exchange's own books. */
export function marketRoutes(parts: MarketRouteParts): Handler[] {
  const { pairs, market, dayTickers } = parts;
  const klines = async (values: ValuesOf<(typeof calls.klines)['parameters']>) => {
    const { pair } = pairs.named(values.symbol);
    const bounds = { startMs: values.startTime, endMs: values.endTime, limit: values.limit };
    const candles = await market.candles(pair.symbol, values.interval, bounds);
    return candles.map(({ candle, closedMs }) => presentKline(pair, candle, closedMs));
  };
  return [
    handler(calls.ping, () => ({})),
    handler(calls.time, () => ({ serverTime: market.now() })),
    handler(calls.exchangeInfo, (values) => ({
      timezone: 'UTC',
      serverTime: market.now(),
      rateLimits: RATE_LIMITS,
      exchangeFilters: [],
      symbols: pairs.selected(values).map(presentSymbol),
    })),
    ...calls.noFutures.map((call) =>
      handler(call, () => ({
        timezone: 'UTC',
        serverTime: market.now(),
        rateLimits: [],
        exchangeFilters: [],
        assets: [],
        symbols: [],
      })),
    ),
    handler(calls.depth, ({ symbol, limit }) => {
      const { pair } = pairs.named(symbol);
      const { updateId, bids, asks } = market.reads.depth(pair.symbol, limit);
      return {
        lastUpdateId: updateId,
        bids: bids.map((level) => presentLevel(pair, level)),
        asks: asks.map((level) => presentLevel(pair, level)),
      };
    }),
    handler(calls.trades, ({ symbol, limit }) => presentTrades(parts, symbol, { limit })),
    handler(calls.historicalTrades, ({ symbol, fromId, limit }) =>
      presentTrades(parts, symbol, { fromSequence: fromId, limit }),
    ),
    handler(calls.aggTrades, async ({ symbol, fromId, startTime, endTime, limit }) => {
      const { pair } = pairs.named(symbol);
      if (fromId !== undefined && (startTime !== undefined || endTime !== undefined))
        throw apiErrors.invalidCombination();
      const range = { symbol: pair.symbol, fromSequence: fromId, from: startTime, to: endTime, limit };
      return presentAggregates(pair, await market.trades(range));
    }),
    handler(calls.klines, klines),
    handler(calls.uiKlines, klines),
    handler(calls.avgPrice, async ({ symbol }) => {
      const { pair } = pairs.named(symbol);
      const price = await market.averagePrice(pair);
      return { mins: AVERAGE_MINUTES, price: priceText(pair, price), closeTime: market.now() };
    }),
    handler(calls.ticker24hr, async (values) => {
      const rows = await Promise.all(
        pairs
          .selected(values)
          .map((listed) => (values.type === 'MINI' ? dayTickers.mini(listed) : dayTickers.full(listed))),
      );
      return values.symbol === undefined ? rows : rows[0];
    }),
    handler(calls.rollingTicker, async ({ windowSize = '1d', type = 'FULL', ...values }) => {
      if (values.symbol === undefined && values.symbols === undefined) throw apiErrors.missing('symbol');
      const rows = await Promise.all(
        pairs.selected(values).map((listed) => dayTickers.rolling(listed, windowSize, type)),
      );
      return values.symbol === undefined ? rows : rows[0];
    }),
    handler(calls.tickerPrice, (values) => {
      const rows = pairs.selected(values).map(({ pair }) => ({
        symbol: apiSymbol(pair),
        price: priceText(pair, market.reads.lastTrade(pair.symbol)?.price ?? ZERO),
      }));
      return values.symbol === undefined ? rows : rows[0];
    }),
    handler(calls.bookTicker, (values) => {
      const rows = pairs
        .selected(values)
        .map(({ pair }) => presentBookTicker(pair, market.best(pair.symbol)));
      return values.symbol === undefined ? rows : rows[0];
    }),
  ];
}

async function presentTrades(
  { pairs, market }: MarketRouteParts,
  symbol: string,
  range: { fromSequence?: number | undefined; limit: number },
) {
  const { pair } = pairs.named(symbol);
  const trades = await market.trades({
    symbol: pair.symbol,
    fromSequence: range.fromSequence,
    limit: range.limit,
  });
  return trades.map((trade) => presentTrade(pair, trade));
}
