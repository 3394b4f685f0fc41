import type { ChartTimer } from '@exchange/core/candle.ts';

const OF_WHOLE_DAYS: ReadonlySet<ChartTimer> = new Set(['1day', '1week', '1mon']);

/**
 * The time zone in which the opening time of a candle is written: candles of days, weeks and months open at 00:00 UTC and
 * carry that date everywhere. Undefined, the device's own zone, for shorter ones.
 */
export function zoneOfCandles(timer: ChartTimer): 'UTC' | undefined {
  return OF_WHOLE_DAYS.has(timer) ? 'UTC' : undefined;
}

/** The least of 1, 2 and 5 times a power of ten that is no less. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least * 0.999) ?? least;
}

/** The multiples of a step from one value to another, both included. */
export function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from(
    { length: Math.max(0, Math.floor(to / step) - first + 1) },
    (_, at) => (first + at) * step,
  );
}

/** The decimals that tell multiples of a step apart. */
export function digitsOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step)));
}
