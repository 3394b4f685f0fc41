import type { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Amended, SpotOrder } from './order.ts';

/** A period in which an order was on the book with one price and amount. */
export interface BookSpan {
  readonly id: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly from: Instant;
  /** Undefined while the order is open. */
  readonly until: Instant | undefined;
}

/** An amendment that changed price or amount of an order with a price. */
type Moved = Amended & { readonly price: Decimal; readonly amount: Decimal };

function isMoved(amended: Amended): amended is Moved {
  const { price, amount, priceBefore, amountBefore } = amended;
  if (price === undefined || amount === undefined || priceBefore === undefined || amountBefore === undefined)
    return false;
  return !price.equals(priceBefore) || !amount.equals(amountBefore);
}

/**
 * The periods in which an order was on the book, oldest first. `amendments` are those of the order, oldest first. An order
 * that traded at once, or never left its trigger, has none.
 */
export function bookSpans(order: SpotOrder, amendments: readonly Amended[]): BookSpan[] {
  const { id, side, price, amount, stop, oto } = order;
  const isWaiting =
    (stop !== undefined && stop.status !== 'triggered') ||
    (oto?.role === 'pending' && oto.releasedAt === undefined);
  if (price === undefined || amount === undefined || isWaiting) return [];
  const start = stop?.triggeredAt ?? oto?.releasedAt ?? order.createdAt;
  const end = order.state === 'open' ? undefined : order.updatedAt;
  const moves = amendments.filter(isMoved).filter(({ at }) => at >= start);
  const spans = moves.map((move, index) => ({
    id,
    side,
    price: move.priceBefore!,
    amount: move.amountBefore!,
    from: moves[index - 1]?.at ?? start,
    until: move.at,
  }));
  const last = { id, side, price, amount, from: moves.at(-1)?.at ?? start, until: end };
  return [...spans, last].filter(({ from, until }) => until === undefined || until > from);
}

/** The amendment that gave the order the place in the queue which it had in a step; undefined if it had its first place. */
export function lastMoveBack(amendments: readonly Amended[], step: number): Amended | undefined {
  return amendments.filter(isMoved).findLast(({ sequence, price, amount, priceBefore, amountBefore }) => {
    const keepsPlace = price.equals(priceBefore!) && amount.isLess(amountBefore!);
    return sequence < step && !keepsPlace;
  });
}

/** The limit price that an order had at a time; undefined for an order without one. */
export function priceAt(
  order: SpotOrder,
  amendments: readonly Amended[],
  time: Instant,
): Decimal | undefined {
  return amendments.filter(isMoved).find(({ at }) => at > time)?.priceBefore ?? order.price;
}
