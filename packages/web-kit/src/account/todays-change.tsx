import { signOf, wayOfPercent } from '../format/format.ts';
import { Amount, Change } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { changeBetween } from './curve.ts';
import { useOverview } from './queries.ts';
import { useValueHistory } from './portfolio.ts';
import css from './value-curve.module.css';

/** How much more or less everything is worth than at the last midnight of UTC; nothing where that is not known. */
export function TodaysChange({ hidden }: { readonly hidden: boolean }) {
  const t = useWords('assets');
  const midnight = useValueHistory('7').data?.at(-1);
  const { data: now } = useOverview();
  if (midnight === undefined || now === undefined) return null;
  const { amount, fraction } = changeBetween(midnight.total, now.total);
  return (
    <span className={css.today} title={t('changeTodayHint')}>
      {t('changeToday')}{' '}
      <span className={css.change} data-way={wayOfPercent(amount)}>
        {hidden || signOf(amount) <= 0 ? '' : '+'}
        <Amount value={amount} digits={2} hidden={hidden} />{' '}
      </span>
      <Change value={fraction} />
    </span>
  );
}
