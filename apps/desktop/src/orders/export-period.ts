import type { ExportFilters } from '@exchange/web-kit/account/export.ts';
import { historyFilterOf, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { withPeriod } from './period.ts';

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
