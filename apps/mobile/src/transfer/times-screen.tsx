import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { WithdrawalTimes } from '@exchange/web-kit/transfer/withdrawal-times.tsx';
import { Screen } from '../shell/screen.tsx';

/**
 * Screen with public statistics of how long the withdrawals of the last 30 days took, from the time at
 * which they could be sent until their completion.
 */
export default function TimesScreen() {
  const t = useWords('transfer');
  return (
    <Screen title={t('timesTitle')}>
      <WithdrawalTimes />
    </Screen>
  );
}
