import type { Order } from '@exchange/web-kit/spot/queries.ts';

/** A row of the waiting orders: alone, or the first or second leg of an OCO. */
export interface WaitingRow {
  readonly order: Order;
  readonly leg: 'alone' | 'first' | 'second';
}

/**
 * The stops that wait, in their order, each OCO as one pair of rows: its stop and right below it the limit
 * order that rests on the book meanwhile.
 */
export function waitingRows(waiting: readonly Order[], resting: readonly Order[]): readonly WaitingRow[] {
  const partners = new Map(
    resting.filter(({ groupId }) => groupId !== '').map((order) => [order.groupId, order]),
  );
  return waiting.flatMap((order): WaitingRow[] => {
    const partner = order.groupId === '' ? undefined : partners.get(order.groupId);
    if (partner === undefined) return [{ order, leg: 'alone' }];
    return [
      { order, leg: 'first' },
      { order: partner, leg: 'second' },
    ];
  });
}
