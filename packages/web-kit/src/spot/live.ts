import { Decimal } from '@exchange/core/decimal.ts';
import type { Order, OrderMessage } from '@exchange/wire/feed.ts';
import { askAnew, queryClient } from '../api/query-client.ts';
import { ReceivedMeanwhile, feed, receivesOwn } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import { settleAttempts } from '../form/keyed-attempts.ts';
import { onRefresh } from '../refresh.ts';
import { signedIn } from '../session/session-store.ts';
import { type OrderDetail, type OrderFilter, SPOT, isOpen, isWaiting } from './shapes.ts';

/**
 * Keeps what is shown of orders in step with the private feed: messages are applied to what is
 * loaded, and longer lists are asked for again. While the feed is cut or not ours, every heartbeat asks.
 */

/** Follows the private feed while at least one component that uses it is on screen. */
export const useSpotUpdates = joinedWhileShown(join);

function join(): () => void {
  const stops = [
    feed.subscribe('order', ({ type, data }) => ordersArrived(type, data as OrderMessage | [])),
    onRefresh(() => {
      if (signedIn() && !receivesOwn('order')) askAgain();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

/** After a gap in the feed, and whenever it is cut: what is on screen is asked for again. */
function askAgain(): void {
  askAnew(SPOT.now());
}

/** The own orders that the feed sends while a list of them is being loaded. */
const ownOrders = new ReceivedMeanwhile<OrderMessage>();

/** Loads open orders. What the feed sends meanwhile wins: the answer may have been read before it happened. */
export async function loadedWithNews(
  filter: OrderFilter,
  load: () => Promise<readonly Order[]>,
): Promise<readonly Order[]> {
  const orders = await ownOrders.during(load, (shown, received) =>
    openOrdersAfter(shown.map(movedBy(received.stops)), received.orders, filter),
  );
  settleAttempts(keysOf(orders));
  return orders;
}

function ordersArrived(type: 'snapshot' | 'update', data: OrderMessage | []): void {
  if (type === 'snapshot' || Array.isArray(data)) {
    askAgain();
    return;
  }
  ownOrders.receive(data);
  if (data.stops !== undefined) stopsMoved(data.stops);
  if (data.orders.length === 0) return;
  settleAttempts(keysOf(data.orders));
  for (const query of queryClient.getQueryCache().findAll({ queryKey: SPOT.now('open') })) {
    const filter = query.queryKey.at(-1) as OrderFilter;
    queryClient.setQueryData<readonly Order[]>(query.queryKey, (shown) =>
      shown === undefined ? undefined : openOrdersAfter(shown, data.orders, filter),
    );
  }
  for (const list of ['history', 'fills', 'order']) {
    askAnew(SPOT.now(list));
  }
}

type MovedStops = OrderMessage['stops'];

/** The market moved trailing stops along: where they trigger now is written into what is loaded. */
function stopsMoved(stops: NonNullable<MovedStops>): void {
  const moved = movedBy(stops);
  queryClient.setQueriesData<readonly Order[]>({ queryKey: SPOT.now('open') }, (shown) => shown?.map(moved));
  for (const { id } of stops)
    queryClient.setQueryData<OrderDetail>(SPOT.now('order', id), (shown) => shown && moved(shown));
}

function movedBy(stops: MovedStops = []): <O extends Order>(order: O) => O {
  const byId = new Map(stops.map(({ id, stopPrice }) => [id, stopPrice]));
  return (order) => {
    const stopPrice = byId.get(order.id);
    return stopPrice === undefined || !isWaiting(order) ? order : { ...order, stopPrice };
  };
}

/** The open orders after some have changed: finished ones leave, new ones that the filter lets in come first. */
export function openOrdersAfter(
  shown: readonly Order[],
  changed: readonly Order[],
  filter: OrderFilter,
): readonly Order[] {
  const byId = new Map(shown.map((order) => [order.id, order]));
  const fresh: Order[] = [];
  for (const order of changed) {
    const known = byId.get(order.id);
    if (known !== undefined && isBehind(order, known)) continue;
    if (!isOpen(order)) byId.delete(order.id);
    else if (known !== undefined) byId.set(order.id, order);
    else if (letsIn(filter, order)) fresh.push(order);
  }
  return [...fresh.toSorted((one, other) => other.createTime - one.createTime), ...byId.values()];
}

/**
 * Whether an open order as it arrived is an earlier state than the one that is known. What is done of it and whether
 * it has triggered only grow; the clock may be set back, and what arrives next comes anyway.
 */
function isBehind(received: Order, known: Order): boolean {
  if (!isOpen(received)) return false;
  if (doneOf(received).isLess(doneOf(known)) || received.status < known.status) return true;
  return isWaiting(received) && !isWaiting(known);
}

function doneOf({ filledAmount, cancelledAmount }: Order): Decimal {
  return Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
}

function keysOf(orders: readonly Order[]): ReadonlySet<string> {
  return new Set(orders.map(({ clientId }) => clientId).filter((key) => key !== ''));
}

function letsIn(filter: OrderFilter, order: Order): boolean {
  return (
    (filter.baseCoin === undefined || filter.baseCoin === order.baseCoin) &&
    (filter.quoteCoin === undefined || filter.quoteCoin === order.quoteCoin) &&
    (filter.tradeType === undefined || filter.tradeType === String(order.tradeType)) &&
    (filter.orderType === undefined || filter.orderType === order.orderType) &&
    (filter.startTime === undefined || filter.startTime <= order.createTime) &&
    (filter.endTime === undefined || filter.endTime >= order.createTime)
  );
}
