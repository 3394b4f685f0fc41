import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { useOpenOrders, type OrderFilter } from '@exchange/web-kit/spot/queries.ts';
import { recall, remember } from '@exchange/web-kit/storage.ts';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { SegmentedControl, Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { useId, useState } from 'react';
import { CancelAll } from './cancel-all.tsx';
import { OrdersBody, type Ended, type OrdersView } from './orders-body.tsx';
import classes from './orders-panel.module.css';

const ONLY_THIS_PAIR = 'trade-only-this-pair';

/** Below the chart: what one has ordered, what became of it, and what one has of the pair. */
export function OrdersPanel({ pair }: { readonly pair: MarketPair }) {
  const tOrders = useWords('orders');
  const panelId = useId();
  const isSignedIn = useSession(({ session }) => session !== null);
  const [view, setView] = useState<OrdersView>('open');
  const [ended, setEnded] = useState<Ended>('all');
  const [isNarrow, setNarrow] = useState(() => recall(ONLY_THIS_PAIR) === '1');
  const filter: OrderFilter = isNarrow ? { baseCoin: pair.base, quoteCoin: pair.quote } : {};
  const openCount = useOpenOrders(filter).data?.length ?? 0;

  const narrow = (isOn: boolean): void => {
    setNarrow(isOn);
    remember(ONLY_THIS_PAIR, isOn ? '1' : null);
  };

  return (
    <section className={classes.panel} aria-label={tOrders('open')}>
      <div className={classes.head}>
        <Tabs
          label={tOrders('open')}
          value={view}
          onChange={setView}
          panelId={panelId}
          options={[
            { value: 'open', label: `${tOrders('open')} (${openCount})` },
            { value: 'history', label: tOrders('history') },
            { value: 'fills', label: tOrders('fills') },
            { value: 'balances', label: tOrders('balances') },
          ]}
        />
        {isSignedIn && (
          <div className={classes.tools}>
            {view === 'history' && (
              <SegmentedControl
                label={tOrders('status')}
                value={ended}
                onChange={setEnded}
                options={[
                  { value: 'all', label: tOrders('all') },
                  { value: 'finished', label: tOrders('finished') },
                  { value: 'cancelled', label: tOrders('cancelled') },
                ]}
              />
            )}
            {view !== 'balances' && (
              <Switch
                label={tOrders('hideOthers', { pair: `${pair.base}/${pair.quote}` })}
                checked={isNarrow}
                onChange={narrow}
              />
            )}
            {view === 'open' && <CancelAll pair={isNarrow ? pair : undefined} count={openCount} />}
          </div>
        )}
      </div>
      <div id={panelId} role="tabpanel" className={classes.body} tabIndex={0} aria-label={tOrders(view)}>
        {isSignedIn ? (
          <OrdersBody view={view} pair={pair} filter={filter} ended={ended} />
        ) : (
          <EmptyState text={tOrders('loginToSee')} />
        )}
      </div>
    </section>
  );
}
