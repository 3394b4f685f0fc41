import type { Amendment, IncomingOrder, RestingOrder } from './contract.ts';

/**
 * Throws `RangeError` for an order without meaning. The spot domain refuses such input with a proper
 * message long before; reaching this line is a bug, and the book must not have changed when it shows.
 */
export function checkIncoming(order: IncomingOrder): void {
  if (order.price === null) checkMarket(order);
  else checkLimit(order, order.price);
}

function checkLimit(order: IncomingOrder, price: bigint): void {
  if (order.amount === null || order.total !== undefined)
    throw malformed(order.id, 'a limit needs an amount');
  if (order.guardPrice !== undefined) throw malformed(order.id, 'a limit is its own guard');
  if (price <= 0n || order.amount <= 0n) throw malformed(order.id, 'price and amount must be positive');
  if (order.postOnly && order.timeInForce !== 'GTC') throw malformed(order.id, 'post-only must be GTC');
}

function checkMarket(order: IncomingOrder): void {
  if (order.timeInForce === 'GTC') throw malformed(order.id, 'a market order cannot rest');
  if (order.postOnly) throw malformed(order.id, 'a market order cannot be post-only');
  if (order.amount === null && order.total === undefined) throw malformed(order.id, 'no amount and no total');
  if (order.amount !== null && order.amount <= 0n) throw malformed(order.id, 'amount must be positive');
  if (order.total !== undefined && order.total <= 0n) throw malformed(order.id, 'total must be positive');
  if (order.guardPrice !== undefined && order.guardPrice <= 0n) {
    throw malformed(order.id, 'guard price must be positive');
  }
}

/** Throws `RangeError` for a change to a price or an open amount that is not positive. */
export function checkAmendment(id: string, change: Amendment): void {
  if (change.price !== undefined && change.price <= 0n) throw malformed(id, 'price must be positive');
  if (change.amount !== undefined && change.amount <= 0n) throw malformed(id, 'amount must be positive');
}

/** Throws `RangeError` for a stored order that could never have rested. */
export function checkStored(order: RestingOrder): void {
  if (order.price <= 0n || order.amount <= 0n) throw malformed(order.id, 'price and amount must be positive');
}

/** The error for an order that the book cannot take. */
export function malformed(id: string, problem: string): RangeError {
  return new RangeError(`order ${id}: ${problem}`);
}
