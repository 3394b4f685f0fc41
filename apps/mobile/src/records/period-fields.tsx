import { refusalText, useWords } from '@exchange/web-kit/i18n/words.ts';
import { daysProblem } from '@exchange/web-kit/spot/history-form.ts';
import type { Days } from './export-period.ts';
import css from './records.module.css';

interface PeriodFieldsProps {
  days: Days;
  onChange: (part: Partial<Days>) => void;
}

/** The first and the last day of a period; empty texts do not narrow. Says so where the last lies before the first. */
export function PeriodFields({ days: { from, to }, onChange }: PeriodFieldsProps) {
  const t = useWords('orders');
  const problem = daysProblem({ from, to });
  return (
    <div className={css.twice} role="group" aria-label={t('period')}>
      <label className={css.day}>
        {t('from')}
        <input
          type="date"
          className={css.date}
          aria-invalid={problem !== undefined}
          value={from}
          max={to === '' ? undefined : to}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
        />
      </label>
      <label className={css.day}>
        {t('to')}
        <input
          type="date"
          className={css.date}
          aria-invalid={problem !== undefined}
          value={to}
          min={from === '' ? undefined : from}
          onChange={(event) => onChange({ to: event.currentTarget.value })}
        />
      </label>
      <p className={css.problem} role="alert">
        {problem === undefined ? '' : refusalText(problem)}
      </p>
    </div>
  );
}
