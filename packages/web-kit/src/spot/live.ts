import type { Order, OrderMessage } from '@exchange/wire/feed.ts';
import { ORDER_STATUS } from '@exchange/wire/spot.ts';
import { queryClient } from '../api/query-client.ts';
import { feed, hearsOwnTopics } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import { onRefresh } from '../refresh.ts';
import { signedIn } from '../session/session-store.ts';
import { SPOT } from './keys.ts';
import { isWaiting, type OrderDetail, type OrderFilter } from './shapes.ts';

/**
 * Keeps what is shown of orders in step with the private feed: messages are applied to what is
 * loaded, and longer lists are asked for again. While the feed is cut or not ours, every heartbeat asks.
 */

/** Follows the private feed while at least one component that uses it is on screen. */
export const useSpotUpdates = joinedWhileShown(join);

function join(): () => void {
  const stops = [
    feed.listen('order', ({ type, data }) => ordersArrived(type, data as OrderMessage | [])),
    onRefresh(() => {
      if (signedIn() && !hearsOwnTopics()) askAgain();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

/** After a gap in the feed, and whenever it is cut: what is on screen is asked for again. */
function askAgain(): void {
  void queryClient.invalidateQueries({ queryKey: SPOT.now() });
}

function ordersArrived(type: 'snapshot' | 'update', data: OrderMessage | []): void {
  if (type === 'snapshot' || Array.isArray(data)) {
    askAgain();
    return;
  }
  if (data.stops !== undefined) stopsMoved(data.stops);
  if (data.orders.length === 0) return;
  for (const query of queryClient.getQueryCache().findAll({ queryKey: SPOT.now('open') })) {
    const filter = query.queryKey.at(-1) as OrderFilter;
    queryClient.setQueryData<readonly Order[]>(query.queryKey, (shown) =>
      shown === undefined ? undefined : openOrdersAfter(shown, data.orders, filter),
    );
  }
  for (const list of ['history', 'fills', 'order']) {
    void queryClient.invalidateQueries({ queryKey: SPOT.now(list) });
  }
}

/** The market moved trailing stops along: where they trigger now is written into what is loaded. */
function stopsMoved(stops: NonNullable<OrderMessage['stops']>): void {
  const byId = new Map(stops.map(({ id, stopPrice }) => [id, stopPrice]));
  const moved = <O extends Order>(order: O): O => {
    const stopPrice = byId.get(order.id);
    return stopPrice === undefined || !isWaiting(order) ? order : { ...order, stopPrice };
  };
  queryClient.setQueriesData<readonly Order[]>({ queryKey: SPOT.now('open') }, (shown) => shown?.map(moved));
  for (const id of byId.keys())
    queryClient.setQueryData<OrderDetail>(SPOT.now('order', id), (shown) => shown && moved(shown));
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
    if (known !== undefined && known.updateTime > order.updateTime) continue;
    const isOpen = order.status === ORDER_STATUS.open || order.status === ORDER_STATUS.partlyFilled;
    if (!isOpen) byId.delete(order.id);
    else if (known !== undefined) byId.set(order.id, order);
    else if (letsIn(filter, order)) fresh.push(order);
  }
  return [...fresh.toSorted((one, other) => other.createTime - one.createTime), ...byId.values()];
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
