import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import { CandleSeries, type CountedDeal } from './candle-series.ts';
import { scaleOf, turnoverOf, type PairScale } from './pair-scale.ts';
import { PublicBook } from './public-book.ts';
import { RollingTicker } from './rolling-ticker.ts';

export const DEALS_KEPT = 100;

/** A deal with its price in ticks and its amount in lots. */
export interface PairDeal {
  readonly tradeId: string;
  /** Sequence number of the deal; negative if the deal was generated for the demo's history. */
  readonly sequence: number;
  readonly at: Instant;
  readonly price: bigint;
  readonly amount: bigint;
  readonly takerSide: Side;
}

/** Whether a deal was generated for the demo instead of traded. */
export function isSeeded({ sequence }: PairDeal): boolean {
  return sequence < 0;
}

/**
 * Public market data of one pair of our own book, in memory: candles, 24-hour ticker, recent deals and price
 * levels.
 */
export class PairMarket {
  readonly pair: Pair;
  readonly scale: PairScale;
  readonly book = new PublicBook();
  readonly ticker: RollingTicker;
  /** At least the latest `DEALS_KEPT` trades, if there were so many, oldest first. */
  private recentDeals: PairDeal[] = [];
  /** The latest trades, newest first; undefined if a trade was added since the list was read last. */
  private newestFirst: readonly PairDeal[] | undefined;
  private readonly series: Readonly<Record<CandleTimer, CandleSeries>>;

  constructor(pair: Pair) {
    this.pair = pair;
    this.scale = scaleOf(pair);
    this.series = Object.fromEntries(
      CANDLE_TIMERS.map((timer) => [timer, new CandleSeries(timer)]),
    ) as Record<CandleTimer, CandleSeries>;
    this.ticker = new RollingTicker(this.series['1min']);
  }

  candles(timer: CandleTimer): CandleSeries {
    return this.series[timer];
  }

  loadDeals(newestFirst: readonly PairDeal[]): void {
    this.recentDeals = newestFirst.slice(0, DEALS_KEPT).toReversed();
    this.newestFirst = undefined;
  }

  /** The latest trades, newest first, at most `DEALS_KEPT`. The same array is returned until a trade is added. */
  get deals(): readonly PairDeal[] {
    this.newestFirst ??= this.recentDeals.slice(-DEALS_KEPT).toReversed();
    return this.newestFirst;
  }

  /** Adds a trade to the candles of all intervals, the ticker and the list of recent trades. */
  add(deal: PairDeal): void {
    const { at, price, amount, takerSide } = deal;
    const countedDeal: CountedDeal = {
      at,
      price,
      amount,
      turnover: turnoverOf(this.scale, price, amount),
      takerSide,
    };
    for (const timer of CANDLE_TIMERS) this.series[timer].add(countedDeal);
    this.ticker.add(countedDeal);
    this.recentDeals.push(deal);
    this.newestFirst = undefined;
    // The list is cut once in `DEALS_KEPT` trades, because copying it with each trade is expensive.
    if (this.recentDeals.length >= 2 * DEALS_KEPT) this.recentDeals = this.recentDeals.slice(-DEALS_KEPT);
  }

  /** Opens the candles that are due and returns the intervals in which a candle was opened. */
  rollTo(now: Instant): CandleTimer[] {
    return CANDLE_TIMERS.filter((timer) => this.series[timer].rollTo(now));
  }
}
