import type { Decimal } from './decimal.ts';
import type { PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Rules of spot trading that depend on the current book and the number of open orders. */

/**
 * Returns a refusal if a limit order that may not trade at once (post-only, or the limit leg of an OCO) would
 * do so at `best`, the best opposite price. `best` is undefined without an opposite side.
 */
export function crossingProblem(
  side: Side,
  price: Decimal,
  best: Decimal | undefined,
  field: string,
): Refusal | undefined {
  return best !== undefined && crosses(side, price, best) ? wouldCross(field) : undefined;
}

/** Whether a limit order at this price would trade at the best opposite price. */
export function crosses(side: Side, price: Decimal, best: Decimal): boolean {
  return side === 'buy' ? !price.isLess(best) : !price.isMore(best);
}

export function wouldCross(field?: string): Refusal {
  return refusal('generic', 'l.post_only_crosses', field === undefined ? {} : { field });
}

/**
 * Returns a refusal if a user already has `maxOpenOrders` limit orders on the pair's book; `resting` is their
 * number.
 */
export function restingProblem({ maxOpenOrders }: PairFilters, resting: number): Refusal | undefined {
  return resting < maxOpenOrders ? undefined : tooManyOrders('l.open_orders_max', maxOpenOrders, resting);
}

/**
 * Returns a refusal if a user already has `maxStopOrders` waiting stops on the pair; `waiting` is their
 * number.
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
