import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { INITIAL_HISTORY, historyFilterOf, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
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
import classes from './trades.module.css';

const VIEWS = ['open', 'waiting', 'history', 'fills'] as const;
type View = (typeof VIEWS)[number];

/** Spot orders and trades of all pairs, narrowed and exported; a link may name an order whose details open. */
export default function TradesScreen() {
  const t = useWords('records');
  const tOrders = useWords('orders');
  const panelId = useId();
  useTitle(t('title'));
  const [view, setView] = useState<View>('history');
  const [form, setForm] = useState<HistoryForm>(INITIAL_HISTORY);
  const [search, setSearch] = useSearchParams();
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

  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('title')}</h1>
      </header>
      <section className={classes.records}>
        <Tabs
          label={t('title')}
          value={view}
          onChange={setView}
          panelId={panelId}
          options={VIEWS.map((value) => ({ value, label: tOrders(value) }))}
        />
        <div className={classes.filters}>
          <FilterBar form={form} onChange={setForm} hasPair hasOutcome={view === 'history'}>
            <ExportButton kind={view === 'fills' ? 'fills' : 'orders'} form={form} />
          </FilterBar>
        </div>
        <div id={panelId} role="tabpanel" aria-label={tOrders(view)} className={screen.scroll} tabIndex={0}>
          <Records view={view} form={form} onOpen={open} />
        </div>
      </section>
      {openId !== null && <OrderDetailDialog id={openId} onClose={() => open(undefined)} />}
    </div>
  );
}

interface RecordsProps {
  readonly view: View;
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
