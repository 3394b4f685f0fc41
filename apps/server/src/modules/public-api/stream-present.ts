import type { ApiInterval } from '@exchange/core/api-interval.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { DayTickers } from './day-tickers.ts';
import {
  amountText,
  apiSymbol,
  presentAggregates,
  presentLevel,
  priceText,
  quoteText,
  UNUSED,
} from './present.ts';
import type { BestLevels, ClosedCandle, Deal, PublicLevel } from './service.ts';

/** Payloads of the streams of market data. `E` is the time of the event in milliseconds UTC. */

export function presentTradeEvent(pair: Pair, deal: Deal, now: number) {
  return {
    e: 'trade',
    E: now,
    s: apiSymbol(pair),
    t: deal.sequence,
    p: priceText(pair, deal.price),
    q: amountText(pair, deal.amount),
    T: deal.at,
    m: deal.takerSide === 'sell',
    M: true,
  };
}

/** One event for each run of consecutive fills of one taker order at one price. */
export function presentAggregateEvents(pair: Pair, deals: readonly Deal[], now: number) {
  const head = { e: 'aggTrade', E: now, s: apiSymbol(pair) };
  return presentAggregates(pair, deals).map((row) => ({ ...head, ...row }));
}

export function presentBookTickerEvent(pair: Pair, { bid, ask }: BestLevels, updateId: number) {
  return {
    u: updateId,
    s: apiSymbol(pair),
    b: priceText(pair, bid.price),
    B: amountText(pair, bid.amount),
    a: priceText(pair, ask.price),
    A: amountText(pair, ask.amount),
  };
}

/**
 * Changes of a book: the numbers of the first and the last change, and the changed price levels
 * with their new amounts.
 */
export interface BookChanges {
  readonly first: number;
  readonly last: number;
  readonly bids: readonly PublicLevel[];
  readonly asks: readonly PublicLevel[];
}

export function presentDepthEvent(pair: Pair, { first, last, bids, asks }: BookChanges, now: number) {
  return {
    e: 'depthUpdate',
    E: now,
    s: apiSymbol(pair),
    U: first,
    u: last,
    b: bids.map((level) => presentLevel(pair, level)),
    a: asks.map((level) => presentLevel(pair, level)),
  };
}

/** Ids of the first and last trade of a candle; −1 for a candle without trades. */
export interface TradeNumbers {
  readonly first: number;
  readonly last: number;
}

/**
 * The event of a candle. It lacks what takers bought (`V`, `Q`) and the unused `B` if the takers of some trades of the
 * candle were not counted.
 */
export function presentKlineEvent(
  pair: Pair,
  kline: ClosedCandle & { readonly interval: ApiInterval; readonly isClosed: boolean },
  trades: TradeNumbers,
  now: number,
) {
  const { candle, closedMs, interval, isClosed } = kline;
  const { takerBuys } = candle;
  return {
    e: 'kline',
    E: now,
    s: apiSymbol(pair),
    k: {
      t: candle.opened * 1_000,
      T: closedMs,
      s: apiSymbol(pair),
      i: interval,
      f: trades.first,
      L: trades.last,
      o: priceText(pair, candle.open),
      c: priceText(pair, candle.close),
      h: priceText(pair, candle.high),
      l: priceText(pair, candle.low),
      v: amountText(pair, candle.volume),
      n: candle.count,
      x: isClosed,
      q: quoteText(candle.turnover),
      V: takerBuys && amountText(pair, takerBuys.volume),
      Q: takerBuys && quoteText(takerBuys.turnover),
      B: takerBuys && UNUSED,
    },
  };
}

type MiniTicker = Awaited<ReturnType<DayTickers['mini']>>;
type DayTicker = Awaited<ReturnType<DayTickers['full']>>;

export function presentMiniTickerEvent(ticker: MiniTicker, now: number) {
  return {
    e: '24hrMiniTicker',
    E: now,
    s: ticker.symbol,
    c: ticker.lastPrice,
    o: ticker.openPrice,
    h: ticker.highPrice,
    l: ticker.lowPrice,
    v: ticker.volume,
    q: ticker.quoteVolume,
  };
}

export function presentTickerEvent(ticker: DayTicker, now: number) {
  return {
    e: '24hrTicker',
    E: now,
    s: ticker.symbol,
    p: ticker.priceChange,
    P: ticker.priceChangePercent,
    w: ticker.weightedAvgPrice,
    x: ticker.prevClosePrice,
    c: ticker.lastPrice,
    Q: ticker.lastQty,
    b: ticker.bidPrice,
    B: ticker.bidQty,
    a: ticker.askPrice,
    A: ticker.askQty,
    o: ticker.openPrice,
    h: ticker.highPrice,
    l: ticker.lowPrice,
    v: ticker.volume,
    q: ticker.quoteVolume,
    O: ticker.openTime,
    C: ticker.closeTime,
    F: ticker.firstId,
    L: ticker.lastId,
    n: ticker.count,
  };
}

export function presentAveragePriceEvent(pair: Pair, price: Decimal, lastTradeMs: number, now: number) {
  return {
    e: 'avgPrice',
    E: now,
    s: apiSymbol(pair),
    i: '5m',
    w: priceText(pair, price),
    T: lastTradeMs,
  };
}
