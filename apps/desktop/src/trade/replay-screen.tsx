import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { MarketReplay } from '@exchange/web-kit/replay/market-replay.tsx';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import screen from '../style/screen.module.css';

/** Order book and trades of a past moment, and why a fill has its price. */
export default function ReplayScreen() {
  const t = useWords('replay');
  useTitle(t('title'));
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <MarketReplay />
    </div>
  );
}
