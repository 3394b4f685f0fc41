import type { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { amendProblem } from '@exchange/core/spot-amend.ts';
import { amendedExits } from '@exchange/core/spot-exits.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { amendOco, amendStop } from './amending-waiting.ts';
import type { AmendInput } from './command-inputs.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { prepareMarket, rejection } from './placing.ts';
import { exitsOf, incomingOf } from './resting.ts';
import { releaseExcess, saveOrder, publishOrder } from './cancellation.ts';
import { isOffBook, isPending, neededHold, remainingAmount, type SpotOrder } from './domain/order.ts';
import { hold, lotsOf, ticksOf } from './settlement.ts';
import { termsWriter } from './tables.ts';
import { applyPlacement } from './trading.ts';
import { amendmentWriter } from './writers.ts';

/** The terms of an order on the book that an amendment can change. */
interface Terms {
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly exits: SpotOrder['exits'];
}

/**
 * Changes an open order. On the book, an order with a new price or a larger amount may trade and then goes to the back
 * of its price level; after other changes it keeps its place. A waiting stop then waits for its new trigger price.
 * Refuses changes for the same reasons as the placement of an order, changes that the kind of the order does not
 * permit, and every change of a pending order, a triggered stop that is not placed yet, an order of an iceberg, a chase
 * order or a grid, and an order that is not open or another user's.
 */
export function amend(state: ExchangeState, step: Step, input: AmendInput): SpotOrder {
  const known = state.orders.get(input.order);
  if (known === undefined || known.owner !== input.owner) throw notOpen();
  const market = state.market(known.pair.symbol);
  prepareMarket(state, step, market);
  // `prepareMarket` ends expired orders and may have ended this one, so the order is looked up again.
  const order = state.orders.get(input.order);
  if (order === undefined) throw notOpen();
  if (input.exits !== undefined && (state.groups.has(order) || isOffBook(order)))
    throw new Refused(refusal('generic', 'l.amend_type', { field: fieldOf(input.exits) }));
  // Pending orders cannot be amended. The price and amount of an order that belongs to an iceberg, a chase
  // order or a grid are set by that algo order only.
  if (isPending(order) || order.parentId !== '')
    throw new Refused(refusal('generic', 'l.amend_type', { field: 'id' }));
  if (input.isReduction === true) requireReduction(state, order, input);
  if (state.groups.has(order)) {
    amendOco(state, step, market, order, input);
    return order;
  }
  if (order.stop?.status === 'waiting') {
    amendStop(state, step, market, order, input);
    return order;
  }
  if (isOffBook(order) || input.stopPrice !== undefined) {
    const field = isOffBook(order) ? 'id' : 'stopPrice';
    throw new Refused(refusal('generic', 'l.amend_type', { field }));
  }
  amendResting(state, step, market, order, input);
  return order;
}

/** Refuses an absent or larger amount, and every order that is off the book or belongs to an OCO. */
function requireReduction(state: ExchangeState, order: SpotOrder, { amount }: AmendInput): void {
  if (amount === undefined || order.amount === undefined || isOffBook(order) || state.groups.has(order))
    throw new Refused(refusal('generic', 'l.amend_type', { field: 'amount' }));
  // An unchanged amount passes here; the check for amendments that change nothing refuses it.
  if (!amount.isMore(order.amount)) return;
  const limit = order.amount.toString();
  const details = { field: 'amount', unit: order.pair.base, limit, value: amount.toString() };
  throw new Refused(refusal('generic', 'l.amend_not_less', details));
}

function fieldOf({ takeProfit, stopLoss }: NonNullable<AmendInput['exits']>): string {
  if (takeProfit !== undefined) return 'takeProfitPrice';
  return stopLoss === undefined ? 'stopLossLimitPrice' : 'stopLossPrice';
}

/**
 * Changes price, amount or exits (take-profit and stop-loss) of an order that rests on the book. Refuses changes for
 * the same reasons as the placement of an order.
 */
export function amendResting(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  order: SpotOrder,
  input: AmendInput,
): void {
  const before = { price: order.price!, amount: order.amount!, exits: order.exits };
  const terms = {
    price: input.price ?? before.price,
    amount: input.amount ?? before.amount,
    exits: exitsOf({ exits: amendedExits(before.exits, input.exits) }),
  };
  requireAmendable(market, order, input);
  holdMore(state, step, order, terms);
  applyChange(step, order, terms, before);
  const isSamePrice = terms.price.equals(before.price);
  if (isSamePrice && terms.amount.equals(before.amount)) return saveUnmoved(state, step, market, order);
  state.changedLevels.add(order.side, ticksOf(order.pair, before.price));
  if (isSamePrice && terms.amount.isLess(before.amount)) return reduceInPlace(state, step, market, order);
  return moveBack(state, step, market, order, input);
}

function applyChange(step: Step, order: SpotOrder, terms: Terms, before: Terms): void {
  step.forbidRefusal();
  Object.assign(order, terms);
  order.updatedAt = step.now;
  // `saveOrder` writes the row of optional terms only for an order that has such terms, so the removal of its
  // take-profit and stop-loss is written here.
  if (terms.exits === undefined && before.exits !== undefined) step.write(termsWriter, order);
  step.write(amendmentWriter, {
    orderId: order.id,
    at: step.now,
    sequence: step.sequence,
    ...terms,
    stopPrice: undefined,
    priceBefore: before.price,
    amountBefore: before.amount,
    stopPriceBefore: undefined,
    exitsBefore: before.exits,
  });
}

function requireAmendable(
  { pair, filters, status, book, last }: SpotMarket,
  order: SpotOrder,
  { price, amount, exits, reference }: AmendInput,
): void {
  const done = order.filledAmount.plus(order.cancelledAmount);
  const present = { ...order, price: order.price!, amount: order.amount!, done };
  const problem = amendProblem(pair, filters, present, { price, amount, exits }, { status, reference, last });
  if (problem !== undefined) throw new Refused(problem);
  if (!order.postOnly || price === undefined) return;
  const { reason } = book.quote(incomingOf({ ...order, price, amount: amount ?? order.amount }, undefined));
  if (reason === 'wouldCross') throw new Refused(rejection(reason));
}

/**
 * Holds the additional funds that the changed order needs. Refuses when the available balance is too small.
 */
function holdMore({ ledger }: ExchangeState, step: Step, order: SpotOrder, terms: Terms): void {
  const missing = neededHold({ ...order, ...terms }).minus(order.held);
  if (!missing.isPositive()) return;
  ledger.postOne(step, 'spot.held', order.id, hold(order, missing));
  order.held = order.held.plus(missing);
}

/**
 * Stores and publishes an order of which only the take-profit and stop-loss were changed; its place on the
 * book stays as it is.
 */
function saveUnmoved(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  saveOrder(step, order);
  publishOrder(step, order);
  // Orders that expired at the start of this command may have changed price levels of the book, so the changed levels
  // are published here.
  state.changedLevels.publish(step, market);
}

function reduceInPlace(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  market.changeBook(step).amend(order.id, { amount: lotsOf(order.pair, remainingAmount(order)) });
  releaseExcess(state, step, order);
  saveOrder(step, order);
  publishOrder(step, order);
  state.changedLevels.publish(step, market);
}

function moveBack(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  order: SpotOrder,
  { quoteValue, mostMarked }: Pick<AmendInput, 'quoteValue' | 'mostMarked'>,
): void {
  const { pair } = order;
  state.orders.remove(order);
  market.expiries.remove(order);
  order.rank = step.sequence;
  const ticks = ticksOf(pair, order.price!);
  const placement = market.changeBook(step).amend(order.id, {
    price: ticks,
    amount: lotsOf(pair, remainingAmount(order)),
    selfTrade: order.selfTrade,
    postOnly: order.postOnly,
  });
  const taking = {
    step,
    market,
    taker: order,
    ticks,
    quoteValue,
    mostMarked,
  };
  applyPlacement(state, taking, placement);
}

function notOpen(): Refused {
  return new Refused(refusal('generic', 'l.order_not_open'));
}
