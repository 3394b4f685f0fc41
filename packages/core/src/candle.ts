import { instant, type Instant } from './time.ts';

/** The chart intervals by the names the calls use. */
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

/** 1970-01-05 was a Monday: weeks open on Mondays 00:00 UTC. */
const FIRST_MONDAY_MS = 4 * 86_400_000;

/** The opening instant of the candle that contains `at`. */
export function candleStart(timer: CandleTimer, at: Instant): Instant {
  const lengthMs = CANDLE_SECONDS[timer] * 1_000;
  const offsetMs = timer === '1week' ? FIRST_MONDAY_MS : 0;
  return instant(Math.floor((at - offsetMs) / lengthMs) * lengthMs + offsetMs);
}
