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

/** A limit order on the book, as far as a change of it is concerned. */
export interface AmendableOrder extends Pick<OrderRequest, 'side' | 'type' | 'exits'> {
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
  /** Of an order that waits for its price. */
  readonly stopPrice?: Decimal | undefined;
  /** Of a buy on the book: the exits that become others, where a price of zero takes one away. */
  readonly exits?: ExitsRequest | undefined;
}

/** The first limit that a change breaks, with its value and the value given; undefined when none. */
export function amendProblem(
  pair: Pair,
  filters: PairFilters,
  order: AmendableOrder,
  change: Amendment,
  { status, reference, last }: Pick<MarketView, 'status' | 'reference' | 'last'>,
): Refusal | undefined {
  const { price = order.price, amount = order.amount } = change;
  const exits = amendedExits(order.exits, change.exits);
  // What stays on the book as it is has been judged when it came there.
  const staysPut = price.equals(order.price) && amount.equals(order.amount);
  if (staysPut && sameExits(exits, order.exits))
    return statusProblem(status) ?? refusal('invalidField', 'l.amend_nothing', { field: 'price' });
  return (
    statusProblem(status) ??
    (staysPut ? undefined : restProblem(pair, filters, order, { price, amount, reference })) ??
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
 * Why a stop that waits cannot be changed so; undefined when it can. It then has to keep the limits of a new one;
 * what it does not have cannot change, and of a trailing stop not the stop price.
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
  const wanted = { price, amount, stopPrice };
  const isSame = (['price', 'amount', 'stopPrice'] as const).every(
    (field) => wanted[field] === undefined || wanted[field].equals(order[field]!),
  );
  if (isSame)
    return statusProblem(market.status) ?? refusal('invalidField', 'l.amend_nothing', { field: 'price' });
  return orderProblem(pair, filters, { ...order, ...wanted }, market);
}

function doneProblem(pair: Pair, { done }: AmendableOrder, amount: Decimal): Refusal | undefined {
  if (amount.isMore(done)) return undefined;
  const about = { field: 'amount', unit: pair.base, limit: done.toString(), value: amount.toString() };
  return refusal('belowMinimum', 'l.amend_filled', about);
}
