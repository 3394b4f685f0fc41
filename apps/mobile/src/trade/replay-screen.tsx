import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { MarketReplay } from '@exchange/web-kit/replay/market-replay.tsx';
import { Screen } from '../shell/screen.tsx';

/** Screen that shows the order book and the trades at a past time, and explains the price of a fill. */
export default function ReplayScreen() {
  const t = useWords('replay');
  return (
    <Screen title={t('title')} parent={paths.trade}>
      <MarketReplay />
    </Screen>
  );
}
