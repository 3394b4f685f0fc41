import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { ScrollText } from 'lucide-react';
import { lazy, memo, Suspense, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { recordsPath } from '../paths.ts';
import { tradeViewOf, withTradeView, type TradeView } from '../trade/trade-address.ts';
import { entriesOf } from '@exchange/web-kit/spot/entries.ts';
import { FillList, HistoryList, OpenList, WaitingList } from './order-lists.tsx';
import { OrderTabs } from './order-tabs.tsx';
import css from './orders.module.css';

const CancelSheet = lazy(() => import('./cancel-sheet.tsx'));

/** The person's orders below the ticket: on the book, waiting, past, fills. */
export const OrdersPanel = memo(function OrdersPanel({ pair }: { pair: MarketPair }) {
  const t = useWords('orders');
  const own = useWords('mobile-orders');
  const isSignedIn = useSession(({ session }) => session !== null);
  const [query, setQuery] = useSearchParams();
  const { tab, onlyThis } = tradeViewOf(query);
  const show = (change: Partial<TradeView>) =>
    setQuery(withTradeView(query, change), { replace: true, preventScrollReset: true });
  const filter = onlyThis ? { baseCoin: pair.base, quoteCoin: pair.quote } : {};
  const { resting, waiting } = useOpenOrders(filter);
  const entries = entriesOf(resting, waiting);
  const isCancellable = tab === 'open' || tab === 'waiting';
  return (
    <section className={css.panel} aria-label={t('title')}>
      <div className={css.tabsRow}>
        <OrderTabs
          tab={tab}
          onChoose={(chosen) => show({ tab: chosen })}
          entries={entries}
          className={css.tabs}
        />
        {isSignedIn ? (
          <Link to={recordsPath(tab)} className={css.all} aria-label={own('everything')}>
            <ScrollText size={20} aria-hidden="true" />
          </Link>
        ) : null}
      </div>
      {isSignedIn ? (
        <>
          <div className={css.tools}>
            <Checkbox
              label={t('hideOthers')}
              checked={onlyThis}
              onChange={(isOn) => show({ onlyThis: isOn })}
            />
            {isCancellable && entries.open.length + entries.waiting.length > 0 ? (
              <CancelMany pair={onlyThis ? pair : undefined} />
            ) : null}
          </div>
          {tab === 'open' ? <OpenList filter={filter} /> : null}
          {tab === 'waiting' ? <WaitingList filter={filter} /> : null}
          {tab === 'history' ? <HistoryList filter={filter} /> : null}
          {tab === 'fills' ? <FillList filter={filter} /> : null}
        </>
      ) : (
        <LoginToSee />
      )}
    </section>
  );
});

/** Opens the sheet that cancels many at once. */
export function CancelMany({ pair }: { pair: MarketPair | undefined }) {
  const t = useWords('orders');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" className={css.tool} onClick={() => setOpen(true)}>
        {t('cancelAll')}
      </Button>
      <Suspense fallback={null}>
        {isOpen ? <CancelSheet pair={pair} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}

function LoginToSee() {
  const t = useWords('orders');
  const shell = useWords('shell');
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      text={t('loginToSee')}
      action={
        <ButtonLink to={loginPathFor(pathname + search)} look="secondary">
          {shell('login')}
        </ButtonLink>
      }
    />
  );
}
