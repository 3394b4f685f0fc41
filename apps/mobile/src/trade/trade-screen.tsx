import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { symbolOfLink, type MarketPair } from '@exchange/web-kit/market/pair.ts';
import { usePair } from '@exchange/web-kit/market/queries.ts';
import { useOwnRates } from '@exchange/web-kit/spot/queries.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { paths } from '../paths.ts';
import { StateOf } from '../shell/state-of.tsx';
import { Book } from './book.tsx';
import { OrdersPanel } from './orders-panel.tsx';
import { PairHeader } from './pair-header.tsx';
import { Ticket } from './ticket.tsx';
import css from './trade.module.css';
import { useMoment } from './use-moment.ts';
import { useTicket } from './use-ticket.ts';

const DEFAULT_SYMBOL = 'btcusdt';
const ChartView = lazy(() => import('./chart-view.tsx'));

/** Book and ticket on one screen, orders below, the chart one tap away. The address names pair and view. */
export default function TradeScreen() {
  const t = useWords('trade');
  const [query] = useSearchParams();
  const asked = query.get('symbol');
  const symbol = asked === null ? DEFAULT_SYMBOL : (symbolOfLink(asked) ?? '');
  const pair = usePair(symbol);
  if (pair.data === null) {
    return (
      <EmptyState
        text={t('unknownPair', { pair: asked ?? '' })}
        action={<ButtonLink to={paths.market}>{t('allMarkets')}</ButtonLink>}
      />
    );
  }
  return (
    <StateOf isLoading={pair.isPending} error={pair.error} onRetry={() => void pair.refetch()} rows={12}>
      {pair.data === undefined ? null : (
        <Market key={symbol} pair={pair.data} isChart={query.get('view') === 'chart'} />
      )}
    </StateOf>
  );
}

function Market({ pair: listed, isChart }: { pair: MarketPair; isChart: boolean }) {
  const pair = useOwnRates(listed);
  const moment = useMoment(pair);
  const control = useTicket(moment);
  const [wasOpened, setOpened] = useState(isChart);
  if (isChart && !wasOpened) setOpened(true);
  return (
    <>
      <PairHeader pair={pair} isChart={isChart} />
      {wasOpened ? (
        <div hidden={!isChart}>
          <Suspense fallback={<SkeletonRows rows={10} height={32} />}>
            {isChart ? <ChartView pair={pair} onSide={control.setSide} /> : null}
          </Suspense>
        </div>
      ) : null}
      <main hidden={isChart}>
        <div className={css.desk}>
          <Ticket moment={moment} control={control} />
          <Book pair={pair} onPrice={control.ticket.type === 'limit' ? control.setPrice : undefined} />
        </div>
        <OrdersPanel pair={pair} />
      </main>
    </>
  );
}
