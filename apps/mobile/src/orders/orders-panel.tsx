import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { entriesOf, type OpenEntries } from '@exchange/web-kit/spot/entries.ts';
import { AlgoList } from '@exchange/web-kit/spot/algo-list.tsx';
import { useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { ScrollText } from 'lucide-react';
import { memo, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { recordsPath, type RecordsTab } from '../paths.ts';
import { type TradeView, tradeViewOf, withTradeView } from '../trade/trade-query.ts';
import { FillList, HistoryList, OpenList, WaitingList } from './order-lists.tsx';
import css from './orders.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const CancelSheet = lazyPart('cancel-sheet', () => import('./cancel-sheet.tsx'), { whenMissing: 'dialog' });

/** The lists of the user's orders below the ticket: open orders, stop orders, algorithmic orders, history and fills. */
export const OrdersPanel = memo(function OrdersPanel({ pair }: { pair: MarketPair }) {
  const t = useWords('orders');
  const tMobile = useWords('mobile-orders');
  const isSignedIn = useSession(({ session }) => session !== null);
  const [query, setQuery] = useSearchParams();
  const { tab, onlyThisPair } = tradeViewOf(query);
  const show = (change: Partial<TradeView>) =>
    setQuery(withTradeView(query, change), { replace: true, preventScrollReset: true });
  const filter = onlyThisPair ? { baseCoin: pair.base, quoteCoin: pair.quote } : {};
  const { resting, waiting } = useOpenOrders(filter);
  const entries = entriesOf(resting, waiting);
  const isCancellable = tab === 'open' || tab === 'waiting';
  return (
    <section className={css.panel} aria-label={t('title')}>
      <div className={css.tabsRow}>
        <OrderTabs
          tab={tab}
          onChoose={(nextTab) => show({ tab: nextTab })}
          entries={entries}
          className={css.tabs}
        />
        {isSignedIn ? (
          <Link to={recordsPath(tab)} className={css.all} aria-label={tMobile('everything')}>
            <ScrollText size={20} aria-hidden="true" />
          </Link>
        ) : null}
      </div>
      {isSignedIn ? (
        <>
          {tab === 'algo' ? null : (
            <div className={css.tools}>
              <Checkbox
                label={t('hideOthers')}
                checked={onlyThisPair}
                onChange={(isOn) => show({ onlyThisPair: isOn })}
              />
              {isCancellable && entries.open.length + entries.waiting.length > 0 ? (
                <CancelManyButton pair={onlyThisPair ? pair : undefined} />
              ) : null}
            </div>
          )}
          {tab === 'open' ? <OpenList filter={filter} /> : null}
          {tab === 'waiting' ? <WaitingList filter={filter} /> : null}
          {tab === 'algo' ? <AlgoList pair={pair} look="sheet" /> : null}
          {tab === 'history' ? <HistoryList filter={filter} /> : null}
          {tab === 'fills' ? <FillList filter={filter} /> : null}
        </>
      ) : (
        <LoginToSee />
      )}
    </section>
  );
});

/** Button that opens the sheet in which the user cancels several orders at once. */
export function CancelManyButton({ pair }: { pair: MarketPair | undefined }) {
  const t = useWords('orders');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" className={css.tool} onClick={() => setOpen(true)}>
        {t('cancelAll')}
      </Button>
      <>{isOpen ? <CancelSheet pair={pair} onClose={() => setOpen(false)} /> : null}</>
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

interface OrderTabsProps {
  tab: RecordsTab;
  onChoose: (tab: RecordsTab) => void;
  /** The user's open orders and stop orders, whose numbers the tabs show. */
  entries: OpenEntries;
  className: string | undefined;
}

/** Tabs of the order lists; the tabs of open and of stop orders show the number of these orders. */
export function OrderTabs({ tab, onChoose, entries, className }: OrderTabsProps) {
  const t = useWords('orders');
  const tMobile = useWords('mobile-orders');
  const tAlgo = useWords('algo');
  return (
    <Tabs<RecordsTab>
      label={t('title')}
      className={className}
      value={tab}
      onChange={onChoose}
      options={[
        { value: 'open', label: tMobile('open', { count: entries.open.length }) },
        { value: 'waiting', label: tMobile('waiting', { count: entries.waiting.length }) },
        { value: 'algo', label: tAlgo('tab') },
        { value: 'history', label: tMobile('history') },
        { value: 'fills', label: tMobile('fills') },
      ]}
    />
  );
}
