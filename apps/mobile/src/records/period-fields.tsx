import { EXPORT_DAYS_MAX } from '@exchange/core/period.ts';
import { localInputOf } from '@exchange/web-kit/format/local-input.ts';
import { refusalText, useWords } from '@exchange/web-kit/i18n/words.ts';
import { daysProblem } from '@exchange/web-kit/spot/history-form.ts';
import css from './records.module.css';

interface PeriodFieldsProps {
  days: Days;
  onChange: (part: Partial<Days>) => void;
}

/**
 * Inputs for the first and last day of a period; an empty date sets no limit. Shows an error when the last day is
 * before the first.
 */
export function PeriodFields({ days: { from, to }, onChange }: PeriodFieldsProps) {
  const t = useWords('orders');
  const problem = daysProblem({ from, to });
  const day = (end: 'from' | 'to') => (
    <label className={css.day}>
      {t(end)}
      <input
        type="date"
        className={css.date}
        aria-invalid={problem !== undefined}
        value={end === 'from' ? from : to}
        min={end === 'to' && from !== '' ? from : undefined}
        max={end === 'from' && to !== '' ? to : undefined}
        onChange={(event) => onChange({ [end]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <div className={css.twice} role="group" aria-label={t('period')}>
      {day('from')}
      {day('to')}
      <p className={css.problem} role="alert">
        {problem === undefined ? '' : refusalText(problem)}
      </p>
    </div>
  );
}

/** Length in days of each predefined period of an export, by its translation key. */
export const PERIODS = { last7: 7, last30: 30, last90: 90, lastYear: EXPORT_DAYS_MAX - 1 } as const;
export type Period = keyof typeof PERIODS;

/**
 * First and last day of a period in local time, both included, in the format of date inputs (`2026-11-21`).
 * An empty text sets no limit.
 */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the first and the last day of the last `count` days, of which the last is today in local time;
 * `now` is in milliseconds UTC.
 */
export function lastDays(count: number, now: number): Days {
  const today = new Date(now);
  const firstDay = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1));
  return { from: dayOf(firstDay.getTime()), to: dayOf(now) };
}

/**
 * Returns the predefined period with these first and last days; undefined if no predefined period has exactly
 * these days today.
 */
export function periodOf(days: Days, now: number): Period | undefined {
  return (Object.keys(PERIODS) as Period[]).find((period) => {
    const periodDays = lastDays(PERIODS[period], now);
    return periodDays.from === days.from && periodDays.to === days.to;
  });
}

function dayOf(atMs: number): string {
  return localInputOf(atMs).slice(0, 'YYYY-MM-DD'.length);
}
