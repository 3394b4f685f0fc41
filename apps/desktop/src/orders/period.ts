import type { ExportFilters } from '@exchange/web-kit/account/export.ts';
import { historyFilterOf, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';

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

/** The form an export begins with: the days already chosen where both ends are, else the last thirty. */
export function exportFormOf(form: HistoryForm, now: number): HistoryForm {
  return form.from !== '' && form.to !== '' ? form : withPeriod(form, 'month', now);
}

/** How the export call names the ways in which an order ends. */
const ENTRY_STATUS = { finished: '1', cancelled: '2' } as const;

/** What the export call takes; undefined while the period has no beginning or no end. */
export function exportFiltersOf(form: HistoryForm): ExportFilters | undefined {
  const { status, startTime, endTime, ...filter } = historyFilterOf(form);
  if (startTime === undefined || endTime === undefined) return undefined;
  return {
    ...filter,
    ...(status === undefined ? {} : { entryStatus: ENTRY_STATUS[status] }),
    startTime,
    endTime,
  };
}
