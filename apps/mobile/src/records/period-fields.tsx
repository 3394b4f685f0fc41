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
