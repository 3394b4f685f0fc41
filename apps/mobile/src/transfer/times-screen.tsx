import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { WithdrawalTimes } from '@exchange/web-kit/transfer/withdrawal-times.tsx';
import { Screen } from '../shell/screen.tsx';

/** How long withdrawals really took: for everybody to read. */
export default function TimesScreen() {
  const t = useWords('transfer');
  return (
    <Screen title={t('timesTitle')}>
      <WithdrawalTimes />
    </Screen>
  );
}
