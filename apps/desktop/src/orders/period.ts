import type { HistoryForm } from '@exchange/web-kit/spot/history-form.ts';

/** Predefined periods of the order filter; `own` means two dates chosen by the user. */
export const PERIODS = ['all', 'today', 'week', 'month', 'quarter', 'own'] as const;
export type Period = (typeof PERIODS)[number];

const DAYS: Readonly<Record<Exclude<Period, 'all' | 'own'>, number>> = {
  today: 1,
  week: 7,
  month: 30,
  quarter: 90,
};

/**
 * Returns the filter form with the dates of a predefined period. The period ends today (local date of the
 * device), and its first and last day are included. `all` removes both dates; `own` keeps the dates that the
 * user chose. `now` in milliseconds UTC.
 */
export function withPeriod(form: HistoryForm, period: Period, now: number): HistoryForm {
  if (period === 'own') return form;
  if (period === 'all') return { ...form, from: '', to: '' };
  const first = new Date(now);
  first.setDate(first.getDate() - DAYS[period] + 1);
  return { ...form, from: dayOf(first), to: dayOf(new Date(now)) };
}

/** Returns a local date in the format of date inputs (YYYY-MM-DD). */
function dayOf(at: Date): string {
  const twoDigits = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
}

/**
 * Returns the initial form of an export: the filter itself if both of its dates are set, otherwise the filter
 * with the last thirty days.
 */
export function exportFormOf(form: HistoryForm, now: number): HistoryForm {
  return form.from !== '' && form.to !== '' ? form : withPeriod(form, 'month', now);
}
