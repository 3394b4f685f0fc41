import type { Decimal } from './decimal.ts';
import type { Pair, PairFilters } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import {
  amountProblem,
  limitPriceProblem,
  statusProblem,
  totalValueProblem,
  type MarketView,
} from './spot.ts';

/** A limit order on the book, as far as a change of it is concerned. */
export interface AmendableOrder {
  readonly price: Decimal;
  /** In all, the filled part included. */
  readonly amount: Decimal;
  /** What is not open any more: filled, or taken off by self-trade prevention. */
  readonly done: Decimal;
}

/** What its owner wants of it; what is absent stays. */
export interface Amendment {
  readonly price?: Decimal | undefined;
  readonly amount?: Decimal | undefined;
}

/** The first limit that a change breaks, with its value and the value given; undefined when none. */
export function amendProblem(
  pair: Pair,
  filters: PairFilters,
  order: AmendableOrder,
  change: Amendment,
  { status, reference }: Pick<MarketView, 'status' | 'reference'>,
): Refusal | undefined {
  const { price = order.price, amount = order.amount } = change;
  return (
    statusProblem(status) ??
    (price.equals(order.price) && amount.equals(order.amount)
      ? refusal('invalidField', 'l.amend_nothing', { field: 'price' })
      : undefined) ??
    amountProblem(pair, filters, { amount }) ??
    doneProblem(pair, order, amount) ??
    limitPriceProblem(pair, filters, price, reference) ??
    totalValueProblem(pair, filters, price.timesExact(amount.minus(order.done)), 'amount')
  );
}

function doneProblem(pair: Pair, { done }: AmendableOrder, amount: Decimal): Refusal | undefined {
  if (amount.isMore(done)) return undefined;
  const about = { field: 'amount', unit: pair.base, limit: done.toString(), value: amount.toString() };
  return refusal('belowMinimum', 'l.amend_filled', about);
}
