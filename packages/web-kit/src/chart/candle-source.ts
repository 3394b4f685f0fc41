import { CANDLE_SECONDS, type CandleTimer } from '@exchange/core/candle.ts';
import type { KLineData, Period } from 'klinecharts';

/** A candle as it arrives: numbers from the history call, decimal text from the feed. */
export interface CandleLike {
  /** Opening time in seconds. */
  readonly id: number;
  readonly open: number | string;
  readonly close: number | string;
  readonly high: number | string;
  readonly low: number | string;
  /** In the base coin. */
  readonly vol: number | string;
}

/** Where a chart gets its candles from. */
export interface CandleSource {
  /** Candles oldest first; with `endTimeSeconds`, those that opened before it. */
  readonly load: (
    symbol: string,
    timer: CandleTimer,
    size: number,
    endTimeSeconds?: number,
  ) => Promise<readonly CandleLike[]>;
  /**
   * Calls back with the current candle whenever it changes, and before it with those that were missed; with `onLost`
   * where too many were, so that all have to be loaded anew. Gives the function that stops it.
   */
  readonly follow: (
    symbol: string,
    timer: CandleTimer,
    onCandle: (candle: CandleLike) => void,
    onLost: () => void,
  ) => () => void;
}

/** A candle in the chart's own form. Turnover is (open + high + low + close) / 4 × volume. */
export function barOf(candle: CandleLike): KLineData {
  const open = Number(candle.open);
  const close = Number(candle.close);
  const high = Number(candle.high);
  const low = Number(candle.low);
  const volume = Number(candle.vol);
  const turnover = ((open + high + low + close) / 4) * volume;
  return { timestamp: candle.id * 1_000, open, close, high, low, volume, turnover };
}

const PERIODS: Readonly<Record<CandleTimer, Period>> = {
  '1min': { type: 'minute', span: 1 },
  '5min': { type: 'minute', span: 5 },
  '15min': { type: 'minute', span: 15 },
  '30min': { type: 'minute', span: 30 },
  '60min': { type: 'hour', span: 1 },
  '4hour': { type: 'hour', span: 4 },
  '1day': { type: 'day', span: 1 },
  '1week': { type: 'week', span: 1 },
};

/** The chart library's name of an interval. */
export function periodOf(timer: CandleTimer): Period {
  return PERIODS[timer];
}

/** The opening time (ms) of the candle that contains `atMs`, counted from the last known bar. */
export function barTimeOf(timer: CandleTimer, atMs: number, knownBarMs: number): number {
  const lengthMs = CANDLE_SECONDS[timer] * 1_000;
  return knownBarMs + Math.floor((atMs - knownBarMs) / lengthMs) * lengthMs;
}
