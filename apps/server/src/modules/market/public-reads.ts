import type { CandleTimer } from '@exchange/core/candle.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Candle } from './domain/candle-record.ts';
import { isSeeded, type PairMarket } from './domain/pair-market.ts';
import type { PairScale } from './domain/pair-scale.ts';
import type { BookLevel } from './domain/public-book.ts';
import type { Ticker } from './domain/rolling-ticker.ts';
import type { MarketService } from './service.ts';

/** A candle; prices and turnover in the quote coin, volume in the base coin. */
export interface PublicCandle {
  /** Opening time of the candle in seconds since 1970. */
  readonly opened: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  readonly volume: Decimal;
  readonly turnover: Decimal;
  /** Number of trades in the candle. */
  readonly count: number;
  /**
   * Volume and turnover of the candle's trades whose taker bought; undefined if the takers of some of its
   * trades were not counted.
   */
  readonly takerBuys: TakerBuys | undefined;
}

/** Volume (base coin) and turnover (quote coin) of those trades of a candle whose taker bought. */
export interface TakerBuys {
  readonly volume: Decimal;
  readonly turnover: Decimal;
}

/** Statistics of a pair over its last 1,440 one-minute candles, including the running one. */
export interface DayStatistics extends Omit<PublicCandle, 'takerBuys'> {
  /**
   * The close of the minute before the 24-hour window; the first price of the window if no older minute is in
   * memory.
   */
  readonly previousClose: Decimal;
}

export interface PublicLevel {
  readonly price: Decimal;
  readonly amount: Decimal;
}

export interface PublicDepth {
  /** Number of the book's last change; it grows with every change, also across restarts. */
  readonly updateId: number;
  /** Price levels of the buy side (`bids`) and of the sell side (`asks`), best price first. */
  readonly bids: readonly PublicLevel[];
  readonly asks: readonly PublicLevel[];
}

/**
 * Upper limit of book changes per second of uptime, on average; above it update ids could repeat
 * after a restart.
 */
const CHANGES_PER_SECOND = 1_000_000;

/**
 * Reads of this exchange's market data for the public trading API. All refuse an unknown symbol
 * with `l.unknown_pair`.
 */
export class PublicReads {
  private readonly market: MarketService;
  /**
   * The update id of a book without changes. It is computed from the start time of this process, so that update ids
   * grow across restarts.
   */
  private readonly firstUpdateId: number;
  private readonly firstOpened = new Map<string, number>();

  constructor(market: MarketService) {
    this.market = market;
    this.firstUpdateId = Math.floor(market.deps.clock.now() / 1_000) * CHANGES_PER_SECOND;
  }

  /** The best `rows` price levels of each side of a book, or all if there are fewer, with the book's update id. */
  depth(symbol: string, rows: number): PublicDepth {
    const { book, scale } = this.market.pairMarket(symbol);
    return {
      updateId: this.firstUpdateId + book.version,
      bids: book.top('buy', rows).map((level) => levelOf(scale, level)),
      asks: book.top('sell', rows).map((level) => levelOf(scale, level)),
    };
  }

  /** The update id of a book, which increases with each of its changes. */
  updateId(symbol: string): number {
    return this.firstUpdateId + this.market.pairMarket(symbol).book.version;
  }

  /** A number that changes with every trade of the pair and with every new one-minute candle. */
  changeCount(symbol: string): number {
    return this.market.pairMarket(symbol).candles('1min').version;
  }

  /**
   * The number of the last trade; undefined without one, and while the last one was generated for the demo.
   */
  lastTradeNumber(symbol: string): number | undefined {
    const [newest] = this.market.pairMarket(symbol).deals;
    return newest === undefined || isSeeded(newest) ? undefined : newest.sequence;
  }

  /** The best price level of a side; undefined for an empty side. */
  bestLevel(symbol: string, side: Side): PublicLevel | undefined {
    const { book, scale } = this.market.pairMarket(symbol);
    const best = book.best(side);
    return best === undefined ? undefined : levelOf(scale, best);
  }

  /** The price and amount of the last trade, real or generated for the demo; undefined without one. */
  lastTrade(symbol: string): PublicLevel | undefined {
    const { deals, scale } = this.market.pairMarket(symbol);
    const [newest] = deals;
    return newest === undefined ? undefined : levelOf(scale, newest);
  }

