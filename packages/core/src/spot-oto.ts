import type { Decimal } from './decimal.ts';
import type { OrderType, TimeInForce } from './order-request.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import type { Refusal } from './refusal.ts';
import { ocoProblem, type OcoRequest } from './spot-oco.ts';
import { orderProblem, statusProblem, type MarketView, type OrderRequest } from './spot.ts';

/** The first order of an OTO: a limit order that is placed immediately. */
export interface WorkingRequest {
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly timeInForce: Exclude<TimeInForce, 'GTT'>;
  readonly postOnly: boolean;
}

/** The second order of an OTO. It is placed when the first order is completely filled. */
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
 * One-triggers-the-other (OTO): a first order (`working`), and what is placed when it is completely filled: a second
 * order (`pending`), or an OCO (`pendingOco`). Exactly one of these two is set.
 */
export interface OtoRequest {
  readonly working: WorkingRequest;
  readonly pending?: PendingRequest | undefined;
  readonly pendingOco?: OcoRequest | undefined;
}

/** Converts the first order of an OTO to a request for a single order. */
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
 * Returns a refusal for the first rule that an OTO violates; otherwise undefined. Each order must be valid as a single
 * order. The second order or OCO is checked as if the last price and the best opposite price were the price of the
 * first order, because it is placed after the first order has traded at this price. Stop prices and the two prices of
 * an OCO therefore lie around this price.
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
