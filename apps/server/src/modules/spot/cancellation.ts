import { type Decimal, least } from '@exchange/core/decimal.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { guardPrice, holdFor } from '@exchange/core/spot.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import {
  type EndReason,
  type SpotOrder,
  isPending,
  isOffBook,
  mutableState,
  neededHold,
  remainingAmount,
} from './domain/order.ts';
import { followEnd } from './algo-progress.ts';
import { type OrderFill, orderChanged } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { lotsOf, release, ticksOf } from './settlement.ts';
import { hasTerms, orderChangeWriter, orderWriter, termsWriter } from './tables.ts';

export const NO_FILLS: readonly OrderFill[] = Object.freeze([]);

/**
 * Queues the order to be stored with the current batch of steps, with the values that it has at the end of the batch.
 */
export function saveOrder(step: Step, order: SpotOrder): void {
  step.write(order.bornIn === step.sequence ? orderWriter : orderChangeWriter, order);
  if (hasTerms(order)) step.write(termsWriter, order);
}

/** Publishes the order's current state to its owner, with the fills that caused it. */
export function publishOrder(step: Step, order: SpotOrder, fills: readonly OrderFill[] = NO_FILLS): void {
  step.publish(orderChanged, { order, state: mutableState(order), fills });
}

/**
 * Releases the part of the held funds that the order no longer needs, for example after a better
 * price or at its end.
 */
export function releaseExcess({ ledger }: ExchangeState, step: Step, order: SpotOrder): void {
  const needed = neededHold(order);
  const excess = needed.isZero() ? order.held : order.held.minus(needed);
  if (excess.isZero()) return;
  ledger.postOne(step, 'spot.released', order.id, release(order, excess));
  order.held = needed;
}

/**
 * Ends an order that was already removed from the book or the waiting stops: releases its funds, stores it, publishes
 * it and updates its algo order. If it belongs to an OTO whose pending orders are not placed, the whole list ends.
 */
export function endOrder(state: ExchangeState, step: Step, order: SpotOrder, reason: EndReason): void {
  removeFromOpenOrders(state, order);
  order.state = 'cancelled';
  order.reason = reason;
  order.updatedAt = step.now;
  releaseExcess(state, step, order);
  saveOrder(step, order);
  publishOrder(step, order);
  followEnd(state, step, order);
  if (order.oto !== undefined) followEndOfOto(state, step, order);
}

/**
 * Must be called after the end of an order of an OTO. If the working order was filled, queues the pending orders, which
 * a later command places. Any other end of an order, before the pending orders are placed, ends the other orders of the
 * list.
 */
export function followEndOfOto(state: ExchangeState, step: Step, { oto, state: end }: SpotOrder): void {
  const { id, role } = oto!;
  const links = state.otos.get(id);
  if (links === undefined) return;
  const owed = state.orders.get(links.pending[0]!);
  if (role === 'working' && end === 'filled') {
    state.owedOtos.add(owed!, owed!.rank);
    return;
  }
  state.otos.remove(id);
  state.owedOtos.remove(links.pending[0]!);
  for (const other of [links.working, ...links.pending]) {
    const order = state.orders.get(other);
    if (order !== undefined) cancelOrder(state, step, order, 'oto');
  }
}

/**
 * The asset whose held funds the cancellation of an order releases. For a pending order of an OTO it is
 * the asset that the working order holds, because the cancellation ends the whole list.
 */
export function assetReleasedBy(state: ExchangeState, order: SpotOrder): string {
  if (!isPending(order)) return order.heldAsset;
  const working = state.orders.get(state.otos.get(order.oto!.id)!.working);
  return working?.heldAsset ?? order.heldAsset;
}

/**
 * Removes an ended order from the open orders and the expiry queue, and keeps it among the recently ended orders. If it
 * has fills, queues its take-profit and stop-loss orders, which a later command places.
 */
export function removeFromOpenOrders(state: ExchangeState, order: SpotOrder): void {
  state.orders.remove(order);
  state.recordEnded(order);
  if (order.expireAt !== undefined) marketOf(state, order).expiries.remove(order);
}

/**
 * Ends an open order, whether it rests on the book or waits. The other leg of its OCO ends too, and so does its whole
 * OTO while the pending orders are not placed. Checks nothing. Afterwards the command must not be refused, because this
 * change cannot be undone.
 */
export function cancelOrder(state: ExchangeState, step: Step, order: SpotOrder, reason: EndReason): void {
  step.forbidRefusal();
  endOpenOrder(state, step, order, reason);
}

/**
 * Cancels the open order of an algo order for its owner, so that the algo order ends. Refuses when the pair is closed
 * or the released asset is halted.
 */
