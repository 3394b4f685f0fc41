import type { HistoryForm } from '@exchange/web-kit/spot/history-form.ts';

/** The periods that records are looked up for most; `own` is chosen day by day. */
export const PERIODS = ['all', 'today', 'week', 'month', 'quarter', 'own'] as const;
export type Period = (typeof PERIODS)[number];

const DAYS: Readonly<Record<Exclude<Period, 'all' | 'own'>, number>> = {
  today: 1,
  week: 7,
  month: 30,
  quarter: 90,
};

/** The days of a period that ends today, both included; `own` keeps what was chosen. `now` in milliseconds UTC. */
export function withPeriod(form: HistoryForm, period: Period, now: number): HistoryForm {
  if (period === 'own') return form;
  if (period === 'all') return { ...form, from: '', to: '' };
  const first = new Date(now);
  first.setDate(first.getDate() - DAYS[period] + 1);
  return { ...form, from: dayOf(first), to: dayOf(new Date(now)) };
}

/** A local day as date inputs write it. */
function dayOf(at: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
