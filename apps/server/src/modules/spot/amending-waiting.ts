import { greatest, type Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { stopAmendProblem, type Amendment } from '@exchange/core/spot-amend.ts';
import { ocoProblem, type OcoRequest } from '@exchange/core/spot-oco.ts';
import { holdFor } from '@exchange/core/spot.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { AmendInput } from './command-inputs.ts';
import { entryHold, save, tellOrder } from './cancellation.ts';
import { isDormant, remainingAmount, type SpotOrder } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { bestFor, viewOf } from './placing.ts';
import { hold, lotsOf, release, ticksOf } from './settlement.ts';
import { amendmentWriter } from './writers.ts';

/** Prices and amount of an order, whichever of them it has. */
interface Terms {
  readonly price: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly stopPrice: Decimal | undefined;
}

/** Changes a stop that waits for its price. Of a trailing stop only the amount can change: its price follows the market. */
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
  setHold(state, step, order, entryHold(market, withTerms(order, next)));
  move(state, step, market, order, next);
  // Others may have expired just before.
  state.touched.tell(step, market);
}

/** Changes prices or the amount of an OCO, by either of its legs; the amount is that of both. */
export function amendOco(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  order: SpotOrder,
  input: AmendInput,
): void {
  const legs = state.groups.legs(order)!;
  const [limit, stop] = [state.orders.get(legs.limit)!, state.orders.get(legs.stop)!];
  const ofLimit = { amount: input.amount, price: order === limit ? input.price : undefined };
  const ofStop = {
    amount: input.amount,
    price: order === stop ? input.price : undefined,
    stopPrice: input.stopPrice,
  };
  const next = { limit: changed(limit, ofLimit), stop: changed(stop, ofStop) };
  requireOco(market, step, { order, limit, stop, next }, input);
  const needed = greatest(
    holdFor(market.pair, withTerms(limit, next.limit), undefined).amount,
    entryHold(market, withTerms(stop, next.stop)),
  );
  setHold(state, step, limit, needed);
  moveLimit(state, step, market, limit, next.limit);
  move(state, step, market, stop, next.stop);
  state.touched.tell(step, market);
}

interface OcoChange {
  /** The leg that was asked to change. */
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
  // Here each leg calls its own price just that.
  const field = problem.parameters['field'];
  const isPrice = field === 'limitPrice' || field === 'stopLimitPrice';
  throw new Refused(
    isPrice ? { ...problem, parameters: { ...problem.parameters, field: 'price' } } : problem,
  );
}

/** The order as it was asked for, as far as the rules look at it. */
function requestOf(order: SpotOrder) {
  const { side, type, price, amount, total, timeInForce, postOnly, expireAt, stop } = order;
  const { direction, trail, price: stopPrice } = stop!;
  // One that is active has been where it was to begin.
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
  const now = termsOf(order);
  return {
    price: price ?? now.price,
    amount: amount ?? now.amount,
    stopPrice: stopPrice ?? now.stopPrice,
  };
}

function withTerms(order: SpotOrder, { price, amount, stopPrice }: Terms): SpotOrder {
  const stop = order.stop === undefined ? undefined : { ...order.stop, price: stopPrice! };
  return { ...order, price, amount, stop };
}

function isSame(order: SpotOrder, next: Terms): boolean {
  const now = termsOf(order);
  return (['price', 'amount', 'stopPrice'] as const).every(
    (name) => now[name]?.equals(next[name]!) ?? next[name] === undefined,
  );
}

/** Brings what an order holds to what it needs; refuses when more is needed than there is. */
function setHold({ ledger }: ExchangeState, step: Step, order: SpotOrder, needed: Decimal): void {
  const missing = needed.minus(order.held);
  if (missing.isPositive()) ledger.post(step, 'spot.held', order.id, [hold(order, missing)]);
  else if (missing.isNegative())
    ledger.post(step, 'spot.released', order.id, [release(order, missing.absolute())]);
  step.forbidRefusal();
  order.held = needed;
}

/** Takes a waiting stop to its new price, where it stands behind those that waited there before. */
function move(state: ExchangeState, step: Step, { stops }: SpotMarket, order: SpotOrder, next: Terms): void {
  if (isSame(order, next)) return;
  const stop = order.stop!;
  writeAmendment(step, order, next);
  stops.remove(order);
  stop.price = next.stopPrice!;
  // What is stored now accounts for every trade so far.
  stop.tradeSequence = state.tradeSequence;
  order.price = next.price;
  order.amount = next.amount;
  order.rank = step.sequence;
  order.updatedAt = step.now;
  stops.add(order);
  save(step, order);
  tellOrder(step, order);
}

/** The limit leg rests again at its new price; only where the amount alone falls does it keep its place. */
function moveLimit(
  state: ExchangeState,
  step: Step,
  { changeBook, pair }: SpotMarket,
  order: SpotOrder,
  next: Terms,
): void {
  // What it holds may have changed with the other leg.
  if (isSame(order, next)) return save(step, order);
  writeAmendment(step, order, next);
  const keepsPlace = next.price!.equals(order.price!) && next.amount!.isLess(order.amount!);
  state.touched.add(order.side, ticksOf(pair, order.price!));
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
  state.touched.add(order.side, ticksOf(pair, order.price!));
  save(step, order);
  tellOrder(step, order);
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
    // What waits and the legs of an OCO have none.
    exits: undefined,
    exitsBefore: undefined,
  });
}
