import type { Side } from '@exchange/core/pair.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { useSearchParams } from 'react-router';
import type { PairView } from '../../paths.ts';
import { withTradeView } from '../trade-query.ts';
import css from './pair-view.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const WAITING = <SkeletonRows rows={10} height={32} />;
const ChartView = lazyPart('chart-view', () => import('./chart-view.tsx'), { waiting: WAITING });
const InfoView = lazyPart('info-view', () => import('./info-view.tsx'), { waiting: WAITING });

interface PairViewProps {
  pair: MarketPair;
  view: PairView;
  /**
   * Called when the user presses buy or sell, before the ticket opens: with that side, which the ticket then
   * shows.
   */
  onSide: (side: Side) => void;
}

/**
 * View of the trading screen with a pair's chart, order book, latest trades and depth, or with information about the
 * pair; buttons to buy and sell open the ticket.
 */
export default function ViewOfPair({ pair, view, onSide }: PairViewProps) {
  const t = useWords('mobile-trade');
  const trade = useWords('trade');
  const [query, setQuery] = useSearchParams();
  const show = (nextView: PairView) => setQuery(withTradeView(query, { view: nextView }), { replace: true });
  // Opening the ticket adds an entry to the browser history, so that the Back button returns to this view.
  const open = (side: Side) => {
    onSide(side);
    setQuery(withTradeView(query, { view: undefined }));
  };
  return (
    <main className={css.view}>
      <Tabs<PairView>
        label={t('views')}
        className={css.views}
        value={view}
        onChange={show}
        options={[
          { value: 'chart', label: t('viewChart') },
          { value: 'info', label: t('viewInfo') },
        ]}
      />
      {view === 'chart' ? <ChartView pair={pair} /> : <InfoView pair={pair} />}
      <div className={css.sides}>
        <Button look="buy" size="l" onClick={() => open('buy')}>
          {trade('buy')}
        </Button>
        <Button look="sell" size="l" onClick={() => open('sell')}>
          {trade('sell')}
        </Button>
      </div>
    </main>
  );
}
