import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import {
  useFills,
  useOpenOrders,
  useOrderHistory,
  type Fill,
  type HistoryFilter,
  type Order,
  type OrderFilter,
} from '@exchange/web-kit/spot/queries.ts';
import { EmptyState, Pager } from '@exchange/web-kit/ui/parts.tsx';
import { ClipboardList } from 'lucide-react';
import { StateOf } from '../shell/state-of.tsx';
import { FillCard, OrderCard } from './order-card.tsx';

export function OpenList({ filter }: { filter: OrderFilter }) {
  const t = useWords('orders');
  const orders = useOpenOrders(filter);
  return (
    <StateOf isLoading={orders.isPending} error={orders.error} onRetry={() => void orders.refetch()} rows={2}>
      {orders.data?.length === 0 ? (
        <EmptyState icon={<ClipboardList size={22} />} text={t('openNone')} />
      ) : null}
      <Orders orders={orders.data ?? []} canCancel />
    </StateOf>
  );
}

export function HistoryList({ filter }: { filter: HistoryFilter }) {
  const t = useWords('orders');
  const shell = useWords('shell');
  const list = useOrderHistory(filter);
  // Without a status the call lists open orders too; they have a place of their own.
  const past = list.rows.filter(({ status }) => status > 1);
  return (
    <StateOf isLoading={list.isLoading} error={list.error} onRetry={() => void list.reload()} rows={3}>
      {past.length === 0 && !list.hasMore ? <EmptyState text={t('historyNone')} /> : null}
      <Orders orders={past} />
      <Pager
        auto
        hasMore={list.hasMore}
        isLoading={list.isLoadingMore}
        onMore={list.loadMore}
        moreLabel={shell('loadMore')}
        endText={past.length > 10 ? shell('noMore') : undefined}
      />
    </StateOf>
  );
}

export function FillList({ filter }: { filter: OrderFilter }) {
  const t = useWords('orders');
  const shell = useWords('shell');
  const list = useFills(filter);
  return (
    <StateOf isLoading={list.isLoading} error={list.error} onRetry={() => void list.reload()} rows={3}>
      {list.rows.length === 0 ? <EmptyState text={t('fillsNone')} /> : null}
      <Fills fills={list.rows} />
      <Pager
        auto
        hasMore={list.hasMore}
        isLoading={list.isLoadingMore}
        onMore={list.loadMore}
        moreLabel={shell('loadMore')}
        endText={list.rows.length > 10 ? shell('noMore') : undefined}
      />
    </StateOf>
  );
}

function Orders({ orders, canCancel = false }: { orders: readonly Order[]; canCancel?: boolean }) {
  const digitsOf = useDigits();
  return (
    <ul>
      {orders.map((order) => (
        <OrderCard key={order.id} order={order} priceDigits={digitsOf(order.symbol)} canCancel={canCancel} />
      ))}
    </ul>
  );
}

function Fills({ fills }: { fills: readonly Fill[] }) {
  const digitsOf = useDigits();
  return (
    <ul>
      {fills.map((fill) => (
        <FillCard key={`${fill.tradeId}-${fill.orderId}`} fill={fill} priceDigits={digitsOf(fill.symbol)} />
      ))}
    </ul>
  );
}

const DIGITS_OF_UNKNOWN = 8;

function useDigits(): (symbol: string) => number {
  const pairs = usePairs().data ?? [];
  return (symbol) => pairs.find((pair) => pair.symbol === symbol)?.priceDigits ?? DIGITS_OF_UNKNOWN;
}
