import { least, type Decimal } from '@exchange/core/decimal.ts';
import { guardPrice, holdFor } from '@exchange/core/spot.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { orderChanged, type OrderFill } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { isOffBook, mutableState, neededHold, type EndReason, type SpotOrder } from './order-domain.ts';
import { release } from './settlement.ts';
import { hasTerms, orderChangeWriter, orderWriter, termsWriter } from './tables.ts';

export const NO_FILLS: readonly OrderFill[] = Object.freeze([]);

/** Stores an order as it will be when the batch is sealed. */
export function save(step: Step, order: SpotOrder): void {
  step.write(order.bornIn === step.sequence ? orderWriter : orderChangeWriter, order);
  if (hasTerms(order)) step.write(termsWriter, order);
}

/** Tells the order's owner how it stands now, and the fills that brought it there. */
export function tellOrder(step: Step, order: SpotOrder, fills: readonly OrderFill[] = NO_FILLS): void {
  step.tell(orderChanged, { order, state: mutableState(order), fills });
}

/** Gives back what is held beyond what the order still needs: a better price, a guard, an ending. */
export function releaseExcess({ ledger }: ExchangeState, step: Step, order: SpotOrder): void {
  const excess = order.held.minus(neededHold(order));
  if (excess.isZero()) return;
  ledger.post(step, 'spot.released', order.id, [release(order, excess)]);
  order.held = order.held.minus(excess);
}

/** Ends an order that is nowhere any more: gives back its funds, stores and tells it. */
export function end(state: ExchangeState, step: Step, order: SpotOrder, reason: EndReason): void {
  forget(state, order);
  order.state = 'cancelled';
  order.reason = reason;
  order.updatedAt = step.now;
  releaseExcess(state, step, order);
  save(step, order);
  tellOrder(step, order);
}

/** An order is open no longer. */
export function forget(state: ExchangeState, order: SpotOrder): void {
  state.orders.remove(order);
  state.ended.add(order.id, order.owner);
  if (order.expireAt !== undefined) marketOf(state, order).expiries.remove(order);
}

/** Ends an open order wherever it is, and with it the other leg of its OCO. */
export function withdraw(state: ExchangeState, step: Step, order: SpotOrder, reason: EndReason): void {
  takeOff(state, order);
  end(state, step, order, reason);
  endPartner(state, step, order);
}

/** Ends the other leg of an order's OCO, if it is open. */
export function endPartner(state: ExchangeState, step: Step, order: SpotOrder): void {
  if (order.groupId === '') return;
  const partner = state.groups.dissolve(order);
  if (partner !== undefined) withdraw(state, step, state.orders.get(partner)!, 'oco');
}

/**
 * An OCO's stop leg is met: the limit leg ends, and its hold, made for the dearer leg, goes over to the
 * stop leg as far as that needs it.
 */
export function moveHoldToStop(state: ExchangeState, step: Step, stop: SpotOrder): void {
  const partner = state.groups.dissolve(stop);
  if (partner === undefined) return;
  const limit = state.orders.get(partner)!;
  const moved = least(limit.held, entryHold(marketOf(state, stop), stop));
  stop.held = moved;
  limit.held = limit.held.minus(moved);
  takeOff(state, limit);
  end(state, step, limit, 'oco');
}

/** What a waiting order needs set aside: for a market buy by amount, its guard is measured from its stop price. */
export function entryHold({ filters }: SpotMarket, order: SpotOrder): Decimal {
  const { pair, side, stop } = order;
  return holdFor(pair, order, guardPrice(pair, filters, side, stop!.price, undefined)).amount;
}

/** Takes an order off the book, or out of what waits beside it. */
function takeOff(state: ExchangeState, order: SpotOrder): void {
  const { book, stops } = marketOf(state, order);
  if (!isOffBook(order)) {
    state.touched.add(order.side, book.cancel(order.id)!.price);
  } else if (order.stop!.status === 'waiting') {
    stops.remove(order);
  } else {
    state.due.splice(state.due.indexOf(order.id), 1);
  }
}

function marketOf({ markets }: ExchangeState, order: SpotOrder): SpotMarket {
  return markets.get(order.pair.symbol)!;
}
