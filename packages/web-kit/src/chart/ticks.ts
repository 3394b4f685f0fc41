import type { ChartTimer } from '@exchange/core/candle.ts';

const OF_WHOLE_DAYS: ReadonlySet<ChartTimer> = new Set(['1day', '1week', '1mon']);

/**
 * Time zone in which a candle's opening time is displayed: daily, weekly and monthly candles open at 00:00 UTC and
 * show that date everywhere. Undefined (the device's zone) for shorter intervals.
 */
export function zoneOfCandles(timer: ChartTimer): 'UTC' | undefined {
  return OF_WHOLE_DAYS.has(timer) ? 'UTC' : undefined;
}

/** The smallest of 1, 2 and 5 times a power of ten that is at least `least`, with a tolerance of 0.1 %. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999) ?? least;
}

/** All multiples of a step between two values, both inclusive. */
export function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from(
    { length: Math.max(0, Math.floor(to / step) - first + 1) },
    (_, index) => (first + index) * step,
  );
}

/** Number of decimals needed to distinguish multiples of a step. */
export function digitsOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step)));
}
