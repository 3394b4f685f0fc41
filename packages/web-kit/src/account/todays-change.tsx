import { wayOfPercent } from '../format/format.ts';
import { Amount, Change } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { profitBetween } from './curve.ts';
import { useOverview } from './queries.ts';
import { useValueHistory } from './portfolio.ts';
import css from './value-curve.module.css';

/** What was earned since the last midnight of UTC; nothing where it is not known what there was then. */
export function TodaysChange({ hidden }: { readonly hidden: boolean }) {
  const t = useWords('assets');
  const midnight = useValueHistory('7').data?.today;
  const { data: now } = useOverview();
  if (midnight === undefined || midnight === null || now === undefined) return null;
  const { amount, fraction } = profitBetween(midnight.total, now.total, midnight.netDeposits);
  return (
    <span className={css.today} title={t('changeTodayHint')}>
      {t('changeToday')}{' '}
      <span className={css.change} data-way={wayOfPercent(amount)}>
        <Amount value={amount} signed digits={2} hidden={hidden} />{' '}
      </span>
      <Change value={fraction} />
    </span>
  );
}
