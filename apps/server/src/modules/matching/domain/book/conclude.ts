import type { Execution, IncomingOrder, Outcome, Placement, Reason } from './contract.ts';
import type { Stop, Sweep } from './sweep.ts';

/** The shared empty list for results without fills; frozen, because many callers hold it. */
const NONE: readonly never[] = Object.freeze([]);

/**
 * The result of an order whose matching stopped for the reason `stop`: its outcome, the reason of its end, and the
 * amounts of its matching (`sweep`).
 */
export function conclude(order: IncomingOrder, sweep: Sweep, stop: Stop): Execution {
  const reason = reasonFor(order, sweep, stop);
  return {
    outcome: outcomeFor(order, sweep, stop, reason),
    reason,
    filledAmount: sweep.filledAmount,
    filledTotal: sweep.filledTotal,
    worstPrice: sweep.worstPrice,
    remaining: sweep.amountLeft ?? 0n,
    remainingTotal: sweep.totalLeft ?? 0n,
    decremented: sweep.decremented,
  };
}

/** The execution of an order that was rejected before trading: its whole amount and total remain. */
export function rejected(order: IncomingOrder, reason: Reason): Execution {
  return refused(reason, order.amount ?? 0n, order.total ?? 0n);
}

/** The result of an amendment whose order does not rest on this book. */
export function unknownOrder(): Placement {
  return placement(refused('unknownOrder', 0n, 0n));
}

/**
 * The placement of an order that rests without trading. This is the most frequent case, so the result is created
 * directly instead of through `placement`.
 */
export function rested(amount: bigint): Placement {
  return {
    outcome: 'rested',
    reason: null,
    filledAmount: 0n,
    filledTotal: 0n,
    worstPrice: null,
    remaining: amount,
    remainingTotal: 0n,
    decremented: 0n,
    fills: NONE,
    cancelledMakers: NONE,
  };
}

/** Combines an execution with its fills and cancelled makers. */
export function placement(
  execution: Execution,
  fills: Placement['fills'] = NONE,
  cancelledMakers: Placement['cancelledMakers'] = NONE,
): Placement {
  // Fields are listed one by one, because spreading an object costs more time than the matching itself.
  return {
    outcome: execution.outcome,
    reason: execution.reason,
    filledAmount: execution.filledAmount,
    filledTotal: execution.filledTotal,
    worstPrice: execution.worstPrice,
    remaining: execution.remaining,
    remainingTotal: execution.remainingTotal,
    decremented: execution.decremented,
    fills,
    cancelledMakers,
  };
}

function refused(reason: Reason, remaining: bigint, remainingTotal: bigint): Execution {
  return {
    outcome: 'rejected',
    reason,
    filledAmount: 0n,
    filledTotal: 0n,
    worstPrice: null,
    remaining,
    remainingTotal,
    decremented: 0n,
  };
}

/**
 * Whether the unmatched remainder of an order rests on the book: it is GTC, and matching stopped because no order, or
 * none at an acceptable price, was left.
 */
export function rests(order: IncomingOrder, stop: Stop): boolean {
  return order.timeInForce === 'GTC' && (stop === 'noLiquidity' || stop === 'priceReached');
}

function reasonFor(order: IncomingOrder, sweep: Sweep, stop: Stop): Reason | null {
  if (rests(order, stop)) return null;
  if (stop === 'ownOrder') return 'selfTrade';
  if (stop === 'noLiquidity') return 'noLiquidity';
  if (stop === 'priceReached') return order.price === null ? 'guardReached' : 'limitReached';
  if (sweep.decremented > 0n) return 'selfTrade';
  return sweep.filledAmount === 0n ? 'totalTooSmall' : null;
}

function outcomeFor(order: IncomingOrder, sweep: Sweep, stop: Stop, reason: Reason | null): Outcome {
  if (rests(order, stop)) return 'rested';
  if (reason === null) return 'filled';
  return sweep.filledAmount === 0n ? 'cancelled' : 'partly';
}
