import { Decimal } from '@exchange/core/decimal.ts';
import type { Order, OrderMessage } from '@exchange/wire/feed.ts';
import { refetchActive, queryClient } from '../api/query-client.ts';
import { UpdatesDuringLoad, feed, receivesPrivateTopic } from '../feed/feed.ts';
import { subscriptionWhileMounted } from '../feed/shared-subscription.ts';
import { completeSubmissions } from '../form/keyed-submissions.ts';
import { onRefresh } from '../refresh.ts';
import { signedIn } from '../session/session-store.ts';
import { SPOT } from '../market/spot-keys.ts';
import { type OrderDetail, type OrderFilter, isOpen, isWaiting } from './shapes.ts';

/**
 * Hook that applies the order messages of the private feed to the cached orders while at least one component that uses
 * the hook is mounted.
 */
export const useSpotUpdates = subscriptionWhileMounted(join);

function join(): () => void {
  const unsubscribers = [
    feed.subscribe('order', ({ type, data }) => applyOrderMessage(type, data as OrderMessage | [])),
    onRefresh(() => {
      if (signedIn() && !receivesPrivateTopic('order')) refetchAll();
    }),
  ];
  return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
}

/**
 * Refetches all displayed spot data of the user; called for each snapshot of the feed topic `order`, and
 * every five seconds while that topic is not received.
 */
function refetchAll(): void {
  refetchActive(SPOT.forCurrentUser());
}

/** Collects the order messages that the feed delivers while a request for the open orders is running. */
const orderUpdates = new UpdatesDuringLoad<OrderMessage>();

/**
 * Loads the open orders, then applies the feed messages received during the load, because the response may be
 * older than these messages. Submissions without a response whose orders are among the loaded ones are marked
 * as completed.
 */
export async function loadWithUpdates(
  filter: OrderFilter,
  load: () => Promise<readonly Order[]>,
): Promise<readonly Order[]> {
  const orders = await orderUpdates.load(load, (shown, received) =>
    openOrdersAfter(shown.map(withStopPrices(received.stops)), received.orders, filter),
  );
  completeSubmissions(keysOf(orders));
  return orders;
}

/** First parts of the query keys of the lists and details of algo orders. */
const ALGO_LISTS = ['algo', 'chase', 'grid', 'iceberg', 'ladder', 'twap'];

function applyOrderMessage(type: 'snapshot' | 'update', data: OrderMessage | []): void {
  if (type === 'snapshot' || Array.isArray(data)) {
    refetchAll();
    return;
  }
  orderUpdates.receive(data);
  if (data.stops !== undefined) applyStopPrices(data.stops);
  if (data.algos !== undefined) for (const list of ALGO_LISTS) refetchActive(SPOT.forCurrentUser(list));
  if (data.orders.length === 0) return;
  completeSubmissions(keysOf(data.orders));
  for (const query of queryClient.getQueryCache().findAll({ queryKey: SPOT.forCurrentUser('open') })) {
    const filter = query.queryKey.at(-1) as OrderFilter;
    queryClient.setQueryData<readonly Order[]>(query.queryKey, (shown) =>
      shown === undefined ? undefined : openOrdersAfter(shown, data.orders, filter),
    );
  }
  for (const list of ['history', 'fills', 'order', ...ALGO_LISTS]) {
    refetchActive(SPOT.forCurrentUser(list));
  }
}

type MovedStops = OrderMessage['stops'];

/**
 * Writes the new trigger prices of trailing stops, which follow the market price, from the feed into the cached orders.
 */
function applyStopPrices(stops: NonNullable<MovedStops>): void {
  const withNewPrice = withStopPrices(stops);
  queryClient.setQueriesData<readonly Order[]>({ queryKey: SPOT.forCurrentUser('open') }, (shown) =>
    shown?.map(withNewPrice),
  );
  for (const { id } of stops)
    queryClient.setQueryData<OrderDetail>(
      SPOT.forCurrentUser('order', id),
      (shown) => shown && withNewPrice(shown),
    );
}

function withStopPrices(stops: MovedStops = []): <O extends Order>(order: O) => O {
  const byId = new Map(stops.map(({ id, stopPrice }) => [id, stopPrice]));
  return (order) => {
    const stopPrice = byId.get(order.id);
    return stopPrice === undefined || !isWaiting(order) ? order : { ...order, stopPrice };
  };
}

/**
 * Returns the cached open orders after a feed message: changed orders are replaced, orders that have ended
 * are removed, and new orders that match the filter are added at the beginning. An older state of a cached
 * order is ignored.
 */
export function openOrdersAfter(
  shown: readonly Order[],
  changed: readonly Order[],
  filter: OrderFilter,
): readonly Order[] {
  const byId = new Map(shown.map((order) => [order.id, order]));
  const fresh: Order[] = [];
  for (const order of changed) {
    const cached = byId.get(order.id);
    if (cached !== undefined && isOlder(order, cached)) continue;
    if (!isOpen(order)) byId.delete(order.id);
    else if (cached !== undefined) byId.set(order.id, order);
    else if (matchesFilter(filter, order)) fresh.push(order);
  }
  return [...fresh.toSorted((left, right) => right.createTime - left.createTime), ...byId.values()];
}

/**
 * Returns whether a received open order is an older state than the cached one. Compares amounts and states
 * that never go back, not times, because a server clock can be set back.
 */
function isOlder(received: Order, cached: Order): boolean {
  if (!isOpen(received)) return false;
  if (doneOf(received).isLess(doneOf(cached)) || received.status < cached.status) return true;
  return isWaiting(received) && !isWaiting(cached);
}

function doneOf({ filledAmount, cancelledAmount }: Order): Decimal {
  return Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
}

function keysOf(orders: readonly Order[]): ReadonlySet<string> {
  return new Set(orders.map(({ clientId }) => clientId).filter((key) => key !== ''));
}

function matchesFilter(filter: OrderFilter, order: Order): boolean {
  return (
    (filter.baseCoin === undefined || filter.baseCoin === order.baseCoin) &&
    (filter.quoteCoin === undefined || filter.quoteCoin === order.quoteCoin) &&
    (filter.tradeType === undefined || filter.tradeType === String(order.tradeType)) &&
    (filter.orderType === undefined || filter.orderType === order.orderType) &&
    (filter.startTime === undefined || filter.startTime <= order.createTime) &&
    (filter.endTime === undefined || filter.endTime >= order.createTime)
  );
}