  /** Statistics over the last 1,440 minutes, including the running one; undefined for a pair without candles. */
  dayStatistics(symbol: string): DayStatistics | undefined {
    const pair = this.market.pairMarket(symbol);
    const ticker = pair.ticker.current();
    if (ticker === undefined) return undefined;
    const minutes = pair.candles('1min');
    const before = minutes.positionFrom(ticker.opened) - 1;
    const previousClose = before < 0 ? ticker.open : minutes.at(before).close;
    return { ...statisticsOf(pair.scale, ticker), previousClose: priceIn(pair.scale, previousClose) };
  }

  /**
   * Opening time, in seconds since 1970, of a pair's oldest candle of an interval, in memory or stored; undefined
   * without one.
   */
  async oldestOpened(symbol: string, timer: CandleTimer): Promise<number | undefined> {
    const key = `${symbol} ${timer}`;
    const known = this.firstOpened.get(key);
    if (known !== undefined) return known;
    const series = this.market.pairMarket(symbol).candles(timer);
    if (series.length === 0) return undefined;
    const inMemory = series.at(0).opened;
    const stored = await this.market.oldestPackedCandle(symbol, timer);
    const oldest = Math.min(inMemory, stored ?? inMemory);
    this.firstOpened.set(key, oldest);
    return oldest;
  }

  /** Opening time, in seconds since 1970, of a pair's running candle of an interval; undefined without one. */
  newestOpened(symbol: string, timer: CandleTimer): number | undefined {
    return this.market.pairMarket(symbol).candles(timer).last()?.opened;
  }

  /**
   * The candles that opened at the second `from` or later and before the second `end`, oldest first, in memory or
   * stored. Intervals without trades have a candle too, except before the pair's first candle.
   */
  async candles(symbol: string, timer: CandleTimer, from: number, end: number): Promise<PublicCandle[]> {
    const pair = this.market.pairMarket(symbol);
    const recent = recentCandles(pair, timer, from, end);
    const seconds = pair.candles(timer).seconds;
    const before = recent[0]?.opened ?? Math.min(end, this.newestOpened(symbol, timer) ?? end);
    const missing = Math.ceil((before - from) / seconds);
    const older = missing > 0 ? await this.market.olderCandles(symbol, timer, before, missing) : [];
    return [...older.filter(({ opened }) => opened >= from), ...recent].map((candle) =>
      candleOf(pair.scale, candle),
    );
  }
}

function recentCandles(pair: PairMarket, timer: CandleTimer, from: number, end: number): Candle[] {
  const series = pair.candles(timer);
  const last = series.positionFrom(end);
  const candles: Candle[] = [];
  for (let position = series.positionFrom(from); position < last; position += 1)
    candles.push(series.at(position));
  return candles;
}

function priceIn(scale: PairScale, ticks: bigint): Decimal {
  return Decimal.ofScaled(ticks, scale.priceDigits);
}

function levelOf(scale: PairScale, { price, amount }: BookLevel): PublicLevel {
  return { price: priceIn(scale, price), amount: Decimal.ofScaled(amount, scale.amountDigits) };
}

function candleOf(scale: PairScale, candle: Candle): PublicCandle {
  const { takerVolume, takerTurnover } = candle;
  return {
    ...statisticsOf(scale, candle),
    takerBuys:
      takerVolume === undefined || takerTurnover === undefined
        ? undefined
        : {
            volume: Decimal.ofScaled(takerVolume, scale.amountDigits),
            turnover: Decimal.ofScaled(takerTurnover, scale.turnoverDigits),
          },
  };
}

function statisticsOf(scale: PairScale, candle: Ticker): Omit<PublicCandle, 'takerBuys'> {
  const { opened, open, high, low, close, volume, turnover, count } = candle;
  return {
    opened,
    open: priceIn(scale, open),
    high: priceIn(scale, high),
    low: priceIn(scale, low),
    close: priceIn(scale, close),
    volume: Decimal.ofScaled(volume, scale.amountDigits),
    turnover: Decimal.ofScaled(turnover, scale.turnoverDigits),
    count,
  };
}
