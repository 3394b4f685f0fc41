import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import { CandleSeries, type CountedDeal } from './candle-series.ts';
import { scaleOf, turnoverOf, type PairScale } from './pair-scale.ts';
import { PublicBook } from './public-book.ts';
import { RollingTicker } from './rolling-ticker.ts';

export const DEALS_KEPT = 100;

/** A deal in the units of its pair. */
export interface PairDeal {
  readonly tradeId: string;
  /** Below zero where it was generated for the demo's past instead of traded. */
  readonly sequence: number;
  readonly at: Instant;
  readonly price: bigint;
  readonly amount: bigint;
  readonly takerSide: Side;
}

/** Whether a deal was generated instead of traded. */
export function isSeeded({ sequence }: PairDeal): boolean {
  return sequence < 0;
}

/** All that is public about one pair on our own book: candles, the 24-hour ticker, deals, levels. */
export class PairMarket {
  readonly pair: Pair;
  readonly scale: PairScale;
  readonly book = new PublicBook();
  readonly ticker: RollingTicker;
  /** Newest first. */
  deals: readonly PairDeal[] = [];
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
    this.deals = newestFirst.slice(0, DEALS_KEPT);
  }

  /** Counts one deal everywhere it counts. */
  add(deal: PairDeal): void {
    const { at, price, amount } = deal;
    const counted: CountedDeal = { at, price, amount, turnover: turnoverOf(this.scale, price, amount) };
    for (const timer of CANDLE_TIMERS) this.series[timer].add(counted);
    this.ticker.add(counted);
    this.deals = [deal, ...this.deals.slice(0, DEALS_KEPT - 1)];
  }

  /** Opens the candles that are due; gives the intervals in which one was opened. */
  rollTo(now: Instant): CandleTimer[] {
    return CANDLE_TIMERS.filter((timer) => this.series[timer].rollTo(now));
  }
}
