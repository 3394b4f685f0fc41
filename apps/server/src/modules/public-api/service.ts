import type { ApiInterval } from '@exchange/core/api-interval.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Assets } from '../assets/index.ts';
import type { Market, PublicCandle, PublicLevel } from '../market/index.ts';
import type { Spot, SpotTrade } from '../spot/index.ts';
import { intervalOf, joinedCandles, selectedRange, type Bounds } from './intervals-domain.ts';

export type { PublicCandle, PublicLevel, SpotTrade };
/** A pair with its filters and its present status. */
export type ListedForApi = ReturnType<Spot['listed']>[number];
export type TradeRange = Parameters<Spot['pairTrades']>[0];

/** A candle and the last millisecond of its interval. */
export interface ClosedCandle {
  readonly candle: PublicCandle;
  readonly closedMs: number;
}

interface Parts {
  readonly clock: Clock;
  readonly assets: Assets;
  readonly market: Market;
  readonly spot: Pick<Spot, 'listed' | 'pairTrades'>;
}

/** Market data for programs, read from the same market and trades as the apps' data. Symbols are those of pairs. */
export class ApiMarket {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Milliseconds UTC. */
  now(): number {
    return this.parts.clock.now();
  }

  get coins(): Assets['coins'] {
    return this.parts.assets.coins;
  }

  /** All pairs, in the order of the exchange. */
  pairs(): readonly ListedForApi[] {
    return this.parts.spot.listed({});
  }

  /** Books, last trades and 24-hour statistics. */
  get reads(): Market['publicReads'] {
    return this.parts.market.publicReads;
  }

  /** Trades of a pair in a range, oldest first. */
  trades(range: TradeRange): Promise<SpotTrade[]> {
    return this.parts.spot.pairTrades(range);
  }

  /** The candles within bounds, oldest first, without gaps. Stored candles are joined to longer intervals. */
  async candles(symbol: string, name: ApiInterval, bounds: Bounds): Promise<ClosedCandle[]> {
    const interval = intervalOf(name);
    const oldest = await this.reads.oldestOpened(symbol, interval.timer);
    const newest = this.reads.newestOpened(symbol, interval.timer);
    if (oldest === undefined || newest === undefined) return [];
    const existing = { oldestMs: oldest * 1_000, newestMs: newest * 1_000 };
    const range = selectedRange(interval, bounds, existing);
    if (range === undefined) return [];
    const { fromMs, endMs } = range;
    const stored = await this.reads.candles(symbol, interval.timer, fromMs / 1_000, endMs / 1_000);
    return joinedCandles(interval, stored).map((candle) => ({
      candle,
      closedMs: interval.step(candle.opened * 1_000, 1) - 1,
    }));
  }
}
