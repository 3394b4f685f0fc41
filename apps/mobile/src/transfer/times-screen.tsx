import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { WithdrawalTimes } from '@exchange/web-kit/transfer/withdrawal-times.tsx';
import { Screen } from '../shell/screen.tsx';

/** Public statistics of actual withdrawal times. */
export default function TimesScreen() {
  const t = useWords('transfer');
  return (
    <Screen title={t('timesTitle')}>
      <WithdrawalTimes />
    </Screen>
  );
}
