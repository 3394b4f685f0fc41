import type { ApiInterval } from '@exchange/core/api-interval.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Assets } from '../assets/index.ts';
import {
  dealt,
  levelsMoved,
  type Deal,
  type LevelsMoved,
  type Market,
  type PublicCandle,
  type PublicLevel,
} from '../market/index.ts';
import type { Spot, SpotTrade } from '../spot/index.ts';
import {
  foldedCandle,
  intervalOf,
  joinedCandles,
  secondCandles,
  selectedRange,
  weightedPrice,
  type Bounds,
} from './intervals-domain.ts';

export { dealt, levelsMoved, type Deal, type LevelsMoved };
export type { PublicCandle, PublicLevel, SpotTrade };
/** A pair with its filters and its current status. */
export type ListedForApi = ReturnType<Spot['listed']>[number];
export type TradeRange = Parameters<Spot['pairTrades']>[0];
type SecondRange = Parameters<Spot['tradedSeconds']>[0];

/** The best price level of each side; an empty side has a level with price and amount 0. */
export interface BestLevels {
  readonly bid: PublicLevel;
  readonly ask: PublicLevel;
}

/** Number of minutes over which the average price is computed. */
export const AVERAGE_MINUTES = 5;
const NO_LEVEL: PublicLevel = { price: Decimal.zero, amount: Decimal.zero };

/** A candle and the last millisecond of its interval. */
export interface ClosedCandle {
  readonly candle: PublicCandle;
  readonly closedMs: number;
}

interface Parts {
  readonly clock: Clock;
  readonly assets: Assets;
  readonly market: Market;
  readonly spot: Pick<Spot, 'listed' | 'findListed' | 'pairTrades' | 'tradedSeconds'>;
}

/** Market data for programs, from the sources that the apps also use. Symbols are in lower case, e.g. `btcusdt`. */
export class ApiMarket {
  private readonly parts: Parts;
  /** The second since 1970 of the first trade of each pair for which candles of one second were requested. */
  private readonly firstSeconds = new Map<string, number>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  now(): number {
    return this.parts.clock.now();
  }

  get coins(): Assets['coins'] {
    return this.parts.assets.coins;
  }

  /**
   * All pairs whose base coin is listed, in the exchange's order. A new token's pair appears when its coin is listed.
   */
  pairs(): readonly ListedForApi[] {
    return this.parts.spot.listed({}).filter((listed) => this.isOffered(listed));
  }

  /**
   * A pair with its current status by its symbol in lower case; undefined for an unknown symbol, and until the base
   * coin is listed.
   */
  pair(symbol: string): ListedForApi | undefined {
    const listed = this.parts.spot.findListed(symbol);
    return listed !== undefined && this.isOffered(listed) ? listed : undefined;
  }

  private isOffered({ pair }: ListedForApi): boolean {
    return this.parts.assets.findCoin(pair.base) !== undefined;
  }

  /** Books, last trades and 24-hour statistics of pairs, as the market module provides them. */
  get reads(): Market['publicReads'] {
    return this.parts.market.publicReads;
  }

  /** Up to `limit` trades of a pair, oldest first: with a lower bound the oldest from there, without one the newest. */
  trades(range: TradeRange): Promise<SpotTrade[]> {
    return this.parts.spot.pairTrades(range);
  }

  best(symbol: string): BestLevels {
    return {
      bid: this.reads.bestLevel(symbol, 'buy') ?? NO_LEVEL,
      ask: this.reads.bestLevel(symbol, 'sell') ?? NO_LEVEL,
    };
  }

  /**
   * The average price of the current minute and the four before it, weighted by amount and rounded down to the pair's
   * digits; without trades the last price, or 0.
   */
  async averagePrice(pair: Pair): Promise<Decimal> {
    const endMs = this.now();
    const startMs = endMs - (AVERAGE_MINUTES - 1) * MINUTE_MS;
    const candles = await this.candles(pair.symbol, '1m', {
      startMs: startMs - (startMs % MINUTE_MS),
      endMs,
      limit: AVERAGE_MINUTES,
    });
    let turnover = Decimal.zero;
    let volume = Decimal.zero;
    for (const { candle } of candles) {
      turnover = turnover.plus(candle.turnover);
      volume = volume.plus(candle.volume);
    }
    const last = this.reads.lastTrade(pair.symbol)?.price ?? Decimal.zero;
    return weightedPrice({ turnover, volume }, pair.priceDigits) ?? last;
  }

