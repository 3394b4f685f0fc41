import type { Order } from './shapes.ts';

/** A waiting order (see `isWaiting`), or an OCO as one entry with both legs. */
export type WaitingEntry =
  | { readonly kind: 'stop'; readonly id: string; readonly order: Order }
  | { readonly kind: 'oco'; readonly id: string; readonly limit: Order; readonly stop: Order };

export interface OpenEntries {
  readonly open: readonly Order[];
  readonly waiting: readonly WaitingEntry[];
}

/**
 * Groups open orders for display: an OCO's two legs become one entry among the waiting orders. Orders keep
 * their sequence.
 */
export function entriesOf(resting: readonly Order[], waiting: readonly Order[]): OpenEntries {
  const limitLegs = new Map(
    resting.filter(({ groupId }) => groupId !== '').map((order) => [order.groupId, order]),
  );
  const ocoLimitLegs = new Set<Order>();
  const entries = waiting.map((order): WaitingEntry => {
    const limit = order.groupId === '' ? undefined : limitLegs.get(order.groupId);
    if (limit === undefined) return { kind: 'stop', id: order.id, order };
    ocoLimitLegs.add(limit);
    return { kind: 'oco', id: order.groupId, limit, stop: order };
  });
  return { open: resting.filter((order) => !ocoLimitLegs.has(order)), waiting: entries };
}

/** Number of orders that cancelling this side would cancel; an OCO and the orders of a list count once. */
export function countCancellable({ open, waiting }: OpenEntries, side: '' | '1' | '2'): number {
  const isOnSide = ({ tradeType }: Order) => side === '' || String(tradeType) === side;
  const waitingOrders = waiting.map((entry) => (entry.kind === 'oco' ? entry.limit : entry.order));
  const orders = [...open, ...waitingOrders].filter(isOnSide);
  return new Set(orders.map(({ id, groupId, listId }) => listId || groupId || id)).size;
}
