import type { Decimal } from './decimal.ts';
import type { PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Rules of spot trading that the moment decides: how many orders there are, and what the book offers. */

/** Why a limit order that must not trade at once is refused at this best opposite price; undefined when it rests. */
export function crossingProblem(
  side: Side,
  price: Decimal,
  best: Decimal | undefined,
  field: string,
): Refusal | undefined {
  return best !== undefined && crosses(side, price, best) ? wouldCross(field) : undefined;
}

/** Whether a limit order at this price trades with the best opposite one. */
export function crosses(side: Side, price: Decimal, best: Decimal): boolean {
  return side === 'buy' ? !price.isLess(best) : !price.isMore(best);
}

/** The refusal of an order that must not trade at once and would. */
export function wouldCross(field?: string): Refusal {
  return refusal('generic', 'l.post_only_crosses', field === undefined ? {} : { field });
}

/** Why no more limit orders may rest beside these; undefined when there is room. */
export function restingProblem({ maxOpenOrders }: PairFilters, resting: number): Refusal | undefined {
  return resting < maxOpenOrders ? undefined : full('l.open_orders_max', maxOpenOrders, resting);
}

/** Why no more stops may wait beside these; undefined when there is room. */
export function waitingProblem({ maxStopOrders }: PairFilters, waiting: number): Refusal | undefined {
  return waiting < maxStopOrders ? undefined : full('l.stop_orders_max', maxStopOrders, waiting);
}

function full(key: 'l.open_orders_max' | 'l.stop_orders_max', limit: number, value: number): Refusal {
  return refusal('aboveMaximum', key, { limit: String(limit), value: String(value) });
}
