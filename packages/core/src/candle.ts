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

/** 1970-01-05 was a Monday; weekly candles open on Mondays at 00:00 UTC. */
const FIRST_MONDAY_MS = 4 * 86_400_000;

/** The opening instant of the candle that contains `at`. */
export function candleStart(timer: CandleTimer, at: Instant): Instant {
  const lengthMs = CANDLE_SECONDS[timer] * 1_000;
  const offsetMs = timer === '1week' ? FIRST_MONDAY_MS : 0;
  return instant(Math.floor((at - offsetMs) / lengthMs) * lengthMs + offsetMs);
}

/** Intervals that a chart offers: those with stored candles, and others aggregated from them. */
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

/** Returns whether candles of this interval are stored. */
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
 * The opening instant (UTC) of the chart candle that contains `at`. Intervals of several hours count from
 * midnight, months from their first day.
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