export function cancelPart(state: ExchangeState, step: Step, id: OrderId): { readonly count: number } {
  const order = state.orders.get(id)!;
  const market = marketOf(state, order);
  if (market.status === 'closed') throw new Refused(refusal('closed', 'l.pair_closed'));
  state.ledger.halts.requireNotHalted(order.heldAsset);
  state.changedLevels.clear();
  cancelOrder(state, step, order, 'user');
  state.changedLevels.publish(step, market);
  return { count: 1 };
}

function endOpenOrder(state: ExchangeState, step: Step, order: SpotOrder, reason: EndReason): void {
  removeFromMarket(state, order);
  endOrder(state, step, order, reason);
  endPartner(state, step, order);
}

/** Ends the other order (leg) of an order's OCO, if it is open. */
export function endPartner(state: ExchangeState, step: Step, order: SpotOrder): void {
  if (order.groupId === '') return;
  const partner = state.groups.dissolve(order);
  if (partner !== undefined) cancelOrder(state, step, state.orders.get(partner)!, 'oco');
}

/**
 * Ends the limit leg of an OCO whose stop leg triggers, and moves as much of its hold to the stop leg as the stop leg
 * needs. Until then the limit leg's hold covers the more expensive leg. Does nothing for other stops.
 */
export function moveHoldToStop(state: ExchangeState, step: Step, stop: SpotOrder): void {
  const partner = state.groups.dissolve(stop);
  if (partner === undefined) return;
  const limit = state.orders.get(partner)!;
  const moved = least(limit.held, entryHold(marketOf(state, stop), stop));
  stop.held = moved;
  limit.held = limit.held.minus(moved);
  removeFromMarket(state, limit);
  endOrder(state, step, limit, 'oco');
}

/**
 * The funds to hold for a waiting stop order. For a market buy by amount they are computed with the guard price (the
 * worst price at which a market order may trade) that belongs to the stop price.
 */
export function entryHold({ filters }: SpotMarket, order: SpotOrder): Decimal {
  const { pair, side, stop } = order;
  return holdFor(pair, order, guardPrice(pair, filters, side, stop!.price, undefined)).amount;
}

/**
 * Removes an order from the book, the waiting stops or the due stops; a pending order is in none of them. The caller
 * must register an undo of the removal or forbid a later refusal of the command.
 */
function removeFromMarket(state: ExchangeState, order: SpotOrder): void {
  const { bookToRestore, stops } = marketOf(state, order);
  if (isPending(order)) return;
  if (!isOffBook(order)) {
    state.changedLevels.add(order.side, bookToRestore().cancel(order.id)!.price);
  } else if (order.stop!.status === 'waiting') {
    stops.remove(order);
  } else {
    state.due.remove(order.id);
  }
}

function marketOf({ markets }: ExchangeState, order: SpotOrder): SpotMarket {
  return markets.get(order.pair.symbol)!;
}

/**
 * Ends the orders of a pair whose expiry is now or earlier, earliest first, at most `most` of them. Returns their
 * number. If the command is refused later, they are open again.
 */
export function expireDue(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  most = Number.POSITIVE_INFINITY,
): number {
  let count = 0;
  while (market.expiries.nextAt <= step.now && count < most) {
    const order = market.expiries.next!;
    restoreOnUndo(state, step, market, order);
    endOpenOrder(state, step, order, 'expired');
    count += 1;
  }
  return count;
}

/**
 * Ends at most `most` expired orders of all pairs that have no coin with a stored halt and no stops still to be marked,
 * and returns their number. Refuses while the halt of a coin of these pairs is in force but not stored yet.
 */
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
    state.changedLevels.clear();
    count += expireDue(state, step, market, most - count);
    state.changedLevels.publish(step, market);
  }
  return { count };
}

/**
 * Schedules the end of an open order whose held coin has a stored halt. The order's expiry is set to now, and expired
 * orders of a pair with a halted coin end when the halt is lifted, before anything trades on the pair. Until then the
 * order neither trades nor releases its funds. Afterwards the command must not be refused, because this change cannot
 * be undone.
 */
export function endWhenMoving(state: ExchangeState, step: Step, order: SpotOrder): void {
  const { expiries } = marketOf(state, order);
  expiries.remove(order);
  order.expireAt = step.now;
  order.updatedAt = step.now;
  expiries.add(order);
  saveOrder(step, order);
  publishOrder(step, order);
}

/** Registers the undo of an expiry: if the command is refused later, the expired order is open again. */
function restoreOnUndo(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  const before = mutableState(order);
  const position = state.due.positionOf(order.id);
  step.onUndo(() => {
    Object.assign(order, before);
    state.recentlyEnded.remove(order.id);
    state.owedExits.remove(order.id);
    state.orders.add(order);
    market.expiries.add(order);
    if (!isOffBook(order)) restoreToBook(state, market, order);
    else if (order.stop!.status === 'waiting') market.stops.add(order);
    else state.due.add(order, position!);
  });
}

/**
 * Restores an order to its previous place in its price level of the book: removes the orders behind it,
 * then appends the order and the removed ones.
 */
function restoreToBook(
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
