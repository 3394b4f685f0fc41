import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { MarketReplay } from '@exchange/web-kit/replay/market-replay.tsx';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import screen from '../style/screen.module.css';

/** Screen that shows the order book and the trades at a past time, and explains the price of a fill. */
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
