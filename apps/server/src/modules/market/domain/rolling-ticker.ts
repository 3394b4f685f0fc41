import type { Candle } from './candle-record.ts';
import type { CandleSeries, CountedDeal } from './candle-series.ts';

const MINUTES_PER_DAY = 1_440;
const DAY_SECONDS = 86_400;

/**
 * Statistics of a pair over its last 1,440 one-minute candles, including the running one; prices in ticks, volume in
 * lots, turnover in turnover units.
 */
export interface Ticker {
  /** Opening time of the oldest of the 1,440 one-minute candles, in seconds since 1970. */
  readonly opened: number;
  readonly open: bigint;
  readonly close: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly volume: bigint;
  readonly turnover: bigint;
  readonly count: number;
  readonly seeded: boolean;
}

/**
 * The ticker over the last 1,440 one-minute candles, including the current one. Deals update it
 * incrementally; when a minute opens or a closed one changes, it is computed again from the candles.
 */
export class RollingTicker {
  private readonly minutes: CandleSeries;
  private window: Ticker | undefined;
  private openedVersion = -1;

  constructor(minutes: CandleSeries) {
    this.minutes = minutes;
  }

  /** The current ticker; undefined for a pair without candles. */
  current(): Ticker | undefined {
    if (this.openedVersion !== this.minutes.opened) {
      this.window = tickerOf(this.minutes);
      this.openedVersion = this.minutes.opened;
    }
    return this.window;
  }

  /**
   * Adds a trade that the minute candles already contain. Does nothing if the next call of `current` computes the
   * ticker anew.
   */
  add(deal: CountedDeal): void {
    const { window } = this;
    if (window === undefined || this.openedVersion !== this.minutes.opened) return;
    this.window = {
      ...window,
      close: deal.price,
      high: deal.price > window.high ? deal.price : window.high,
      low: deal.price < window.low ? deal.price : window.low,
      volume: window.volume + deal.amount,
      turnover: window.turnover + deal.turnover,
      count: window.count + 1,
    };
  }
}

function tickerOf(minutes: CandleSeries): Ticker | undefined {
  const last = minutes.last();
  if (last === undefined) return undefined;
  const first = Math.max(0, minutes.length - MINUTES_PER_DAY);
  let { high, low } = last;
  let volume = 0n;
  let turnover = 0n;
  let count = 0;
  let seeded = false;
  for (let position = first; position < minutes.length; position += 1) {
    const candle: Candle = minutes.at(position);
    if (candle.high > high) high = candle.high;
    if (candle.low < low) low = candle.low;
    volume += candle.volume;
    turnover += candle.turnover;
    count += candle.count;
    seeded ||= candle.seeded;
  }
  const { opened, open } = minutes.at(first);
  return { opened, open, close: last.close, high, low, volume, turnover, count, seeded };
}

/**
 * Closes, in ticks, of the last 24 one-hour candles, including the running one, oldest first; fewer if fewer are in
 * memory.
 */
export function sparkOf(hours: CandleSeries): bigint[] {
  const last = hours.last();
  if (last === undefined) return [];
  const closes: bigint[] = [];
  const first = hours.positionFrom(last.opened - DAY_SECONDS + 3_600);
  for (let position = first; position < hours.length; position += 1) closes.push(hours.at(position).close);
  return closes;
}