  /**
   * All trades of a pair since `openMs`, which is a full minute, as one candle; undefined without
   * trades. The candle is joined from minute candles up to the next full hour and from hour candles
   * after it, so a window of a week needs at most 230 candles.
   */
  async windowCandle(symbol: string, openMs: number): Promise<PublicCandle | undefined> {
    const nowSeconds = this.now() / 1_000;
    const from = openMs / 1_000;
    const firstHour = (Math.ceil(openMs / HOUR_MS) * HOUR_MS) / 1_000;
    const [minutes, hours] = await Promise.all([
      this.reads.candles(symbol, '1min', from, Math.min(firstHour, nowSeconds)),
      firstHour > nowSeconds ? [] : this.reads.candles(symbol, '60min', firstHour, nowSeconds),
    ]);
    return foldedCandle([...minutes, ...hours]);
  }

  /**
   * The opening of a pair's newest candle in milliseconds UTC; undefined if the pair has no candle. For
   * candles of one second always the current second.
   */
  newestOpeningMs(symbol: string, name: ApiInterval): number | undefined {
    const interval = intervalOf(name);
    if (interval.timer === undefined) return interval.openingOf(this.now());
    const newest = this.reads.newestOpened(symbol, interval.timer);
    return newest === undefined ? undefined : interval.openingOf(newest * 1_000);
  }

  /**
   * The candles within bounds, oldest first, without gaps. Stored candles are joined to longer intervals. Candles of
   * one second begin with the first trade, and are fewer than the bounds allow if these contain more than 100,000
   * trades.
   */
  async candles(symbol: string, name: ApiInterval, bounds: Bounds): Promise<ClosedCandle[]> {
    const interval = intervalOf(name);
    const { timer } = interval;
    const [oldest, newest] =
      timer === undefined
        ? [await this.firstSecond(symbol), this.now() / SECOND_MS]
        : [await this.reads.oldestOpened(symbol, timer), this.reads.newestOpened(symbol, timer)];
    if (oldest === undefined || newest === undefined) return [];
    const existing = { oldestMs: oldest * SECOND_MS, newestMs: newest * SECOND_MS };
    const range = selectedRange(interval, bounds, existing);
    if (range === undefined) return [];
    const from = range.fromMs / SECOND_MS;
    const end = range.endMs / SECOND_MS;
    const stored =
      timer === undefined
        ? await this.seconds(symbol, { from, end, isNewestFirst: bounds.startMs === undefined })
        : await this.reads.candles(symbol, timer, from, end);
    return joinedCandles(interval, stored).map((candle) => ({
      candle,
      closedMs: interval.step(candle.opened * SECOND_MS, 1) - 1,
    }));
  }

  /** The second since 1970 of a pair's first trade; undefined without trades. */
  private async firstSecond(symbol: string): Promise<number | undefined> {
    const known = this.firstSeconds.get(symbol);
    if (known !== undefined) return known;
    const [first] = await this.trades({ symbol, fromSequence: 0, limit: 1 });
    if (first === undefined) return undefined;
    const second = Math.floor(first.at / SECOND_MS);
    this.firstSeconds.set(symbol, second);
    return second;
  }

  /** Candles of one second, made from the stored trades. */
  private async seconds(
    symbol: string,
    { from, end, isNewestFirst }: Omit<SecondRange, 'symbol'>,
  ): Promise<PublicCandle[]> {
    const range = {
      symbol,
      from,
      end,
      isNewestFirst,
    };
    const traded = await this.parts.spot.tradedSeconds(range);
    const [before] = await this.trades({
      symbol,
      to: traded.from * SECOND_MS - 1,
      limit: 1,
    });
    return secondCandles(traded, before?.price);
  }
}
