import { ListEnd, type ListState } from '@exchange/web-kit/api/list-state.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useDigits } from '@exchange/web-kit/market/digits.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { entriesOf, type WaitingEntry } from '@exchange/web-kit/spot/entries.ts';
import {
  type HistoryFilter,
  type Order,
  type OrderFilter,
  useFills,
  useOpenOrders,
  useOrderHistory,
} from '@exchange/web-kit/spot/queries.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { ClipboardList, Hourglass, SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { FillCard, OcoCard, OpenCard, PastCard, StopCard } from './order-card.tsx';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const AmendSheet = lazyPart('amend-sheet', () => import('./amend-sheet.tsx'), { whenMissing: 'dialog' });

/**
 * The user's orders that are on the book, except the limit orders of OCOs, as cards with buttons to amend and
 * cancel; `WaitingList` shows all other open orders.
 */
export function OpenList({ filter }: { filter: OrderFilter }) {
  const t = useWords('orders');
  const orders = useOpenOrders(filter);
  const { open } = entriesOf(orders.resting, orders.waiting);
  const digitsOf = useDigits();
  const pairs = usePairs().data ?? [];
  const [amendedId, setAmendedId] = useState<string>();
  const amended = open.find(({ id }) => id === amendedId);
  const pair = pairs.find(({ symbol }) => symbol === amended?.symbol);
  return (
    <ListBody
      look="cards"
      isLoading={orders.isPending}
      error={orders.error}
      onRetry={() => void orders.refetch()}
      skeletonRows={3}
    >
      {open.length === 0 ? (
        <EmptyState icon={<ClipboardList size={22} />} text={t('openNone')} />
      ) : (
        <ul>
          {open.map((order) => (
            <OpenCard
              key={order.id}
              order={order}
              digits={digitsOf(order.symbol)}
              onAmend={({ id }) => setAmendedId(id)}
            />
          ))}
        </ul>
      )}
      <AmendingSheet order={amended} pair={pair} onClose={() => setAmendedId(undefined)} />
    </ListBody>
  );
}

interface AmendingProps {
  order: Order | undefined;
  pair: MarketPair | undefined;
  onClose: () => void;
}

/** The sheet that amends an order; it closes when the order is filled or cancelled. */
export function AmendingSheet({ order, pair, onClose }: AmendingProps) {
  return (
    <>
      {order === undefined || pair === undefined ? null : (
        <AmendSheet order={order} pair={pair} onClose={onClose} />
      )}
    </>
  );
}

/**
 * Cards of the stop orders that are not triggered yet, of OCOs, and of orders that wait until the working order of
 * their OTO is filled.
 */
export function WaitingList({ filter }: { filter: OrderFilter }) {
  const t = useWords('mobile-orders');
  const orders = useOpenOrders(filter);
  const { waiting } = entriesOf(orders.resting, orders.waiting);
  const pairs = usePairs().data ?? [];
  const [amendedId, setAmendedId] = useState<string>();
  const amended = [...orders.resting, ...orders.waiting].find(({ id }) => id === amendedId);
  const pair = pairs.find(({ symbol }) => symbol === amended?.symbol);
  return (
    <ListBody
      look="cards"
      isLoading={orders.isPending}
      error={orders.error}
      onRetry={() => void orders.refetch()}
      skeletonRows={3}
    >
      {waiting.length === 0 ? (
        <EmptyState icon={<Hourglass size={22} />} text={t('waitingNone')} />
      ) : (
        <ul>
          {waiting.map((entry) => (
            <WaitingCard key={entry.id} entry={entry} onAmend={({ id }) => setAmendedId(id)} />
          ))}
        </ul>
      )}
      <AmendingSheet order={amended} pair={pair} onClose={() => setAmendedId(undefined)} />
    </ListBody>
  );
}

function WaitingCard({ entry, onAmend }: { entry: WaitingEntry; onAmend: (order: Order) => void }) {
  const digitsOf = useDigits();
  if (entry.kind === 'stop') {
    return <StopCard order={entry.order} digits={digitsOf(entry.order.symbol)} onAmend={onAmend} />;
  }
  const { limit, stop } = entry;
  return <OcoCard limit={limit} stop={stop} digits={digitsOf(limit.symbol)} onAmend={onAmend} />;
}

interface RecordsProps<Filter> {
  filter: Filter;
  /**
   * Resets the filters of the list. If given, an empty list offers it with a button; otherwise the list has no such
   * button.
   */
  onReset?: (() => void) | undefined;
}

/** The user's orders that are no longer open (filled, cancelled, expired or rejected) as cards. */
export function HistoryList({ filter, onReset }: RecordsProps<HistoryFilter>) {
  const t = useWords('orders');
  const digitsOf = useDigits();
  const list = useOrderHistory(filter);
  // Without a status filter the response also contains open orders; they are left out here, because another list shows
  // them.
  const past = list.rows.filter(({ status }) => status > 1);
  return (
    <GrowingList list={list} isEmpty={past.length === 0} emptyText={t('historyNone')} onReset={onReset}>
      {past.map((order) => (
        <PastCard key={order.id} order={order} digits={digitsOf(order.symbol)} />
      ))}
    </GrowingList>
  );
}

export function FillList({ filter, onReset }: RecordsProps<OrderFilter>) {
  const t = useWords('orders');
  const digitsOf = useDigits();
  const list = useFills(filter);
  return (
    <GrowingList list={list} isEmpty={list.rows.length === 0} emptyText={t('fillsNone')} onReset={onReset}>
      {list.rows.map((fill) => (
        <FillCard key={`${fill.tradeId}-${fill.orderId}`} fill={fill} digits={digitsOf(fill.symbol)} />
      ))}
    </GrowingList>
  );
}

interface GrowingListProps {
  list: ListState<unknown>;
  isEmpty: boolean;
  emptyText: string;
  onReset: (() => void) | undefined;
  children: ReactNode;
}

/** A list that loads the next page when the user scrolls to its end. */
function GrowingList({ list, isEmpty, emptyText, onReset, children }: GrowingListProps) {
  return (
    <ListBody
      look="cards"
      isLoading={list.isLoading}
      error={list.error}
      onRetry={() => void list.reload()}
      skeletonRows={4}
    >
      {isEmpty && !list.hasMore ? <EmptyList text={emptyText} onReset={onReset} /> : <ul>{children}</ul>}
      <ListEnd list={list} auto showsEnd />
    </ListBody>
  );
}

function EmptyList({ text, onReset }: { text: string; onReset: (() => void) | undefined }) {
  const t = useWords('orders');
  if (onReset === undefined) return <EmptyState icon={<ClipboardList size={22} />} text={text} />;
  return (
    <EmptyState
      icon={<SearchX size={22} />}
      text={t('filterNone')}
      action={
        <Button look="secondary" onClick={onReset}>
          {t('reset')}
        </Button>
      }
    />
  );
}
