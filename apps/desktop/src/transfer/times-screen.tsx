import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { WithdrawalTimes } from '@exchange/web-kit/transfer/withdrawal-times.tsx';
import screen from '../style/screen.module.css';

/**
 * Screen with public statistics of how long the withdrawals of the last 30 days took, from the time at
 * which they could be sent until their completion.
 */
export default function TimesScreen() {
  const t = useWords('transfer');
  useTitle(t('timesTitle'));
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('timesTitle')}</h1>
      </header>
      <WithdrawalTimes />
    </div>
  );
}
