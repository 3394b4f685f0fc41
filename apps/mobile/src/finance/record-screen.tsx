import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { useEarn, useEarnWords, useEarnPaths } from '@exchange/web-kit/finance/earn.ts';
import { FinanceFigures } from '@exchange/web-kit/finance/finance-head.tsx';
import { DaysLeft, HoldingDetail, NextPayment } from '@exchange/web-kit/finance/holding-parts.tsx';
import { EarnCard } from '@exchange/web-kit/finance/product-card.tsx';
import { type Holding, type HoldingTab, useHolding, useHoldings } from '@exchange/web-kit/finance/queries.ts';
import { useCsv } from '@exchange/web-kit/finance/use-csv.ts';
import { Amount, Percent, When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { Download } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { PullToRefresh } from '../shell/pull-to-refresh.tsx';
import { Screen } from '../shell/screen.tsx';
import css from './finance.module.css';

/**
 * Screen with the user's orders of earn products, in tabs by their state; the URL may contain the id of an order, whose
 * details then open.
 */
export default function FinanceRecordScreen() {
  const t = useEarnWords();
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const [query, setQuery] = useSearchParams();
  const { tabs } = useEarn();
  const tab = tabs.find((candidate) => candidate === query.get('tab')) ?? 'hosting';
  const { list } = useEarnPaths();
  const openId = query.get('order');
  const csv = useCsv();
  const orders = useHoldings(tab);
  const navigateTo = (nextTab: HoldingTab, order?: string) => {
    const to = new URLSearchParams();
    if (nextTab !== 'hosting') to.set('tab', nextTab);
    if (order !== undefined) to.set('order', order);
    setQuery(to, { replace: true, preventScrollReset: true });
  };
  return (
    <Screen title={t('records')} parent={list}>
      <PullToRefresh onRefresh={orders.reload}>
        <section className={css.mine}>
          <FinanceFigures hidden={!isVisible} eye={<EyeButton className={css.eye} />} />
        </section>
        <div className={css.tabs}>
          <Tabs<HoldingTab>
            label={t('records')}
            value={tab}
            onChange={(nextTab) => navigateTo(nextTab)}
            options={tabs.map((value) => ({ value, label: t(value) }))}
          />
          <Button
            look="quiet"
            className={css.csv}
            icon={<Download size={16} aria-hidden="true" />}
            busy={csv.isBusy}
            onClick={() => void csv.save()}
          >
            {t('csv')}
          </Button>
        </div>
        <ListBody
          look="cards"
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
        >
          {orders.rows.map((order) => (
            <OrderCard key={order.id} order={order} onOpen={() => navigateTo(tab, order.id)} />
          ))}
          <ListEnd list={orders} auto showsEnd />
        </ListBody>
      </PullToRefresh>
      {openId === null ? null : <DetailSheet id={openId} onClose={() => navigateTo(tab)} />}
    </Screen>
  );
}

const EMPTY = {
  hosting: 'noneHosting',
  redeemable: 'noneRedeemable',
  completed: 'noneCompleted',
} as const;

function OrderCard({ order, onOpen }: { order: Holding; onOpen: () => void }) {
  const t = useEarnWords();
  const isHosting = order.closeTime === undefined;
  const isRedeemable = order.withdrawable === 1;
  const money = (value: string) => <Amount value={value} coin={order.currency} />;
  return (
    <EarnCard
      item={order}
      open={{ label: `${t('details')}: ${order.name}`, act: onOpen }}
      aside={
        isRedeemable ? (
          <Badge tone="warning">{t('waits')}</Badge>
        ) : (
          <span className={css.dailyRate}>
            <Percent value={order.dailyRate} digits={4} />
            <small>{t('rate')}</small>
          </span>
        )
      }
      facts={[
        [t('amount'), money(order.amount)],
        [t(isHosting ? 'earnedSoFar' : 'interest'), money(order.profit)],
        ...(isHosting ? [[t('totalInterest'), money(order.totalProfit)] as const] : []),
        ...(isHosting && !isRedeemable
          ? [[t('nextPayment'), <NextPayment key="next" order={order} />] as const]
          : []),
        [t('start'), <When key="start" at={order.startTime} look="dated" />],
        [t('end'), <When key="end" at={order.endTime} look="dated" />],
      ]}
    >
      {isHosting ? <DaysLeft order={order} /> : null}
    </EarnCard>
  );
}

function DetailSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useEarnWords();
  const shell = useWords('shell');
  const order = useHolding(id);
  return (
    <Sheet isOpen onClose={onClose} title={t('details')} closeLabel={shell('close')}>
      <ListBody
        look="cards"
        isLoading={order.isPending}
        error={order.error}
        onRetry={() => void order.refetch()}
        isEmpty={order.data === null}
        empty={t('noSuchOrder')}
      >
        {order.data === undefined || order.data === null ? null : <HoldingDetail order={order.data} />}
      </ListBody>
    </Sheet>
  );
}
