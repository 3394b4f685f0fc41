import type { ExportFilters } from '@exchange/web-kit/account/load-export.ts';
import { historyFilterOf, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { withPeriod } from './period.ts';

/** The form an export begins with: the days already chosen where both ends are, else the last thirty. */
export function exportFormOf(form: HistoryForm, now: number): HistoryForm {
  return form.from !== '' && form.to !== '' ? form : withPeriod(form, 'month', now);
}

/** What the export call takes; undefined while the period has no beginning or no end. How an order ended is not exported by. */
export function exportFiltersOf(form: HistoryForm): ExportFilters | undefined {
  const { status: _, startTime, endTime, ...filter } = historyFilterOf(form);
  return startTime === undefined || endTime === undefined ? undefined : { ...filter, startTime, endTime };
}
