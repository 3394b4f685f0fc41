import type { Decimal } from './decimal.ts';
import type { PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Rules of spot trading that depend on the orders in the book and on the number of the user's open orders. */

/**
 * Returns a refusal if a limit order would trade immediately at `best`, the best opposite price; otherwise undefined.
 * It is called for post-only orders and for the limit leg of an OCO. `best` is undefined if there are no opposite
 * orders.
 */
export function crossingProblem(
  side: Side,
  price: Decimal,
  best: Decimal | undefined,
  field: string,
): Refusal | undefined {
  return best !== undefined && crosses(side, price, best) ? wouldCross(field) : undefined;
}

/**
 * Returns whether a limit order at `price` would trade immediately, because the best opposite price is at least as
 * good.
 */
export function crosses(side: Side, price: Decimal, best: Decimal): boolean {
  return side === 'buy' ? !price.isLess(best) : !price.isMore(best);
}

export function wouldCross(field?: string): Refusal {
  return refusal('generic', 'l.post_only_crosses', field === undefined ? {} : { field });
}

/**
 * Returns a refusal if the user's number of limit orders on the pair's book (`resting`) has reached `maxOpenOrders`;
 * otherwise undefined.
 */
export function restingProblem({ maxOpenOrders }: PairFilters, resting: number): Refusal | undefined {
  return resting < maxOpenOrders ? undefined : tooManyOrders('l.open_orders_max', maxOpenOrders, resting);
}

/**
 * Returns a refusal if the user's number of waiting stop orders on the pair (`waiting`) has reached `maxStopOrders`;
 * otherwise undefined.
 */
export function waitingProblem({ maxStopOrders }: PairFilters, waiting: number): Refusal | undefined {
  return waiting < maxStopOrders ? undefined : tooManyOrders('l.stop_orders_max', maxStopOrders, waiting);
}

function tooManyOrders(
  key: 'l.open_orders_max' | 'l.stop_orders_max',
  limit: number,
  value: number,
): Refusal {
  return refusal('aboveMaximum', key, { limit: String(limit), value: String(value) });
}
