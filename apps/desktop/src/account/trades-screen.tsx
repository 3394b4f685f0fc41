import {
  groupOfType,
  STATEMENT_GROUPS,
  type StatementGroup,
  typeOfGroup,
} from '@exchange/web-kit/account/statement.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { historyFilterOf, type HistoryForm, INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { SegmentedControl, Tabs } from '@exchange/web-kit/ui/choice.tsx';
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
const VIEWS = [...ORDER_VIEWS, 'statement'] as const;
type View = (typeof VIEWS)[number];

/**
 * Spot orders and trades of all pairs, narrowed and exported, and what moved on the account. A link may name an order
 * whose details open, or by `type` what of the account is shown.
 */
export default function TradesScreen() {
  const t = useWords('records');
  const tOrders = useWords('orders');
  const tStatement = useWords('statement');
  const panelId = useId();
  useTitle(t('title'));
  const [search, setSearch] = useSearchParams();
  const group = groupOfType(search.get('type'));
  const [orders, setOrders] = useState<(typeof ORDER_VIEWS)[number]>('history');
  const view: View = group === undefined ? orders : 'statement';
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

  const narrow = (next: StatementGroup | undefined): void =>
    setSearch(next === undefined ? {} : { type: typeOfGroup(next) }, { replace: true });
  const choose = (next: View): void => {
    if (next !== 'statement') setOrders(next);
    narrow(next === 'statement' ? 'all' : undefined);
  };

  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <section className={classes.records}>
        <Tabs
          label={t('title')}
          value={view}
          onChange={choose}
          panelId={panelId}
          options={VIEWS.map((value) => ({
            value,
            label: value === 'statement' ? tStatement('title') : tOrders(value),
          }))}
        />
        {group === undefined ? (
          <Orders view={orders} panelId={panelId} onOpen={open} />
        ) : (
          <Statement group={group} panelId={panelId} onGroup={narrow} />
        )}
      </section>
      {openId !== null && <OrderDetailDialog id={openId} onClose={() => open(undefined)} />}
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

interface StatementProps {
  readonly group: StatementGroup;
  readonly panelId: string;
  readonly onGroup: (group: StatementGroup) => void;
}

function Statement({ group, panelId, onGroup }: StatementProps) {
  const t = useWords('statement');
  return (
    <>
      <div className={classes.groups}>
        <SegmentedControl<StatementGroup>
          label={t('cause')}
          value={group}
          onChange={onGroup}
          options={STATEMENT_GROUPS.map((value) => ({ value, label: t(value) }))}
        />
      </div>
      <div id={panelId} role="tabpanel" aria-label={t('title')}>
        <StatementPanel group={group} />
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
