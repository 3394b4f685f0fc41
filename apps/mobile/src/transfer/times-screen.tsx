import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { WithdrawalTimes } from '@exchange/web-kit/transfer/withdrawal-times.tsx';
import { Screen } from '../shell/screen.tsx';

/** Screen with public statistics of how long withdrawals actually took. */
export default function TimesScreen() {
  const t = useWords('transfer');
  return (
    <Screen title={t('timesTitle')}>
      <WithdrawalTimes />
    </Screen>
  );
}
