import { instant, type Instant } from './time.ts';

/** Intervals of stored candles; the public trading API has other names for them (`API_INTERVALS`). */
export const CANDLE_TIMERS = ['1min', '5min', '15min', '30min', '60min', '4hour', '1day', '1week'] as const;
export type CandleTimer = (typeof CANDLE_TIMERS)[number];

export const CANDLE_SECONDS: Readonly<Record<CandleTimer, number>> = {
  '1min': 60,
  '5min': 300,
  '15min': 900,
  '30min': 1_800,
  '60min': 3_600,
  '4hour': 14_400,
  '1day': 86_400,
  '1week': 604_800,
};

/** Milliseconds from 1970-01-01 to Monday, 1970-01-05. Weekly candles begin on Mondays at 00:00 UTC. */
const FIRST_MONDAY_MS = 4 * 86_400_000;

/** Returns the beginning of the candle that contains `at`, in milliseconds UTC. */
export function candleStart(timer: CandleTimer, at: Instant): Instant {
  const lengthMs = CANDLE_SECONDS[timer] * 1_000;
  const offsetMs = timer === '1week' ? FIRST_MONDAY_MS : 0;
  return instant(Math.floor((at - offsetMs) / lengthMs) * lengthMs + offsetMs);
}

/**
 * Candle intervals that a chart offers. Candles of the intervals in `CANDLE_TIMERS` are stored; those of the others are
 * aggregated from stored candles.
 */
export const CHART_TIMERS = [
  '1min',
  '5min',
  '15min',
  '30min',
  '60min',
  '2hour',
  '4hour',
  '6hour',
  '12hour',
  '1day',
  '1week',
  '1mon',
] as const;
export type ChartTimer = (typeof CHART_TIMERS)[number];

/** Returns true if candles of this interval are stored, and false if they are aggregated. */
export function isCandleTimer(timer: ChartTimer): timer is CandleTimer {
  return CANDLE_TIMERS.some((stored) => stored === timer);
}

const MADE_HOURS: Readonly<Record<'2hour' | '6hour' | '12hour', number>> = {
  '2hour': 2,
  '6hour': 6,
  '12hour': 12,
};
const HOUR_MS = 3_600_000;

/**
 * Returns the beginning (UTC) of the chart candle that contains `at`. Candles of several hours are counted
 * from midnight, weekly candles begin on Monday, and monthly candles on the first day of the month.
 */
export function chartCandleStart(timer: ChartTimer, at: Instant): Instant {
  if (isCandleTimer(timer)) return candleStart(timer, at);
  if (timer === '1mon') {
    const day = new Date(at);
    return instant(Date.UTC(day.getUTCFullYear(), day.getUTCMonth()));
  }
  const lengthMs = MADE_HOURS[timer] * HOUR_MS;
  return instant(Math.floor(at / lengthMs) * lengthMs);
}
