import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { numberFormat } from './format.ts';

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

/**
 * How long that is, in its two largest units, cut: `2 hr 14 min`, in Chinese `2小时14分钟`. Nothing left is zero
 * seconds.
 */
export function formatRemaining(lengthMs: number, locale: string): string {
  const left = Math.max(0, lengthMs);
  const largest = UNITS.findIndex(([, unitMs]) => left >= unitMs);
  const first = largest === -1 ? UNITS.length - 1 : largest;
  let rest = left;
  const parts = UNITS.slice(first, first + 2).map(([unit, unitMs]) => {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    return formatUnit(count, unit, locale);
  });
  return parts.join(isTight(locale) ? '' : ' ');
}

/** A number of days, hours and so on: `2 hr`, in Chinese `2小时`. */
export function formatUnit(count: number, unit: (typeof UNITS)[number][0], locale: string): string {
  const text = numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
  return isTight(locale) ? text.replaceAll(' ', '') : text;
}

/** Whether a language writes no space between a number and its unit. */
function isTight(locale: string): boolean {
  return /^(?:zh|ja)/.test(locale);
}

/** How long something took; whole minutes and hours without a zero behind them. */
export function formatLength(seconds: number, locale: string): string {
  const ms = seconds * SECOND_MS;
  const whole = UNITS.find(
    ([unit, unitMs]) => (unit === 'hour' || unit === 'minute') && ms >= unitMs && ms % unitMs === 0,
  );
  if (whole === undefined) return formatRemaining(ms, locale);
  const [unit, unitMs] = whole;
  return formatUnit(ms / unitMs, unit, locale);
}
