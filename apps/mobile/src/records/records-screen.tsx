import { StatementList } from '@exchange/web-kit/account/statement-list.tsx';
import {
  groupOfType,
  STATEMENT_GROUPS,
  type StatementGroup,
  typeOfGroup,
} from '@exchange/web-kit/account/statement.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { entriesOf } from '@exchange/web-kit/spot/entries.ts';
import { historyFilterOf, type HistoryForm, INITIAL_HISTORY } from '@exchange/web-kit/spot/history-form.ts';
import { useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { Download, SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { FillList, HistoryList, OpenList, WaitingList } from '../orders/order-lists.tsx';
import { CancelMany, OrderTabs } from '../orders/orders-panel.tsx';
import { orderPath, paths, type RecordsTab } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { narrowedFor, narrowing, queryOf, viewOf } from './records-address.ts';
import css from './records.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const ExportSheet = lazyPart('export-sheet', () => import('./export-sheet.tsx'), { whenMissing: 'dialog' });
const FilterSheet = lazyPart('filter-sheet', () => import('./filter-sheet.tsx'), { whenMissing: 'dialog' });
const EVERYTHING = {};

/** Orders and fills of every pair; a link of the desktop site that names one order leads to that order. */
export default function RecordsScreen() {
  const [query] = useSearchParams();
  const orderId = query.get('order');
  const group = groupOfType(query.get('type'));
  if (orderId !== null) return <Navigate to={orderPath(orderId)} replace />;
  return group === undefined ? <Records /> : <Statement group={group} />;
}

const statementPath = (group: StatementGroup) => `${paths.records}?type=${typeOfGroup(group)}`;

/** What moved on the account. */
function Statement({ group }: { readonly group: StatementGroup }) {
  const t = useWords('statement');
  const navigate = useNavigate();
  return (
    <Screen title={t('title')} parent={paths.assets}>
      <div className={css.tabsRow}>
        <Tabs<StatementGroup>
          label={t('cause')}
          value={group}
          onChange={(next) => void navigate(statementPath(next), { replace: true })}
          options={STATEMENT_GROUPS.map((value) => ({ value, label: t(value) }))}
        />
      </div>
      <div className={css.tools}>
        <span />
        <ButtonLink look="quiet" className={css.tool} to={paths.records}>
          {t('showOrders')}
        </ButtonLink>
      </div>
      <StatementList filter={{ group }} look="cards" />
    </Screen>
  );
}

/** Narrowed as the address says. */
function Records() {
  const t = useWords('orders');
  const tStatement = useWords('statement');
  const [query, setQuery] = useSearchParams();
  const { tab, form } = useMemo(() => viewOf(query), [query]);
  const show = (view: { tab?: RecordsTab; form?: HistoryForm }) =>
    setQuery(queryOf({ tab, form, ...view }), { replace: true, preventScrollReset: true });
  const { resting, waiting } = useOpenOrders(EVERYTHING);
  const entries = entriesOf(resting, waiting);
  const filter = useMemo(() => historyFilterOf(narrowedFor(form, tab)), [form, tab]);
  const onReset = narrowing(form, tab) === 0 ? undefined : () => show({ form: INITIAL_HISTORY });
  const isPast = tab === 'history' || tab === 'fills';
  return (
    <Screen title={t('title')} parent={paths.assets}>
      <div className={css.tabsRow}>
        <OrderTabs
          tab={tab}
          onChoose={(chosen) => show({ tab: chosen })}
          entries={entries}
          className={css.tabs}
        />
      </div>
      <div className={css.tools}>
        <ButtonLink look="quiet" className={css.tool} to={statementPath('all')}>
          {tStatement('title')}
        </ButtonLink>
        {isPast ? <PastTools tab={tab} form={form} onApply={(chosen) => show({ form: chosen })} /> : <span />}
        {!isPast && entries.open.length + entries.waiting.length > 0 ? <CancelMany pair={undefined} /> : null}
      </div>
      {tab === 'open' ? <OpenList filter={EVERYTHING} /> : null}
      {tab === 'waiting' ? <WaitingList filter={EVERYTHING} /> : null}
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
  const count = narrowing(form, tab);
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
      {open === 'export' ? <ExportSheet tab={tab} form={form} onClose={close} /> : null}
    </>
  );
}
