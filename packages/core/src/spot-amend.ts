import type { Decimal } from './decimal.ts';
import type { ExitsRequest } from './order-request.ts';
import type { Pair, PairFilters } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { amendedExits, exitsProblem, sameExits } from './spot-exits.ts';
import {
  amountProblem,
  orderProblem,
  limitPriceProblem,
  statusProblem,
  totalValueProblem,
  type MarketView,
  type OrderRequest,
} from './spot.ts';

/** The properties of an order that are needed to check its amendment. */
export interface AmendableOrder extends Pick<OrderRequest, 'side' | 'type' | 'exits'> {
  readonly price: Decimal;
  /** Total amount of the order in the base coin, including the part in `done`. */
  readonly amount: Decimal;
  /** The part of `amount`, in the base coin, that was filled or that self-trade prevention removed. */
  readonly done: Decimal;
}

/** Changes of an order that its owner requests. Absent fields stay unchanged. */
export interface Amendment {
  readonly price?: Decimal | undefined;
  readonly amount?: Decimal | undefined;
  /** New trigger price. Only an order that waits for its trigger can have one, and no trailing stop. */
  readonly stopPrice?: Decimal | undefined;
  /**
   * New prices of take-profit and stop-loss. Only a limit order on the book that is not part of an OCO can have them. A
   * price of zero removes the take-profit or stop-loss.
   */
  readonly exits?: ExitsRequest | undefined;
}

/**
 * Returns a refusal if the pair accepts no orders, or if the amendment of an order on the book violates a limit or
 * changes nothing; otherwise undefined.
 */
export function amendProblem(
  pair: Pair,
  filters: PairFilters,
  order: AmendableOrder,
  change: Amendment,
  { status, reference, last }: Pick<MarketView, 'status' | 'reference' | 'last'>,
): Refusal | undefined {
  const { price = order.price, amount = order.amount } = change;
  const exits = amendedExits(order.exits, change.exits);
  // If neither price nor amount changes, they are not checked again, because they were checked when the order was
  // placed or last amended.
  const isUnmoved = price.equals(order.price) && amount.equals(order.amount);
  if (isUnmoved && sameExits(exits, order.exits))
    return statusProblem(status) ?? refusal('invalidField', 'l.amend_nothing', { field: 'price' });
  return (
    statusProblem(status) ??
    (isUnmoved ? undefined : restProblem(pair, filters, order, { price, amount, reference })) ??
    exitsProblem(pair, filters, { ...order, price, amount, exits }, { last })
  );
}

function restProblem(
  pair: Pair,
  filters: PairFilters,
  order: AmendableOrder,
  { price, amount, reference }: Pick<AmendableOrder, 'price' | 'amount'> & Pick<MarketView, 'reference'>,
): Refusal | undefined {
  return (
    amountProblem(pair, filters, { amount }) ??
    doneProblem(pair, order, amount) ??
    limitPriceProblem(pair, filters, price, reference) ??
    totalValueProblem(pair, filters, price.timesExact(amount.minus(order.done)), 'amount')
  );
}

/**
 * Returns a refusal if a stop order that waits for its trigger cannot be amended in this way, or if nothing changes;
 * otherwise undefined. The amended order must satisfy the limits of a new order. Fields that the order does not have
 * cannot be set, and the stop price of a trailing stop cannot change.
 */
export function stopAmendProblem(
  pair: Pair,
  filters: PairFilters,
  order: OrderRequest,
  change: Amendment,
  market: MarketView,
): Refusal | undefined {
  for (const field of ['price', 'amount', 'stopPrice'] as const) {
    if (change[field] !== undefined && order[field] === undefined)
      return statusProblem(market.status) ?? refusal('generic', 'l.amend_type', { field });
  }
  const { price = order.price, amount = order.amount, stopPrice = order.stopPrice } = change;
  const amended = { price, amount, stopPrice };
  const isSame = (['price', 'amount', 'stopPrice'] as const).every(
    (field) => amended[field] === undefined || amended[field].equals(order[field]!),
  );
  if (isSame)
    return statusProblem(market.status) ?? refusal('invalidField', 'l.amend_nothing', { field: 'price' });
  return orderProblem(pair, filters, { ...order, ...amended }, market);
}

function doneProblem(pair: Pair, { done }: AmendableOrder, amount: Decimal): Refusal | undefined {
  if (amount.isMore(done)) return undefined;
  const details = { field: 'amount', unit: pair.base, limit: done.toString(), value: amount.toString() };
  return refusal('belowMinimum', 'l.amend_filled', details);
}
