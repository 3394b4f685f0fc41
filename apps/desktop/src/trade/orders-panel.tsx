import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useBalances } from '@exchange/web-kit/balance/balances.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { entriesOf } from '@exchange/web-kit/spot/entries.ts';
import { historyFilterOf, type HistoryForm, INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { AlgoList } from '@exchange/web-kit/spot/algo-list.tsx';
import { type OrderFilter, useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { readStored, store } from '@exchange/web-kit/storage.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { useId, useState } from 'react';
import { useLocation } from 'react-router';
import { ExportButton } from '../orders/export-button.tsx';
import { FillsTable } from '../orders/fills-table.tsx';
import { FilterBar } from '../orders/filter-bar.tsx';
import { HistoryTable } from '../orders/history-table.tsx';
import { OpenOrdersTable } from '../orders/open-orders-table.tsx';
import { OrderDetailDialog } from '../orders/order-detail-dialog.tsx';
import { PositionsTable } from '../orders/positions-table.tsx';
import { WaitingTable } from '../orders/waiting-table.tsx';
import { CancelAll } from './cancel-all.tsx';
import classes from './orders-panel.module.css';

const ONLY_THIS_PAIR = 'trade-only-this-pair';

/**
 * Panel below the chart with tabs: open orders, conditional orders (stop orders, both legs of an OCO, pending
 * orders), algorithmic orders, positions, history, fills, and the user's balances of the pair's coins. The
 * choice to hide the orders of other pairs is stored on this device.
 */
export function OrdersPanel({ pair }: { readonly pair: MarketPair }) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const tAlgo = useWords('algo');
  const panelId = useId();
  const isSignedIn = useSession(({ session }) => session !== null);
  const [view, setView] = useState<OrdersView>('open');
  const [isNarrow, setNarrow] = useState(() => readStored(ONLY_THIS_PAIR) === '1');
  const open = useOpenOrders(isNarrow ? { baseCoin: pair.base, quoteCoin: pair.quote } : {});

  const entries = entriesOf(open.resting, open.waiting);

  const narrow = (isOn: boolean): void => {
    setNarrow(isOn);
    store(ONLY_THIS_PAIR, isOn ? '1' : null);
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
            { value: 'algo', label: tAlgo('tab') },
            { value: 'positions', label: tOrders('positions') },
            { value: 'history', label: tOrders('history') },
            { value: 'fills', label: tOrders('fills') },
            { value: 'balances', label: tOrders('balances') },
          ]}
        />
        {isSignedIn && (
          <div className={classes.tools}>
            {view !== 'balances' && view !== 'positions' && view !== 'algo' && (
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
        aria-label={view === 'algo' ? tAlgo('tab') : tOrders(view)}
      >
        {isSignedIn ? <OrdersBody view={view} pair={pair} isNarrow={isNarrow} /> : <LoginFirst />}
      </div>
    </section>
  );
}

/** Text with a link that asks visitors to log in, shown instead of their orders. */
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

type OrdersView = 'open' | 'waiting' | 'algo' | 'history' | 'fills' | 'positions' | 'balances';

interface OrdersBodyProps {
  readonly view: OrdersView;
  readonly pair: MarketPair;
  /** True restricts the listed orders and fills to the pair of the screen; false lists those of all pairs. */
  readonly isNarrow: boolean;
}

/** The content of the selected tab, and a dialog with the details of the order that the user has opened. */
function OrdersBody({ view, pair, isNarrow }: OrdersBodyProps) {
  const digitsOf = useDigits();
  const [openId, setOpenId] = useState<string>();
  const filter: OrderFilter = isNarrow ? { baseCoin: pair.base, quoteCoin: pair.quote } : {};
  const shared = { digitsOf, onOpen: ({ id }: { readonly id: string }) => setOpenId(id) };
  return (
    <>
      {view === 'open' && <OpenOrdersTable filter={filter} {...shared} />}
      {view === 'waiting' && <WaitingTable filter={filter} {...shared} />}
      {view === 'algo' && <AlgoList pair={pair} look="floating" />}
      {(view === 'history' || view === 'fills') && (
        <PastRecords key={view} view={view} pair={isNarrow ? pair : undefined} onOpen={setOpenId} />
      )}
      {view === 'positions' && <PositionsTable />}
      {view === 'balances' && <PairBalances pair={pair} />}
      {openId !== undefined && <OrderDetailDialog id={openId} onClose={() => setOpenId(undefined)} />}
    </>
  );
}

interface PastRecordsProps {
  readonly view: 'history' | 'fills';
  readonly pair: MarketPair | undefined;
  readonly onOpen: (id: string) => void;
}

/** The order history or the fills, with the filters for them. */
function PastRecords({ view, pair, onOpen }: PastRecordsProps) {
  const digitsOf = useDigits();
  const [form, setForm] = useState<HistoryForm>(INITIAL_HISTORY);
  const pairForm = pair === undefined ? form : { ...form, pair: `${pair.base}/${pair.quote}` };
  const filter = historyFilterOf(pairForm);
  const isNarrowed = form !== INITIAL_HISTORY;
  return (
    <>
      <div className={classes.filters}>
        <FilterBar
          form={form}
          onChange={setForm}
          hasPair={pair === undefined}
          hasOutcome={view === 'history'}
        >
          <ExportButton kind={view === 'fills' ? 'fills' : 'orders'} form={pairForm} />
        </FilterBar>
      </div>
      {view === 'history' ? (
        <HistoryTable
          filter={filter}
          isNarrowed={isNarrowed}
          digitsOf={digitsOf}
          onOpen={({ id }) => onOpen(id)}
        />
      ) : (
        <FillsTable filter={filter} isNarrowed={isNarrowed} digitsOf={digitsOf} onOpen={onOpen} />
      )}
    </>
  );
}

/** The available amount, the frozen amount and the worth of both coins of the pair. */
function PairBalances({ pair }: { readonly pair: MarketPair }) {
  const tOrders = useWords('orders');
  const tAssets = useWords('assets');
  const balances = useBalances();
  const hidden = !useBalancesVisible((state) => state.isVisible);
  const list = balances.data?.list ?? [];
  const rows = [pair.base, pair.quote].flatMap((coin) => list.filter(({ currency }) => currency === coin));
  return (
    <ListBody
      isLoading={balances.isPending}
      error={balances.error}
      onRetry={() => void balances.refetch()}
      isEmpty={rows.length === 0}
      empty={tAssets('none')}
    >
      <DataTable
        dense
        caption={tOrders('balances')}
        rows={rows}
        rowKey={({ currency }) => currency}
        columns={[
          { key: 'coin', title: tAssets('coin'), cell: ({ currency }) => currency },
          {
            key: 'available',
            title: tAssets('available'),
            align: 'end',
            cell: ({ availableCurrency, currency }) => (
              <Amount value={availableCurrency} kind="sum" figureCoin={currency} hidden={hidden} />
            ),
          },
          {
            key: 'frozen',
            title: tAssets('frozen'),
            align: 'end',
            cell: ({ frozenCurrency, currency }) => (
              <Amount value={frozenCurrency} kind="sum" figureCoin={currency} hidden={hidden} />
            ),
          },
          {
            key: 'worth',
            title: tAssets('value'),
            align: 'end',
            cell: ({ total }) => <Amount value={total} kind="worth" hidden={hidden} />,
          },
        ]}
      />
    </ListBody>
  );
}
