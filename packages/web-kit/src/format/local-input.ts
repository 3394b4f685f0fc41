import { MINUTE_MS } from '@exchange/core/time.ts';

/**
 * Converts a time (milliseconds UTC) to the value of `<input type="datetime-local">`: the minute in the device's time
 * zone (`2026-11-21T08:05`); empty for undefined.
 */
export function localInputOf(atMs: number | undefined): string {
  if (atMs === undefined) return '';
  const date = new Date(atMs);
  const twoDigits = (part: number): string => String(part).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/**
 * A time (milliseconds UTC) rounded down to the minute; undefined if `atMs` is undefined. It is not computed from the
 * local time, which in the hour repeated at the end of summer time stands for two times.
 */
export function cutToMinute(atMs: number | undefined): number | undefined {
  return atMs === undefined ? undefined : Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}

/**
 * Parses the value of `<input type="datetime-local">`, a time in the device's time zone, to milliseconds UTC; undefined
 * while the value is incomplete or invalid.
 */
export function timeOfLocalInput(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined;
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? undefined : time;
}
