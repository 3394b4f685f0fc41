import type { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { amendProblem } from '@exchange/core/spot-amend.ts';
import { exitsProblem } from '@exchange/core/spot-exits.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { amendOco, amendStop } from './amending-waiting.ts';
import type { AmendInput } from './command-inputs.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { begin, incomingOf, rejection } from './placing.ts';
import { releaseExcess, save, tellOrder } from './cancellation.ts';
import { isOffBook, neededHold, remainingAmount, type SpotOrder } from './domain/order.ts';
import { hold, lotsOf, ticksOf } from './settlement.ts';
import { follow } from './trading.ts';
import { amendmentWriter } from './writers.ts';

/** What the order shall be, all of it. */
interface Terms {
  readonly price: Decimal;
  readonly amount: Decimal;
}

/**
 * Changes an open order. On the book a smaller amount at the same price keeps its place and anything else sends it to
 * the back, where it may trade; what waits for its price waits for the new one. Refuses what placing would refuse.
 */
export function amend(state: ExchangeState, step: Step, input: AmendInput): SpotOrder {
  const known = state.orders.get(input.order);
  if (known === undefined || known.owner !== input.owner) throw notOpen();
  const market = state.market(known.pair.symbol);
  begin(state, step, market);
  // It may have expired just now.
  const order = state.orders.get(input.order);
  if (order === undefined) throw notOpen();
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
  const before = { price: order.price!, amount: order.amount! };
  const terms = { price: input.price ?? before.price, amount: input.amount ?? before.amount };
  requireAmendable(market, order, input);
  holdMore(state, step, order, terms);
  const oldLots = lotsOf(order.pair, remainingAmount(order));
  order.price = terms.price;
  order.amount = terms.amount;
  order.updatedAt = step.now;
  step.write(amendmentWriter, {
    orderId: order.id,
    at: step.now,
    sequence: step.sequence,
    ...terms,
    priceBefore: before.price,
    amountBefore: before.amount,
    stopPrice: undefined,
    stopPriceBefore: undefined,
  });
  state.touched.add(order.side, ticksOf(order.pair, before.price));
  const isLess = terms.price.equals(before.price) && lotsOf(order.pair, remainingAmount(order)) < oldLots;
  if (isLess) lower(state, step, market, order);
  else moveBack(state, step, market, { order, quoteValue: input.quoteValue });
  return order;
}

function requireAmendable(
  { pair, filters, status, book, last }: SpotMarket,
  order: SpotOrder,
  { price, amount, reference }: AmendInput,
): void {
  const done = order.filledAmount.plus(order.cancelledAmount);
  const present = { price: order.price!, amount: order.amount!, done };
  const next = { ...order, price: price ?? order.price, amount: amount ?? order.amount };
  const problem =
    amendProblem(pair, filters, present, { price, amount }, { status, reference }) ??
    exitsProblem(pair, filters, next, { last });
  if (problem !== undefined) throw new Refused(problem);
  if (!order.postOnly || price === undefined) return;
  const { reason } = book.quote(incomingOf({ ...order, price, amount: amount ?? order.amount }, undefined));
  if (reason === 'wouldCross') throw new Refused(rejection(reason));
}

/** Sets aside what the changed order needs beyond what it holds; refuses when that is not there. */
function holdMore({ ledger }: ExchangeState, step: Step, order: SpotOrder, terms: Terms): void {
  const missing = neededHold({ ...order, ...terms }).minus(order.held);
  if (!missing.isPositive()) return;
  ledger.post(step, 'spot.held', order.id, [hold(order, missing)]);
  order.held = order.held.plus(missing);
}

function lower(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  market.book.amend(order.id, { amount: lotsOf(order.pair, remainingAmount(order)) });
  releaseExcess(state, step, order);
  save(step, order);
  tellOrder(step, order);
  state.touched.tell(step, market);
}

function moveBack(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  { order, quoteValue }: { order: SpotOrder; quoteValue: Decimal | undefined },
): void {
  const { pair } = order;
  state.orders.remove(order);
  market.expiries.remove(order);
  order.rank = step.sequence;
  const ticks = ticksOf(pair, order.price!);
  const placement = market.book.amend(order.id, {
    price: ticks,
    amount: lotsOf(pair, remainingAmount(order)),
    selfTrade: order.selfTrade,
    postOnly: order.postOnly,
  });
  follow(state, { step, market, taker: order, ticks, quoteValue }, placement);
}

function notOpen(): Refused {
  return new Refused(refusal('generic', 'l.order_not_open'));
}
