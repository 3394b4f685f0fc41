import type { ChartTimer } from '@exchange/core/candle.ts';

const OF_WHOLE_DAYS: ReadonlySet<ChartTimer> = new Set(['1day', '1week', '1mon']);

/**
 * Returns the time zone in which a candle's opening time is displayed. Daily, weekly and monthly candles open at 00:00
 * UTC, and their date in UTC is displayed everywhere. For shorter intervals returns undefined, which stands for the
 * device's time zone.
 */
export function zoneOfCandles(timer: ChartTimer): 'UTC' | undefined {
  return OF_WHOLE_DAYS.has(timer) ? 'UTC' : undefined;
}

/**
 * Returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least `least`, with a tolerance of
 * 0.1 %.
 */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999) ?? least;
}

/** Returns all multiples of a step from `from` to `to`, both included. */
export function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from(
    { length: Math.max(0, Math.floor(to / step) - first + 1) },
    (_, index) => (first + index) * step,
  );
}

/** Returns the number of decimals that are needed to distinguish the multiples of a step. */
export function digitsOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step)));
}
