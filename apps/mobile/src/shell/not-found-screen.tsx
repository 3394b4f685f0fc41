import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { NotFound } from '@exchange/web-kit/shell/not-found.tsx';
import { ChartCandlestick, ChartNoAxesColumn, LifeBuoy, Wallet } from 'lucide-react';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from './screen.tsx';

export default function NotFoundScreen() {
  const t = useWords('shell');
  return (
    <Screen title={t('notFound')} parent={paths.home}>
      <NotFound
        isTitled
        home={paths.home}
        ways={[
          { to: paths.market, name: t('navMarkets'), icon: ChartNoAxesColumn },
          { to: paths.trade, name: t('navSpot'), icon: ChartCandlestick },
          { to: paths.assets, name: t('navAssets'), icon: Wallet },
          { to: paths.contact, name: t('footerHelp'), icon: LifeBuoy },
        ]}
      />
    </Screen>
  );
}
