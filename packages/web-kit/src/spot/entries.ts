import type { Order } from './shapes.ts';

/** A stop that waits, or both legs of an OCO as the one thing they are. */
export type WaitingEntry =
  | { readonly kind: 'stop'; readonly id: string; readonly order: Order }
  | { readonly kind: 'oco'; readonly id: string; readonly limit: Order; readonly stop: Order };

export interface OpenEntries {
  /** On the book, without the limit legs of OCOs. */
  readonly open: readonly Order[];
  readonly waiting: readonly WaitingEntry[];
}

/** Open orders as they are listed: an OCO's legs stand together among what waits. Both keep the order given. */
export function entriesOf(resting: readonly Order[], waiting: readonly Order[]): OpenEntries {
  const limitLegs = new Map(
    resting.filter(({ groupId }) => groupId !== '').map((order) => [order.groupId, order]),
  );
  const joined = new Set<Order>();
  const entries = waiting.map((order): WaitingEntry => {
    const limit = order.groupId === '' ? undefined : limitLegs.get(order.groupId);
    if (limit === undefined) return { kind: 'stop', id: order.id, order };
    joined.add(limit);
    return { kind: 'oco', id: order.groupId, limit, stop: order };
  });
  return { open: resting.filter((order) => !joined.has(order)), waiting: entries };
}

/** How many of a list's orders a cancellation would take: an OCO counts once. */
export function cancellable({ open, waiting }: OpenEntries, side: '' | '1' | '2'): number {
  const counts = ({ tradeType }: Order) => side === '' || String(tradeType) === side;
  return (
    open.filter(counts).length +
    waiting.filter((entry) => counts(entry.kind === 'oco' ? entry.limit : entry.order)).length
  );
}
