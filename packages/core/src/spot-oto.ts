import type { Decimal } from './decimal.ts';
import type { OrderType, TimeInForce } from './order-request.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import type { Refusal } from './refusal.ts';
import { ocoProblem, type OcoRequest } from './spot-oco.ts';
import { orderProblem, statusProblem, type MarketView, type OrderRequest } from './spot.ts';

/** The first order of an OTO, a limit order that is placed at once. */
export interface WorkingRequest {
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly timeInForce: Exclude<TimeInForce, 'GTT'>;
  readonly postOnly: boolean;
}

/** The second order of an OTO, placed when the first order is completely filled. */
export interface PendingRequest {
  readonly side: Side;
  readonly type: Exclude<OrderType, 'trailing'>;
  readonly price?: Decimal | undefined;
  readonly amount: Decimal;
  readonly stopPrice?: Decimal | undefined;
  readonly timeInForce: Exclude<TimeInForce, 'GTT'>;
  readonly postOnly: boolean;
}

/**
 * One-triggers-the-other: a working order, and the order that is placed when it is filled, or (OTOCO) an OCO.
 * Exactly one of `pending` and `pendingOco` is set.
 */
export interface OtoRequest {
  readonly working: WorkingRequest;
  readonly pending?: PendingRequest | undefined;
  readonly pendingOco?: OcoRequest | undefined;
}

/** Converts the working order of an OTO to a request for a single order. */
export function workingOrder({ side, price, amount, timeInForce, postOnly }: WorkingRequest): OrderRequest {
  return {
    side,
    type: 'limit',
    price,
    amount,
    timeInForce,
    postOnly,
  };
}

/**
 * Returns a refusal for the first limit that an OTO violates. Each order must satisfy the limits of a single order. The
 * pending orders are checked as if the last trade had been at the price of the working order, because they are placed
 * after it has traded there: stops and the two sides of an OCO lie around that price.
 */
export function otoProblem(
  pair: Pair,
  filters: PairFilters,
  { working, pending, pendingOco }: OtoRequest,
  market: MarketView,
): Refusal | undefined {
  const afterwards = { ...market, last: working.price, best: working.price };
  return (
    statusProblem(market.status) ??
    orderProblem(pair, filters, workingOrder(working), market) ??
    (pending === undefined ? undefined : orderProblem(pair, filters, pending, afterwards)) ??
    (pendingOco === undefined ? undefined : ocoProblem(pair, filters, pendingOco, afterwards))
  );
}
