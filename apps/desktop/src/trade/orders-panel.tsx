import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { entriesOf } from '@exchange/web-kit/spot/entries.ts';
import { useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { recall, remember } from '@exchange/web-kit/storage.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { useId, useState } from 'react';
import { useLocation } from 'react-router';
import { CancelAll } from './cancel-all.tsx';
import { OrdersBody, type OrdersView } from './orders-body.tsx';
import classes from './orders-panel.module.css';

const ONLY_THIS_PAIR = 'trade-only-this-pair';

/** Below the chart: what one has ordered, what waits, what became of it, and what one has of the pair. */
export function OrdersPanel({ pair }: { readonly pair: MarketPair }) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const panelId = useId();
  const isSignedIn = useSession(({ session }) => session !== null);
  const [view, setView] = useState<OrdersView>('open');
  const [isNarrow, setNarrow] = useState(() => recall(ONLY_THIS_PAIR) === '1');
  const open = useOpenOrders(isNarrow ? { baseCoin: pair.base, quoteCoin: pair.quote } : {});

  const entries = entriesOf(open.resting, open.waiting);

  const narrow = (isOn: boolean): void => {
    setNarrow(isOn);
    remember(ONLY_THIS_PAIR, isOn ? '1' : null);
  };

  return (
    <section className={classes.panel} aria-label={tOrders('title')}>
      <div className={classes.head}>
        <Tabs
          label={tOrders('title')}
          className={classes.tabs}
          value={view}
          onChange={setView}
          panelId={panelId}
          options={[
            { value: 'open', label: tOrders('openCount', { count: entries.open.length }) },
            { value: 'waiting', label: tDesk('waitingTab', { count: entries.waiting.length }) },
            { value: 'history', label: tOrders('history') },
            { value: 'fills', label: tOrders('fills') },
            { value: 'balances', label: tOrders('balances') },
          ]}
        />
        {isSignedIn && (
          <div className={classes.tools}>
            {view !== 'balances' && (
              <Checkbox
                label={tOrders('hideOthers', { pair: `${pair.base}/${pair.quote}` })}
                checked={isNarrow}
                onChange={narrow}
              />
            )}
            {(view === 'open' || view === 'waiting') && (
              <CancelAll pair={isNarrow ? pair : undefined} entries={entries} />
            )}
          </div>
        )}
      </div>
      <div
        id={panelId}
        role="tabpanel"
        className={classes.body}
        data-view={view}
        tabIndex={0}
        aria-label={tOrders(view)}
      >
        {isSignedIn ? <OrdersBody view={view} pair={pair} isNarrow={isNarrow} /> : <LoginFirst />}
      </div>
    </section>
  );
}

/** What a visitor sees instead of orders: the way to them. */
function LoginFirst() {
  const tOrders = useWords('orders');
  const tShell = useWords('shell');
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      text={tOrders('loginToSee')}
      action={
        <ButtonLink look="secondary" size="s" to={loginPathFor(pathname + search)}>
          {tShell('login')}
        </ButtonLink>
      }
    />
  );
}
