import { EXPORT_DAYS_MAX } from '@exchange/core/export.ts';
import { localInputOf } from '@exchange/web-kit/format/local-input.ts';

/** The periods offered, by the words of the namespace `export`. */
export const PERIODS = { last7: 7, last30: 30, last90: 90, lastYear: EXPORT_DAYS_MAX - 1 } as const;
export type Period = keyof typeof PERIODS;

/** Days as the date inputs say them, `2026-11-21`, both included, in local time. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The last so many days, the one of `now` (milliseconds UTC) included. */
export function lastDays(count: number, now: number): Days {
  const today = new Date(now);
  const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1));
  return { from: dayOf(first.getTime()), to: dayOf(now) };
}

/** The period that some days are; undefined where none of those offered. */
export function periodOf(days: Days, now: number): Period | undefined {
  return (Object.keys(PERIODS) as Period[]).find((period) => {
    const offered = lastDays(PERIODS[period], now);
    return offered.from === days.from && offered.to === days.to;
  });
}

function dayOf(atMs: number): string {
  return localInputOf(atMs).slice(0, 'YYYY-MM-DD'.length);
}
