import { Decimal } from '@exchange/core/decimal.ts';
import { instant, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import { apiErrors } from '@exchange/wire/public-api/errors.ts';
import type { ValuesOf } from '@exchange/wire/public-api/parameters.ts';
import { handler, type Handler } from './handlers.ts';
import { weightedPrice } from './intervals-domain.ts';
import type { ListedPairs } from './pair-routes.ts';
import type { ApiMarket, ListedForApi } from './service.ts';
import {
  amountText,
  apiSymbol,
  percentText,
  presentAggregates,
  presentKline,
  presentLevel,
  presentSymbol,
  presentTrade,
  priceText,
  quoteText,
  RATE_LIMITS,
} from './present.ts';

interface MarketRouteParts {
  readonly market: ApiMarket;
  readonly pairs: ListedPairs;
}

const AVERAGE_MINUTES = 5;
const ZERO = Decimal.zero;
/** Marks the absence of trades where a trade id is expected. */
const NO_TRADE = -1;

/** Calls for the server's time, the pairs, and the market data of our own books. */
export function marketRoutes(parts: MarketRouteParts): Handler[] {
  const { pairs, market } = parts;
  const dayTickers = new DayTickers(parts);
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
    handler(calls.avgPrice, ({ symbol }) => averagePrice(parts, pairs.named(symbol))),
    handler(calls.ticker24hr, async (values) => {
      const rows = await Promise.all(
        pairs.selected(values).map((listed) => dayTickers.present(listed, values.type ?? 'FULL')),
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
      const rows = pairs.selected(values).map((listed) => presentBest(market, listed));
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

function presentBest(market: ApiMarket, { pair }: ListedForApi) {
  const none = { price: ZERO, amount: ZERO };
  const bid = market.reads.bestLevel(pair.symbol, 'buy') ?? none;
  const ask = market.reads.bestLevel(pair.symbol, 'sell') ?? none;
  return {
    symbol: apiSymbol(pair),
    bidPrice: priceText(pair, bid.price),
    bidQty: amountText(pair, bid.amount),
    askPrice: priceText(pair, ask.price),
    askQty: amountText(pair, ask.amount),
  };
}

async function averagePrice({ market }: MarketRouteParts, { pair }: ListedForApi) {
  const endMs = market.now();
  const startMs = endMs - (AVERAGE_MINUTES - 1) * MINUTE_MS;
  const candles = await market.candles(pair.symbol, '1m', {
    startMs: startMs - (startMs % MINUTE_MS),
    endMs,
    limit: AVERAGE_MINUTES,
  });
  let turnover = ZERO;
  let volume = ZERO;
  for (const { candle } of candles) {
    turnover = turnover.plus(candle.turnover);
    volume = volume.plus(candle.volume);
  }
  const last = market.reads.lastTrade(pair.symbol)?.price ?? ZERO;
  const price = weightedPrice({ turnover, volume }, pair.priceDigits) ?? last;
  return { mins: AVERAGE_MINUTES, price: priceText(pair, price), closeTime: endMs };
}

/** The 24-hour tickers. The first trade of a window is read once a minute. */
class DayTickers {
  private readonly parts: MarketRouteParts;
  private readonly firstTrades = new Map<string, { opened: number; id: Promise<number> }>();

  constructor(parts: MarketRouteParts) {
    this.parts = parts;
  }

  async present(listed: ListedForApi, type: 'FULL' | 'MINI') {
    const { market } = this.parts;
    const { pair } = listed;
    const reads = market.reads;
    const statistics = reads.dayStatistics(pair.symbol);
    const [newest] = await this.parts.market.trades({ symbol: pair.symbol, limit: 1 });
    const openTime = statistics === undefined ? market.now() : statistics.opened * SECOND_MS;
    const { open, high, low, close, volume, turnover, previousClose } = statistics ?? NO_STATISTICS;
    const firstId = newest === undefined ? NO_TRADE : await this.firstTradeId(pair.symbol, openTime);
    const base = {
      symbol: apiSymbol(pair),
      openPrice: priceText(pair, open),
      highPrice: priceText(pair, high),
      lowPrice: priceText(pair, low),
      lastPrice: priceText(pair, close),
      volume: amountText(pair, volume),
      quoteVolume: quoteText(turnover),
      openTime,
      closeTime: market.now(),
      firstId,
      lastId: firstId === NO_TRADE || newest === undefined ? NO_TRADE : newest.sequence,
      count: statistics?.count ?? 0,
    };
    if (type === 'MINI') return base;
    const change = close.minus(open);
    const best = presentBest(market, listed);
    return {
      ...base,
      priceChange: priceText(pair, change),
      priceChangePercent: percentText(change, open, 3),
      weightedAvgPrice: priceText(pair, weightedPrice({ turnover, volume }, pair.priceDigits) ?? close),
      prevClosePrice: priceText(pair, previousClose),
      lastQty: amountText(pair, reads.lastTrade(pair.symbol)?.amount ?? ZERO),
      bidPrice: best.bidPrice,
      bidQty: best.bidQty,
      askPrice: best.askPrice,
      askQty: best.askQty,
    };
  }

  /** The id of the first trade of a window; −1 when it has none. */
  private firstTradeId(symbol: string, openTime: number): Promise<number> {
    const known = this.firstTrades.get(symbol);
    if (known?.opened === openTime) return known.id;
    const id = this.parts.market
      .trades({ symbol, from: instant(openTime), limit: 1 })
      .then(([first]) => first?.sequence ?? NO_TRADE);
    // Nothing is remembered for a window without trades yet, or after a failure.
    this.firstTrades.set(symbol, { opened: openTime, id });
    const forget = () => this.firstTrades.delete(symbol);
    void id.then((first) => first === NO_TRADE && forget(), forget);
    return id;
  }
}

const NO_STATISTICS = {
  open: ZERO,
  high: ZERO,
  low: ZERO,
  close: ZERO,
  volume: ZERO,
  turnover: ZERO,
  previousClose: ZERO,
};
