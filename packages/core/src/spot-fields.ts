import { refusal, type Refusal, type RefusalKey } from './refusal.ts';
import type { OrderRequest } from './order-request.ts';
import { resultingType, isStop } from './stop.ts';

/**
 * Returns a refusal for the first field that is missing, or that the type of the order does not permit; otherwise
 * undefined.
 */
export function shapeProblem(request: OrderRequest): Refusal | undefined {
  return (
    (resultingType(request.type) === 'limit' ? limitProblem(request) : marketProblem(request)) ??
    waitingProblem(request) ??
    lifetimeProblem(request)
  );
}

function limitProblem({ price, amount, total, postOnly, timeInForce }: OrderRequest): Refusal | undefined {
  if (price === undefined) return missingField('l.price_required', 'price');
  if (amount === undefined || total !== undefined) return missingField('l.amount_required', 'amount');
  const rests = timeInForce === 'GTC' || timeInForce === 'GTT';
  return postOnly && !rests ? missingField('l.time_in_force', 'postOnly') : undefined;
}

function marketProblem(request: OrderRequest): Refusal | undefined {
  const { side, type, price, amount, total, timeInForce, postOnly } = request;
  if (price !== undefined) return unexpected('price');
  // A sell order that waits for its trigger already reserves its amount, so it needs an amount instead of a total.
  if (isStop(type) && side === 'sell' && amount === undefined)
    return missingField('l.amount_required', 'amount');
  if ((amount === undefined) === (total === undefined)) return missingField('l.amount_or_total', 'amount');
  if (timeInForce === 'GTC' || timeInForce === 'GTT' || postOnly) {
    return missingField('l.time_in_force', 'timeInForce');
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
    if (trail === undefined) return missingField('l.trail_required', 'trailPct');
    if (stopPrice !== undefined) return unexpected('stopPrice');
    return direction === undefined ? undefined : unexpected('direction');
  }
  if (trail !== undefined) return unexpected('trailPct');
  if (activation !== undefined) return unexpected('activationPrice');
  if (isStop(type))
    return stopPrice === undefined ? missingField('l.stop_price_required', 'stopPrice') : undefined;
  if (stopPrice !== undefined) return unexpected('stopPrice');
  return direction === undefined ? undefined : unexpected('direction');
}

function lifetimeProblem({ timeInForce, expireAt }: OrderRequest): Refusal | undefined {
  if (timeInForce === 'GTT') {
    return expireAt === undefined ? missingField('l.expire_required', 'expireTime') : undefined;
  }
  return expireAt === undefined ? undefined : unexpected('expireTime');
}

/** Creates the refusal for a request field that is missing or has a value that is not permitted. */
export function missingField(key: RefusalKey, field: string): Refusal {
  return refusal('invalidField', key, { field });
}

function unexpected(field: string): Refusal {
  return refusal('invalidField', 'l.stop_unexpected', { field });
}
