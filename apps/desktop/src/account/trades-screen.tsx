import { EventList } from '@exchange/web-kit/account/event-list.tsx';
import {
  historyQueryOf,
  historyViewOf,
  TRANSFER_TAB_WORDS,
  TRANSFER_TABS,
  transferTabOf,
  type TransferTab,
  WHOLE_HISTORY,
} from '@exchange/web-kit/account/history-query.ts';
import { ConvertHistory } from '@exchange/web-kit/convert/convert-history.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { historyFilterOf, type HistoryForm, INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { DepositRecords, WithdrawalRecords } from '@exchange/web-kit/transfer/records.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ExportButton } from '../orders/export-button.tsx';
import { FillsTable } from '../orders/fills-table.tsx';
import { FilterBar } from '../orders/filter-bar.tsx';
import { HistoryTable } from '../orders/history-table.tsx';
import { OpenOrdersTable } from '../orders/open-orders-table.tsx';
import { OrderDetailDialog } from '../orders/order-detail-dialog.tsx';
import { WaitingTable } from '../orders/waiting-table.tsx';
import screen from '../style/screen.module.css';
import { StatementPanel } from './statement-panel.tsx';
import classes from './trades.module.css';

const ORDER_VIEWS = ['open', 'waiting', 'history', 'fills'] as const;
const VIEWS = [...ORDER_VIEWS, 'statement', ...TRANSFER_TABS] as const;
type View = (typeof VIEWS)[number];

/**
 * The records screen: the user's orders and trades of all pairs, account events, deposits, withdrawals, conversions and
 * transfers. The URL selects the list (`tab`, or `type` for the account history), so that links and the Back button
 * work. The URL may also contain the id of an order, whose details then open.
 */
export default function TradesScreen() {
  const t = useWords('records');
  const tStatement = useWords('statement');
  const panelId = useId();
  useTitle(t('title'));
  const [search, setSearch] = useSearchParams();
  const history = historyViewOf(search);
  const transferTab = transferTabOf(search.get('tab'));
  const orders = ORDER_VIEWS.find((name) => name === search.get('tab')) ?? 'history';
  const view: View = history === undefined ? (transferTab ?? orders) : 'statement';
  const openId = search.get('order');

  const open = (id: string | undefined): void =>
    setSearch(
      (before) => {
        if (id === undefined) before.delete('order');
        else before.set('order', id);
        return before;
      },
      { replace: true },
    );

  const choose = (next: View): void =>
    setSearch(next === 'statement' ? historyQueryOf(WHOLE_HISTORY) : { tab: next }, { replace: true });

  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <section className={classes.records}>
        <ViewTabs view={view} panelId={panelId} onChange={choose} />
        {history !== undefined ? (
          <div id={panelId} role="tabpanel" aria-label={tStatement('title')}>
            <StatementPanel
              view={history}
              onView={(next) => setSearch(historyQueryOf(next), { replace: true })}
            />
          </div>
        ) : transferTab !== undefined ? (
          <Transfers tab={transferTab} panelId={panelId} />
        ) : (
          <Orders view={orders} panelId={panelId} onOpen={open} />
        )}
      </section>
      {openId !== null && <OrderDetailDialog id={openId} onClose={() => open(undefined)} />}
    </div>
  );
}

interface ViewTabsProps {
  readonly view: View;
  readonly panelId: string;
  readonly onChange: (view: View) => void;
}

function ViewTabs({ view, panelId, onChange }: ViewTabsProps) {
  const t = useWords('records');
  const tOrders = useWords('orders');
  const tStatement = useWords('statement');
  const nameOf = (name: View): string => {
    if (name === 'statement') return tStatement('title');
    const transferTab = transferTabOf(name);
    if (transferTab !== undefined) return tStatement(TRANSFER_TAB_WORDS[transferTab]);
    return tOrders(name as (typeof ORDER_VIEWS)[number]);
  };
  return (
    <Tabs
      label={t('title')}
      value={view}
      onChange={onChange}
      panelId={panelId}
      options={VIEWS.map((value) => ({ value, label: nameOf(value) }))}
    />
  );
}

interface TransfersProps {
  readonly tab: TransferTab;
  readonly panelId: string;
}

function Transfers({ tab, panelId }: TransfersProps) {
  const t = useWords('statement');
  return (
    <div id={panelId} role="tabpanel" aria-label={t(TRANSFER_TAB_WORDS[tab])} className={classes.transfers}>
      <TransferRecords tab={tab} />
    </div>
  );
}

interface OrdersProps {
  readonly view: (typeof ORDER_VIEWS)[number];
  readonly panelId: string;
  readonly onOpen: (id: string) => void;
}

function Orders({ view, panelId, onOpen }: OrdersProps) {
  const t = useWords('orders');
  const [form, setForm] = useState<HistoryForm>(INITIAL_HISTORY);
  return (
    <>
      <div className={classes.filters}>
        <FilterBar form={form} onChange={setForm} hasPair hasOutcome={view === 'history'}>
          <ExportButton kind={view === 'fills' ? 'fills' : 'orders'} form={form} />
        </FilterBar>
      </div>
      <div id={panelId} role="tabpanel" aria-label={t(view)} className={screen.scroll} tabIndex={0}>
        <Records view={view} form={form} onOpen={onOpen} />
      </div>
    </>
  );
}

interface RecordsProps {
  readonly view: (typeof ORDER_VIEWS)[number];
  readonly form: HistoryForm;
  readonly onOpen: (id: string) => void;
}

function Records({ view, form, onOpen }: RecordsProps) {
  const digitsOf = useDigits();
  const { status, ...filter } = historyFilterOf(form);
  const isNarrowed = Object.keys(filter).length > 0 || status !== undefined;
  const shared = { digitsOf, dense: false, onOpen: ({ id }: { readonly id: string }) => onOpen(id) };
  if (view === 'open') return <OpenOrdersTable filter={filter} {...shared} />;
  if (view === 'waiting') return <WaitingTable filter={filter} {...shared} />;
  if (view === 'fills') {
    return (
      <FillsTable filter={filter} isNarrowed={isNarrowed} digitsOf={digitsOf} dense={false} onOpen={onOpen} />
    );
  }
  return (
    <HistoryTable
      filter={status === undefined ? filter : { ...filter, status }}
      isNarrowed={isNarrowed}
      {...shared}
    />
  );
}

/** Table of the user's deposits, withdrawals, conversions or transfers, depending on the tab; newest first. */
function TransferRecords({ tab }: { readonly tab: TransferTab }) {
  if (tab === 'deposits') return <DepositRecords />;
  if (tab === 'withdrawals') return <WithdrawalRecords />;
  if (tab === 'conversions') return <ConvertHistory />;
  return <EventList filter={{ event: 'transfer' }} look="table" />;
}
