import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { TransferTracker } from '@exchange/web-kit/tracking/transfer-tracker.tsx';
import { Screen } from '../shell/screen.tsx';

const WAYS = { contact: paths.contact, deposit: paths.deposit };

/** Screen with the progress of the user's deposits and withdrawals. */
export default function TrackingScreen() {
  const t = useWords('tracking');
  return (
    <Screen title={t('title')} parent={paths.assets}>
      <TransferTracker ways={WAYS} />
    </Screen>
  );
}
