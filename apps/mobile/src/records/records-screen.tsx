import { StatementList } from '@exchange/web-kit/account/statement-list.tsx';
import { EventList, SingleEvent } from '@exchange/web-kit/account/event-list.tsx';
import {
  historyQueryOf,
  historyViewOf,
  TRANSFER_TAB_WORDS,
  TRANSFER_TABS,
  transferTabOf,
  WHOLE_HISTORY,
  type HistoryView,
  type TransferTab,
} from '@exchange/web-kit/account/history-query.ts';
import { HistoryChoices } from '@exchange/web-kit/account/history-choices.tsx';
import { ConvertHistory } from '@exchange/web-kit/convert/convert-history.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { entriesOf } from '@exchange/web-kit/spot/entries.ts';
import { historyFilterOf, type HistoryForm, INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { AlgoList } from '@exchange/web-kit/spot/algo-list.tsx';
import { useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { DepositRecords, WithdrawalRecords } from '@exchange/web-kit/transfer/records.tsx';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { holdingPath, paths } from '@exchange/web-kit/paths.ts';
import { Download, SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { FillList, HistoryList, OpenList, WaitingList } from '../orders/order-lists.tsx';
import { CancelManyButton, OrderTabs } from '../orders/orders-panel.tsx';
import { orderPath, type RecordsTab } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { applicableFilters, activeFilterCount, queryOf, viewOf } from './records-query.ts';
import css from './records.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const ExportSheet = lazyPart('export-sheet', () => import('./export-sheet.tsx'), { whenMissing: 'dialog' });
const FilterSheet = lazyPart('filter-sheet', () => import('./filter-sheet.tsx'), { whenMissing: 'dialog' });
const EVERYTHING = {};

/**
 * The records screen: the user's orders and fills of all pairs, or account events, deposits, withdrawals, conversions
 * and transfers. A link of the desktop site that contains an order's id redirects to the details of that order.
 */
export default function RecordsScreen() {
  const [query] = useSearchParams();
  const orderId = query.get('order');
  const history = historyViewOf(query);
  const transferTab = transferTabOf(query.get('tab'));
  if (orderId !== null) return <Navigate to={orderPath(orderId)} replace />;
  if (history !== undefined) return <AccountRecords tab="history" history={history} />;
  if (transferTab !== undefined) return <AccountRecords tab={transferTab} history={WHOLE_HISTORY} />;
  return <Records />;
}

const historyPath = (view: HistoryView) =>
  `${paths.records}?${new URLSearchParams(historyQueryOf(view)).toString()}`;

interface AccountRecordsProps {
  readonly tab: 'history' | TransferTab;
  readonly history: HistoryView;
}

/** The user's account events, or the lists of deposits, withdrawals, conversions and transfers. */
function AccountRecords({ tab, history }: AccountRecordsProps) {
  const t = useWords('statement');
  const navigate = useNavigate();
  const show = (to: string) => void navigate(to, { replace: true, preventScrollReset: true });
  return (
    <Screen title={t('title')} parent={paths.assets}>
      <div className={css.tabsRow}>
        <Tabs<'history' | TransferTab>
          label={t('title')}
          className={css.tabs}
          value={tab}
          onChange={(next) =>
            show(next === 'history' ? historyPath(WHOLE_HISTORY) : `${paths.records}?tab=${next}`)
          }
          options={[
            { value: 'history', label: t('all') },
            ...TRANSFER_TABS.map((value) => ({ value, label: t(TRANSFER_TAB_WORDS[value]) })),
          ]}
        />
      </div>
      {tab === 'history' ? (
        <History view={history} onView={(view) => show(historyPath(view))} />
      ) : (
        <TransferRecords tab={tab} />
      )}
    </Screen>
  );
}

interface HistoryProps {
  readonly view: HistoryView;
  readonly onView: (view: HistoryView) => void;
}

/**
 * Account history of the user, as events or as single ledger entries; the user can filter it by kind and coin, and
 * export it as a file. If the URL names an entry, only the event of this entry is shown.
 */
function History({ view, onView }: HistoryProps) {
  const t = useWords('statement');
  const orders = useWords('orders');
  const [coin, setCoin] = useState('');
  const [isExporting, setExporting] = useState(false);
  const { group, event, isLedger } = view;
  const currency = coin === '' ? undefined : coin;
  const reset = () => {
    setCoin('');
    onView(WHOLE_HISTORY);
  };
  if (view.entry !== undefined)
    return (
      <SingleEvent
        entry={view.entry}
        look="cards"
        holdingPath={holdingPath}
        onAll={() => onView(WHOLE_HISTORY)}
      />
    );
  return (
    <>
      <div className={css.tools}>
        <ButtonLink look="quiet" className={css.tool} to={paths.records}>
          {t('showOrders')}
        </ButtonLink>
        <Button
          look="quiet"
          className={css.tool}
          icon={<Download size={16} aria-hidden="true" />}
          onClick={() => setExporting(true)}
        >
          {orders('export')}
        </Button>
      </div>
      <div className={css.choices}>
        <HistoryChoices
          view={view}
          onView={onView}
          coin={coin}
          onCoin={setCoin}
          classes={{ view: css.wholeLine, select: css.select }}
        />
      </div>
      {isLedger ? (
        <StatementList filter={{ group, currency }} look="cards" />
      ) : (
        <EventList
          filter={{ event, currency }}
          look="cards"
          holdingPath={holdingPath}
          reset={
            <Button look="secondary" onClick={reset}>
              {t('resetFilters')}
            </Button>
          }
        />
      )}
      {isExporting ? (
        <ExportSheet
          first={isLedger ? 'movements' : 'events'}
          form={INITIAL_HISTORY}
          coin={currency}
          onClose={() => setExporting(false)}
        />
      ) : null}
    </>
  );
}

/** The user's orders and fills, filtered by the URL parameters. */
function Records() {
  const t = useWords('orders');
  const tStatement = useWords('statement');
  const [query, setQuery] = useSearchParams();
  const { tab, form } = useMemo(() => viewOf(query), [query]);
  const show = (view: { tab?: RecordsTab; form?: HistoryForm }) =>
    setQuery(queryOf({ tab, form, ...view }), { replace: true, preventScrollReset: true });
  const { resting, waiting } = useOpenOrders(EVERYTHING);
  const entries = entriesOf(resting, waiting);
  const filter = useMemo(() => historyFilterOf(applicableFilters(form, tab)), [form, tab]);
  const onReset = activeFilterCount(form, tab) === 0 ? undefined : () => show({ form: INITIAL_HISTORY });
  const isPast = tab === 'history' || tab === 'fills';
  const isCancellable = tab === 'open' || tab === 'waiting';
  return (
    <Screen title={t('title')} parent={paths.assets}>
      <div className={css.tabsRow}>
        <OrderTabs
          tab={tab}
          onChoose={(nextTab) => show({ tab: nextTab })}
          entries={entries}
          className={css.tabs}
        />
      </div>
      <div className={css.tools}>
        <ButtonLink look="quiet" className={css.tool} to={historyPath(WHOLE_HISTORY)}>
          {tStatement('title')}
        </ButtonLink>
        {isPast ? (
          <PastTools tab={tab} form={form} onApply={(nextForm) => show({ form: nextForm })} />
        ) : (
          <span />
        )}
        {isCancellable && entries.open.length + entries.waiting.length > 0 ? (
          <CancelManyButton pair={undefined} />
        ) : null}
      </div>
      {tab === 'open' ? <OpenList filter={EVERYTHING} /> : null}
      {tab === 'waiting' ? <WaitingList filter={EVERYTHING} /> : null}
      {tab === 'algo' ? <AlgoList pair={undefined} look="sheet" /> : null}
      {tab === 'history' ? <HistoryList filter={filter} onReset={onReset} /> : null}
      {tab === 'fills' ? <FillList filter={filter} onReset={onReset} /> : null}
    </Screen>
  );
}

interface PastToolsProps {
  tab: RecordsTab;
  form: HistoryForm;
  onApply: (form: HistoryForm) => void;
}

function PastTools({ tab, form, onApply }: PastToolsProps) {
  const t = useWords('mobile-orders');
  const orders = useWords('orders');
  const [open, setOpen] = useState<'filters' | 'export'>();
  const count = activeFilterCount(form, tab);
  const close = () => setOpen(undefined);
  return (
    <>
      <Button
        look="quiet"
        className={css.tool}
        icon={<SlidersHorizontal size={16} aria-hidden="true" />}
        onClick={() => setOpen('filters')}
      >
        {count === 0 ? t('filters') : t('filtersOn', { count })}
      </Button>
      <Button
        look="quiet"
        className={css.tool}
        icon={<Download size={16} aria-hidden="true" />}
        onClick={() => setOpen('export')}
      >
        {orders('export')}
      </Button>
      {open === 'filters' ? <FilterSheet tab={tab} form={form} onApply={onApply} onClose={close} /> : null}
      {open === 'export' ? (
        <ExportSheet
          first={tab === 'fills' ? 'fills' : 'orders'}
          form={applicableFilters(form, tab)}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** List of the user's deposits, withdrawals, conversions or transfers, depending on the tab; newest first. */
function TransferRecords({ tab }: { readonly tab: TransferTab }) {
  if (tab === 'deposits') return <DepositRecords />;
  if (tab === 'withdrawals') return <WithdrawalRecords />;
  if (tab === 'conversions') return <ConvertHistory />;
  return <EventList filter={{ event: 'transfer' }} look="cards" />;
}
