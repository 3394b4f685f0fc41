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

/** Public market data of one pair of our own book: candles, 24-hour ticker, recent deals and price levels. */
export class PairMarket {
  readonly pair: Pair;
  readonly scale: PairScale;
  readonly book = new PublicBook();
  readonly ticker: RollingTicker;
  /** The latest trades, newest first. */
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

  /** Adds a trade to the candles, the ticker and the list of recent trades. */
  add(deal: PairDeal): void {
    const { at, price, amount } = deal;
    const countedDeal: CountedDeal = { at, price, amount, turnover: turnoverOf(this.scale, price, amount) };
    for (const timer of CANDLE_TIMERS) this.series[timer].add(countedDeal);
    this.ticker.add(countedDeal);
    this.deals = [deal, ...this.deals.slice(0, DEALS_KEPT - 1)];
  }

  /** Opens the candles that are due and returns the intervals in which a candle was opened. */
  rollTo(now: Instant): CandleTimer[] {
    return CANDLE_TIMERS.filter((timer) => this.series[timer].rollTo(now));
  }
}
