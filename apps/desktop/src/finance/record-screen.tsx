import { useEarn, useEarnWords, useEarnPaths } from '@exchange/web-kit/finance/earn.ts';
import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { FinanceFigures } from '@exchange/web-kit/finance/finance-head.tsx';
import { DaysLeft, HoldingDetail, NextPayment } from '@exchange/web-kit/finance/holding-parts.tsx';
import { ProductName } from '@exchange/web-kit/finance/product-parts.tsx';
import { useHolding, useHoldings, type Holding, type HoldingTab } from '@exchange/web-kit/finance/queries.ts';
import { useCsv } from '@exchange/web-kit/finance/use-csv.ts';
import { useBalancesVisible, EyeButton } from '@exchange/web-kit/account/eye-button.tsx';
import { Amount, Percent, When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { DataTable, type Column } from '@exchange/web-kit/ui/data-table.tsx';
import { Download } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import screen from '../style/screen.module.css';
import css from './finance.module.css';
import { LazyDialog } from '@exchange/web-kit/part/lazy-dialog.tsx';

/**
 * Screen with the user's orders of earn products, in tabs by their state; the URL may contain the id of an order, whose
 * details then open.
 */
export default function FinanceRecordScreen() {
  const t = useEarnWords();
  useTitle(t('records'));
  const panelId = useId();
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const [query, setQuery] = useSearchParams();
  const { tabs } = useEarn();
  const tab = tabs.find((candidate) => candidate === query.get('tab')) ?? 'hosting';
  const { list } = useEarnPaths();
  const openId = query.get('order');
  const csv = useCsv();
  const navigateTo = (nextTab: HoldingTab, order?: string) => {
    const to = new URLSearchParams();
    if (nextTab !== 'hosting') to.set('tab', nextTab);
    if (order !== undefined) to.set('order', order);
    setQuery(to, { replace: true });
  };
  return (
    <div className={screen.screen}>
      <header className={css.head}>
        <h1>{t('records')}</h1>
        <ButtonLink look="secondary" to={list}>
          {t('toProducts')}
        </ButtonLink>
      </header>
      <section className={css.mine}>
        <FinanceFigures hidden={!isVisible} eye={<EyeButton className={css.eye} />} />
      </section>
      <section className={screen.card}>
        <div className={css.tabs}>
          <Tabs<HoldingTab>
            label={t('records')}
            value={tab}
            onChange={(nextTab) => navigateTo(nextTab)}
            panelId={panelId}
            options={tabs.map((value) => ({ value, label: t(value) }))}
          />
          <Button
            look="quiet"
            size="s"
            icon={<Download size={16} aria-hidden="true" />}
            busy={csv.isBusy}
            onClick={() => void csv.save()}
          >
            {t('csv')}
          </Button>
        </div>
        <div id={panelId} role="tabpanel" aria-label={t(tab)} className={screen.scroll} tabIndex={0}>
          <Holdings tab={tab} onOpen={({ id }) => navigateTo(tab, id)} />
        </div>
      </section>
      {openId === null ? null : <DetailDialog id={openId} onClose={() => navigateTo(tab)} />}
    </div>
  );
}

interface HoldingsProps {
  readonly tab: HoldingTab;
  readonly onOpen: (order: Holding) => void;
}

function Holdings({ tab, onOpen }: HoldingsProps) {
  const t = useEarnWords();
  const orders = useHoldings(tab);
  const columns = useColumns(tab, onOpen);
  const { list } = useEarnPaths();
  return (
    <ListBody
      isLoading={orders.isLoading}
      error={orders.error}
      onRetry={() => void orders.reload()}
      isEmpty={orders.rows.length === 0}
      empty={t(EMPTY[tab])}
      action={
        <ButtonLink look="secondary" size="s" to={list}>
          {t('toProducts')}
        </ButtonLink>
      }
      skeletonRows={6}
    >
      <div className={css.records}>
        <DataTable
          caption={t(tab)}
          columns={columns}
          rows={orders.rows}
          rowKey={({ id }) => id}
          onRowClick={onOpen}
        />
      </div>
      <ListEnd list={orders} />
    </ListBody>
  );
}

const EMPTY = {
  hosting: 'noneHosting',
  redeemable: 'noneRedeemable',
  completed: 'noneCompleted',
} as const;

/**
 * Hook that returns the columns of the table of earn orders. Days left, interest so far and the next payment
 * are columns of active orders only.
 */
function useColumns(tab: HoldingTab, onOpen: (order: Holding) => void): readonly Column<Holding>[] {
  const t = useEarnWords();
  const money = (field: 'amount' | 'profit' | 'totalProfit') => (order: Holding) => (
    <Amount value={order[field]} coin={order.currency} kind={field === 'amount' ? 'exact' : 'fee'} />
  );
  const columns: readonly (Column<Holding> & { readonly isOfActive?: boolean })[] = [
    { key: 'product', title: t('product'), cell: (order) => <ProductName product={order} /> },
    {
      key: 'amount',
      title: `${t('amount')} · ${t('rate')}`,
      align: 'end',
      cell: (order) => (
        <Lines>
          {money('amount')(order)}
          <Percent value={order.dailyRate} digits={4} />
        </Lines>
      ),
    },
    { key: 'left', title: t('daysLeft'), isOfActive: true, cell: (order) => <DaysLeft order={order} /> },
    { key: 'earned', title: t('earnedSoFar'), align: 'end', isOfActive: true, cell: money('profit') },
    { key: 'total', title: t('totalInterest'), align: 'end', cell: money('totalProfit') },
    {
      key: 'next',
      title: t('nextPayment'),
      isOfActive: true,
      cell: (order) => <NextPayment order={order} />,
    },
    {
      key: 'term',
      title: `${t('start')} · ${t('end')}`,
      cell: ({ startTime, endTime }) => (
        <Lines>
          <When at={startTime} look="dated" />
          <When at={endTime} look="dated" />
        </Lines>
      ),
    },
    {
      key: 'details',
      title: <span className="visually-hidden">{t('details')}</span>,
      align: 'end',
      cell: (order) => <OpenButton order={order} onOpen={onOpen} />,
    },
  ];
  return columns.filter(({ isOfActive }) => isOfActive !== true || tab === 'hosting');
}

function OpenButton({
  order,
  onOpen,
}: {
  readonly order: Holding;
  readonly onOpen: (order: Holding) => void;
}) {
  const t = useEarnWords();
  const isRedeemable = order.withdrawable === 1;
  return (
    <Button
      look={isRedeemable ? 'primary' : 'quiet'}
      size="s"
      aria-label={isRedeemable ? t('withdrawNamed', { name: order.name }) : t('details')}
      onClick={(event) => {
        event.stopPropagation();
        onOpen(order);
      }}
    >
      {t(isRedeemable ? 'withdrawShort' : 'detailsShort')}
    </Button>
  );
}

/** A table cell with two lines of text, the second in a less prominent style. */
function Lines({ children }: { readonly children: ReactNode }) {
  return <span className={css.lines}>{children}</span>;
}

function DetailDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useEarnWords();
  const shell = useWords('shell');
  const order = useHolding(id);
  return (
    <LazyDialog isOpen onClose={onClose} width={560} title={t('details')} closeLabel={shell('close')}>
      <ListBody
        isLoading={order.isPending}
        error={order.error}
        onRetry={() => void order.refetch()}
        isEmpty={order.data === null}
        empty={t('noSuchOrder')}
        skeletonRows={8}
      >
        {order.data === undefined || order.data === null ? null : <HoldingDetail order={order.data} />}
      </ListBody>
    </LazyDialog>
  );
}
