import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { numberFormat } from './format.ts';

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

/**
 * Formats a duration in milliseconds in its two largest units, rounded down: `2 hr 14 min`, in Chinese
 * `2小时14分钟`. A negative duration is formatted as zero seconds.
 */
export function formatRemaining(lengthMs: number, locale: string): string {
  const positiveMs = Math.max(0, lengthMs);
  const largest = UNITS.findIndex(([, unitMs]) => positiveMs >= unitMs);
  const first = largest === -1 ? UNITS.length - 1 : largest;
  let remainingMs = positiveMs;
  const parts = UNITS.slice(first, first + 2).map(([unit, unitMs]) => {
    const count = Math.floor(remainingMs / unitMs);
    remainingMs -= count * unitMs;
    return formatUnit(count, unit, locale);
  });
  return parts.join(isWithoutSpace(locale) ? '' : ' ');
}

/** Formats a number of time units: `2 hr`, in Chinese `2小时`. */
export function formatUnit(count: number, unit: (typeof UNITS)[number][0], locale: string): string {
  const text = numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
  return isWithoutSpace(locale) ? text.replaceAll(' ', '') : text;
}

/** Returns whether a language writes a number and its unit without a space between them. */
function isWithoutSpace(locale: string): boolean {
  return /^(?:zh|ja)/.test(locale);
}

/**
 * Formats a duration in seconds: whole hours or minutes in that single unit, any other duration in its two
 * largest units.
 */
export function formatLength(seconds: number, locale: string): string {
  const ms = seconds * SECOND_MS;
  const whole = UNITS.find(
    ([unit, unitMs]) => (unit === 'hour' || unit === 'minute') && ms >= unitMs && ms % unitMs === 0,
  );
  if (whole === undefined) return formatRemaining(ms, locale);
  const [unit, unitMs] = whole;
  return formatUnit(ms / unitMs, unit, locale);
}
