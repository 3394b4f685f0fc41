import { refusal, type Refusal, type RefusalKey } from './refusal.ts';
import type { OrderRequest } from './order-request.ts';
import { becomes, isStop } from './stop.ts';

/** Returns a refusal for the first field that is missing or not allowed for the type of the order. */
export function shapeProblem(request: OrderRequest): Refusal | undefined {
  return (
    (becomes(request.type) === 'limit' ? limitProblem(request) : marketProblem(request)) ??
    waitingProblem(request) ??
    lifetimeProblem(request)
  );
}

function limitProblem({ price, amount, total, postOnly, timeInForce }: OrderRequest): Refusal | undefined {
  if (price === undefined) return lacking('l.price_required', 'price');
  if (amount === undefined || total !== undefined) return lacking('l.amount_required', 'amount');
  const rests = timeInForce === 'GTC' || timeInForce === 'GTT';
  return postOnly && !rests ? lacking('l.time_in_force', 'postOnly') : undefined;
}

function marketProblem(request: OrderRequest): Refusal | undefined {
  const { side, type, price, amount, total, timeInForce, postOnly } = request;
  if (price !== undefined) return unexpected('price');
  // For a waiting sale, the amount to hold must be known before it trades.
  if (isStop(type) && side === 'sell' && amount === undefined) return lacking('l.amount_required', 'amount');
  if ((amount === undefined) === (total === undefined)) return lacking('l.amount_or_total', 'amount');
  if (timeInForce === 'GTC' || timeInForce === 'GTT' || postOnly) {
    return lacking('l.time_in_force', 'timeInForce');
  }
  return undefined;
}

function waitingProblem({
  type,
  stopPrice,
  direction,
  trail,
  activation,
}: OrderRequest): Refusal | undefined {
  if (type === 'trailing') {
    if (trail === undefined) return lacking('l.trail_required', 'trailPct');
    if (stopPrice !== undefined) return unexpected('stopPrice');
    return direction === undefined ? undefined : unexpected('direction');
  }
  if (trail !== undefined) return unexpected('trailPct');
  if (activation !== undefined) return unexpected('activationPrice');
  if (isStop(type))
    return stopPrice === undefined ? lacking('l.stop_price_required', 'stopPrice') : undefined;
  if (stopPrice !== undefined) return unexpected('stopPrice');
  return direction === undefined ? undefined : unexpected('direction');
}

function lifetimeProblem({ timeInForce, expireAt }: OrderRequest): Refusal | undefined {
  if (timeInForce === 'GTT') {
    return expireAt === undefined ? lacking('l.expire_required', 'expireTime') : undefined;
  }
  return expireAt === undefined ? undefined : unexpected('expireTime');
}

/** The refusal for a missing field. */
export function lacking(key: RefusalKey, field: string): Refusal {
  return refusal('invalidField', key, { field });
}

function unexpected(field: string): Refusal {
  return refusal('invalidField', 'l.stop_unexpected', { field });
}
