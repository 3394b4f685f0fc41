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
  /** End of the period; undefined for the last period of an open order. */
  readonly until: Instant | undefined;
}

/** An amendment of an order with a limit price that changed its price or its amount. */
type Moved = Amended & { readonly price: Decimal; readonly amount: Decimal };

function isMoved(amended: Amended): amended is Moved {
  const { price, amount, priceBefore, amountBefore } = amended;
  if (price === undefined || amount === undefined || priceBefore === undefined || amountBefore === undefined)
    return false;
  return !price.equals(priceBefore) || !amount.equals(amountBefore);
}

/**
 * The periods in which an order was on the book, oldest first; none if it ended at once or never reached the book.
 * `amendments` are all amendments of the order, oldest first.
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

/**
 * The last of the amendments before the step `step` that moved the order to the back of a price level (by a new price
 * or a larger amount); undefined if there was none.
 */
export function lastMoveBack(amendments: readonly Amended[], step: number): Amended | undefined {
  return amendments.filter(isMoved).findLast(({ sequence, price, amount, priceBefore, amountBefore }) => {
    const keepsPlace = price.equals(priceBefore!) && amount.isLess(amountBefore!);
    return sequence < step && !keepsPlace;
  });
}

/**
 * The limit price that an order had at a time, at which an amendment of exactly that time counts as made; undefined for
 * an order without a limit price. `amendments` are those of the order, oldest first.
 */
export function priceAt(
  order: SpotOrder,
  amendments: readonly Amended[],
  time: Instant,
): Decimal | undefined {
  return amendments.filter(isMoved).find(({ at }) => at > time)?.priceBefore ?? order.price;
}
