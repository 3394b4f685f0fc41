import { type Decimal, least } from '@exchange/core/decimal.ts';
import { guardPrice, holdFor } from '@exchange/core/spot.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import {
  type EndReason,
  type SpotOrder,
  isOffBook,
  mutableState,
  neededHold,
  remainingAmount,
} from './domain/order.ts';
import { type OrderFill, orderChanged } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { lotsOf, release, ticksOf } from './settlement.ts';
import { hasTerms, orderChangeWriter, orderWriter, termsWriter } from './tables.ts';

export const NO_FILLS: readonly OrderFill[] = Object.freeze([]);

/** Stores an order as it will be when the batch is sealed. */
export function save(step: Step, order: SpotOrder): void {
  step.write(order.bornIn === step.sequence ? orderWriter : orderChangeWriter, order);
  if (hasTerms(order)) step.write(termsWriter, order);
}

/** Tells the order's owner how it stands now, and the fills that brought it there. */
export function tellOrder(step: Step, order: SpotOrder, fills: readonly OrderFill[] = NO_FILLS): void {
  step.publish(orderChanged, { order, state: mutableState(order), fills });
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
  state.noteEnded(order);
  if (order.expireAt !== undefined) marketOf(state, order).expiries.remove(order);
}

/** Ends an open order wherever it is, and with it the other leg of its OCO. */
export function cancelOrder(state: ExchangeState, step: Step, order: SpotOrder, reason: EndReason): void {
  step.forbidRefusal();
  endWherever(state, step, order, reason);
}

function endWherever(state: ExchangeState, step: Step, order: SpotOrder, reason: EndReason): void {
  takeOff(state, order);
  end(state, step, order, reason);
  endPartner(state, step, order);
}

/** Ends the other leg of an order's OCO, if it is open. */
export function endPartner(state: ExchangeState, step: Step, order: SpotOrder): void {
  if (order.groupId === '') return;
  const partner = state.groups.dissolve(order);
  if (partner !== undefined) cancelOrder(state, step, state.orders.get(partner)!, 'oco');
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

/** Takes an order off the book, or out of what waits beside it. The caller has registered how that is undone, or forbids a refusal. */
function takeOff(state: ExchangeState, order: SpotOrder): void {
  const { bookToRestore, stops } = marketOf(state, order);
  if (!isOffBook(order)) {
    state.touched.add(order.side, bookToRestore().cancel(order.id)!.price);
  } else if (order.stop!.status === 'waiting') {
    stops.remove(order);
  } else {
    state.due.remove(order.id);
  }
}

function marketOf({ markets }: ExchangeState, order: SpotOrder): SpotMarket {
  return markets.get(order.pair.symbol)!;
}

/** Ends the orders of a pair whose time is over, the first to expire first and at most so many; gives how many. */
export function expireDue(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  most = Number.POSITIVE_INFINITY,
): number {
  let count = 0;
  while (market.expiries.nextAt <= step.now && count < most) {
    const order = market.expiries.next!;
    returnIfUndone(state, step, market, order);
    endWherever(state, step, order, 'expired');
    count += 1;
  }
  return count;
}

/** The same for all pairs but those of which nothing may move; refuses while a halt of one that is due is not stored yet. */
export function expireEverywhere(
  state: ExchangeState,
  step: Step,
  most = Number.POSITIVE_INFINITY,
): { count: number } {
  const due = [...state.markets.values()].filter(
    ({ expiries, pair, marking }) =>
      expiries.nextAt <= step.now && marking === undefined && !state.isHalted(pair),
  );
  for (const { pair } of due) state.requireMoving(pair);
  let count = 0;
  for (const market of due) {
    if (count >= most) break;
    state.touched.clear();
    count += expireDue(state, step, market, most - count);
    state.touched.tell(step, market);
  }
  return { count };
}

/** An order that is placed after others expired may be refused, and then they have not expired either. */
function returnIfUndone(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  const before = mutableState(order);
  const turn = state.due.turnOf(order.id);
  step.onUndo(() => {
    Object.assign(order, before);
    state.ended.remove(order.id);
    state.owed.remove(order.id);
    state.orders.add(order);
    market.expiries.add(order);
    if (!isOffBook(order)) returnToBook(state, market, order);
    else if (order.stop!.status === 'waiting') market.stops.add(order);
    else state.due.add(order, turn!);
  });
}

/** Puts an order back between those before and those behind it: the latter leave for a moment. */
function returnToBook(
  { orders }: ExchangeState,
  { bookToRestore, pair }: SpotMarket,
  order: SpotOrder,
): void {
  const book = bookToRestore();
  const { id, owner, side } = order;
  const price = ticksOf(pair, order.price!);
  const behind = [...book.resting(side)].filter(
    (resting) => resting.price === price && orders.get(resting.id as SpotOrder['id'])!.rank > order.rank,
  );
  for (const resting of behind) book.cancel(resting.id);
  book.restore({ id, owner, side, price, amount: lotsOf(pair, remainingAmount(order)) });
  for (const resting of behind) book.restore(resting);
}
