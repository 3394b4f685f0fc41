import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { MarketReplay } from '@exchange/web-kit/replay/market-replay.tsx';
import { Screen } from '../shell/screen.tsx';

/** Order book and trades of a past moment, and why a fill has its price. */
export default function ReplayScreen() {
  const t = useWords('replay');
  return (
    <Screen title={t('title')} parent={paths.trade}>
      <MarketReplay />
    </Screen>
  );
}
