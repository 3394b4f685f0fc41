import type { Order } from './shapes.ts';

/**
 * An entry in the list of waiting orders. `stop`: a stop that has not triggered, or an order of an OTO that waits for
 * its working order (see `isWaiting`). `oco`: both legs of an OCO as one entry.
 */
export type WaitingEntry =
  | { readonly kind: 'stop'; readonly id: string; readonly order: Order }
  | { readonly kind: 'oco'; readonly id: string; readonly limit: Order; readonly stop: Order };

export interface OpenEntries {
  readonly open: readonly Order[];
  readonly waiting: readonly WaitingEntry[];
}

/**
 * Groups open orders for display: an OCO whose limit leg is on the book becomes one entry among the waiting orders; the
 * legs of an OCO that itself waits stay separate entries. The sequence of the orders does not change.
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

/**
 * Returns the number of orders that cancelling all orders of a side (1 buy, 2 sell, empty for both) would
 * cancel. The two orders of an OCO count as one, and so do all orders of an OTO or OTOCO.
 */
export function countCancellable({ open, waiting }: OpenEntries, side: '' | '1' | '2'): number {
  const isOnSide = ({ tradeType }: Order) => side === '' || String(tradeType) === side;
  const waitingOrders = waiting.map((entry) => (entry.kind === 'oco' ? entry.limit : entry.order));
  const orders = [...open, ...waitingOrders].filter(isOnSide);
  return new Set(orders.map(({ id, groupId, listId }) => listId || groupId || id)).size;
}
