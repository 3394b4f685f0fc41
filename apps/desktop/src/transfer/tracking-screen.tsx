import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { TransferTracker } from '@exchange/web-kit/tracking/transfer-tracker.tsx';
import screen from '../style/screen.module.css';

const WAYS = { contact: paths.contact, deposit: paths.deposit };

/** Screen with the progress of the user's deposits and withdrawals. */
export default function TrackingScreen() {
  const t = useWords('tracking');
  useTitle(t('title'));
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <TransferTracker ways={WAYS} />
    </div>
  );
}
