import { greatest, type Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { stopAmendProblem, type Amendment } from '@exchange/core/spot-amend.ts';
import { ocoProblem, type OcoRequest } from '@exchange/core/spot-oco.ts';
import { holdFor } from '@exchange/core/spot.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { AmendInput } from './command-inputs.ts';
import { entryHold, saveOrder, publishOrder } from './cancellation.ts';
import { isDormant, remainingAmount, type SpotOrder } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { bestFor, viewOf } from './placing.ts';
import { hold, lotsOf, release, ticksOf } from './settlement.ts';
import { amendmentWriter } from './writers.ts';

/** The prices and the amount of an order; a field that the order's type lacks is undefined. */
interface Terms {
  readonly price: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly stopPrice: Decimal | undefined;
}

/**
 * Changes a stop order that waits for its trigger. Refuses a change that breaks a rule of the pair, and a balance below
 * the additional hold. For a trailing stop only the amount can change, because its price follows the market.
 */
export function amendStop(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  order: SpotOrder,
  input: AmendInput,
): void {
  const view = viewOf(market, step, input.reference, undefined);
  const problem = stopAmendProblem(market.pair, market.filters, requestOf(order), input, view);
  if (problem !== undefined) throw new Refused(problem);
  const next = changed(order, input);
  setHold(state, step, order, entryHold(market, applyTerms(order, next)));
  moveStop(state, step, market, order, next);
  // Orders that expired at the start of this command may have changed price levels of the book, so the changed levels
  // are published here.
  state.changedLevels.publish(step, market);
}

/**
 * Changes the prices or the amount of an OCO through either of its two orders (legs), which share one amount. Refuses a
 * change without effect, invalid terms, and a balance below the additional hold.
 */
export function amendOco(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  order: SpotOrder,
  input: AmendInput,
): void {
  const legs = state.groups.legs(order)!;
  const [limit, stop] = [state.orders.get(legs.limit)!, state.orders.get(legs.stop)!];
  const limitChange = { amount: input.amount, price: order === limit ? input.price : undefined };
  const stopChange = {
    amount: input.amount,
    price: order === stop ? input.price : undefined,
    stopPrice: input.stopPrice,
  };
  const next = { limit: changed(limit, limitChange), stop: changed(stop, stopChange) };
  requireOco(market, step, { order, limit, stop, next }, input);
  const needed = greatest(
    holdFor(market.pair, applyTerms(limit, next.limit), undefined).amount,
    entryHold(market, applyTerms(stop, next.stop)),
  );
  setHold(state, step, limit, needed);
  moveLimit(state, step, market, limit, next.limit);
  moveStop(state, step, market, stop, next.stop);
  state.changedLevels.publish(step, market);
}

interface OcoChange {
  /** The leg whose id the amendment request contains: the same order as either `limit` or `stop`. */
  readonly order: SpotOrder;
  readonly limit: SpotOrder;
  readonly stop: SpotOrder;
  readonly next: { readonly limit: Terms; readonly stop: Terms };
}

function requireOco(
  market: SpotMarket,
  step: Step,
  { order, limit, stop, next }: OcoChange,
  input: AmendInput,
): void {
  if (order === stop && input.price !== undefined && stop.price === undefined)
    throw new Refused(refusal('generic', 'l.amend_type', { field: 'price' }));
  if (isSame(limit, next.limit) && isSame(stop, next.stop))
    throw new Refused(refusal('invalidField', 'l.amend_nothing', { field: 'price' }));
  const request: OcoRequest = {
    side: limit.side,
    amount: next.limit.amount!,
    limitPrice: next.limit.price!,
    stopPrice: next.stop.stopPrice!,
    stopLimitPrice: next.stop.price,
  };
  const view = viewOf(market, step, input.reference, bestFor(market, limit.side));
  const problem = ocoProblem(market.pair, market.filters, request, view);
  if (problem === undefined) return;
  // The rules name the price fields `limitPrice` and `stopLimitPrice`, but the request of an amendment has
  // only the field `price`, so the refusal names `price`.
  const field = problem.parameters['field'];
  const isPrice = field === 'limitPrice' || field === 'stopLimitPrice';
  throw new Refused(
    isPrice ? { ...problem, parameters: { ...problem.parameters, field: 'price' } } : problem,
  );
}

/** Converts a stored stop order to the form of a request, which the placement rules check. */
function requestOf(order: SpotOrder) {
  const { side, type, price, amount, total, timeInForce, postOnly, expireAt, stop } = order;
  const { direction, trail, price: stopPrice } = stop!;
  // The activation price is checked only until the trailing stop becomes active.
  const activation = isDormant(stop!) ? stop!.activation : undefined;
  return {
    side,
    type,
    price,
    amount,
    total,
    timeInForce,
    postOnly,
    expireAt,
    trail,
    activation,
    ...(trail === undefined ? { stopPrice, direction } : {}),
  };
}

function termsOf({ price, amount, stop }: SpotOrder): Terms {
  return { price, amount, stopPrice: stop?.price };
}

function changed(order: SpotOrder, { price, amount, stopPrice }: Amendment): Terms {
  const current = termsOf(order);
  return {
    price: price ?? current.price,
    amount: amount ?? current.amount,
    stopPrice: stopPrice ?? current.stopPrice,
  };
}

function applyTerms(order: SpotOrder, { price, amount, stopPrice }: Terms): SpotOrder {
  const stop = order.stop === undefined ? undefined : { ...order.stop, price: stopPrice! };
  return { ...order, price, amount, stop };
}

function isSame(order: SpotOrder, next: Terms): boolean {
  const current = termsOf(order);
  return (['price', 'amount', 'stopPrice'] as const).every(
    (name) => current[name]?.equals(next[name]!) ?? next[name] === undefined,
  );
}

/**
 * Changes the funds held for an order to `needed`: holds the missing part, or releases the excess. Refuses when the
 * available balance does not cover the missing part; afterwards the command must not be refused, because this change
 * cannot be undone.
 */
function setHold({ ledger }: ExchangeState, step: Step, order: SpotOrder, needed: Decimal): void {
  const missing = needed.minus(order.held);
  if (missing.isPositive()) ledger.postOne(step, 'spot.held', order.id, hold(order, missing));
  else if (missing.isNegative())
    ledger.postOne(step, 'spot.released', order.id, release(order, missing.absolute()));
  step.forbidRefusal();
  order.held = needed;
}

/**
 * Changes the terms of a waiting stop order. The order queues behind the stops that already wait at its new price. Does
 * nothing if the terms are unchanged.
 */
function moveStop(
  state: ExchangeState,
  step: Step,
  { stops }: SpotMarket,
  order: SpotOrder,
  next: Terms,
): void {
  if (isSame(order, next)) return;
  const stop = order.stop!;
  writeAmendment(step, order, next);
  stops.remove(order);
  stop.price = next.stopPrice!;
  // The stored row of the stop order reflects all trades up to this sequence number.
  stop.tradeSequence = state.tradeSequence;
  order.price = next.price;
  order.amount = next.amount;
  order.rank = step.sequence;
  order.updatedAt = step.now;
  stops.add(order);
  saveOrder(step, order);
  publishOrder(step, order);
}

/**
 * Changes the limit leg of an OCO to its new terms. The leg keeps its place in the queue only if the price is unchanged
 * and the amount does not increase.
 */
function moveLimit(
  state: ExchangeState,
  step: Step,
  { changeBook, pair }: SpotMarket,
  order: SpotOrder,
  next: Terms,
): void {
  // The row is stored even if this leg is unchanged, because a change of the other leg may change the hold.
  if (isSame(order, next)) return saveOrder(step, order);
  writeAmendment(step, order, next);
  const keepsPlace = next.price!.equals(order.price!) && next.amount!.isLess(order.amount!);
  state.changedLevels.add(order.side, ticksOf(pair, order.price!));
  order.price = next.price;
  order.amount = next.amount;
  order.updatedAt = step.now;
  const amount = lotsOf(pair, remainingAmount(order));
  if (keepsPlace) {
    changeBook(step).amend(order.id, { amount });
  } else {
    order.rank = step.sequence;
    const { selfTrade, postOnly } = order;
    const placement = changeBook(step).amend(order.id, {
      price: ticksOf(pair, order.price!),
      amount,
      selfTrade,
      postOnly,
    });
    if (placement.outcome !== 'rested' || placement.fills.length > 0)
      throw new Error(`the limit leg ${order.id} did not rest`);
  }
  state.changedLevels.add(order.side, ticksOf(pair, order.price!));
  saveOrder(step, order);
  publishOrder(step, order);
}

function writeAmendment(step: Step, order: SpotOrder, next: Terms): void {
  const before = termsOf(order);
  step.write(amendmentWriter, {
    orderId: order.id,
    at: step.now,
    sequence: step.sequence,
    ...next,
    priceBefore: before.price,
    amountBefore: before.amount,
    stopPriceBefore: before.stopPrice,
    // Waiting stop orders and OCO legs have no take-profit or stop-loss of their own, so an amendment of them
    // contains none.
    exits: undefined,
    exitsBefore: undefined,
  });
}
