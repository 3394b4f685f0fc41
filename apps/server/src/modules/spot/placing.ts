import { greatest, type Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { oppositeSide } from '@exchange/core/pair.ts';
import { type Refusal, Refused, refusal } from '@exchange/core/refusal.ts';
import { restingProblem, waitingProblem, wouldCross } from '@exchange/core/spot-book-rules.ts';
import { exitsProblem } from '@exchange/core/spot-exits.ts';
import { ocoLegs, ocoProblem } from '@exchange/core/spot-oco.ts';
import {
  type MarketView,
  type OrderRequest,
  guardPrice,
  holdFor,
  orderProblem,
  stopPriceOf,
} from '@exchange/core/spot.ts';
import { isStop, defaultDirection } from '@exchange/core/stop.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { IncomingOrder, Reason } from '../matching/index.ts';
import type { OcoInput, PlaceInput } from './command-inputs.ts';
import type { SpotOrder, Stop } from './domain/order.ts';
import type { BookView, ExchangeState, SpotMarket } from './exchange-state.ts';
import { entryHold, expireDue, saveOrder, publishOrder } from './cancellation.ts';
import { amountOf, priceOf, totalOf } from './settlement.ts';
import { incomingOf, newOrder, NO_TIES, placeHold, restOnBook, type Ties } from './resting.ts';
import { enterBook } from './trading.ts';
import { listWriter } from './writers.ts';

/**
 * Must be called at the start of a command on a pair. Refuses while an asset of the pair is halted, clears the list of
 * changed levels, and ends expired orders.
 */
export function prepareMarket(state: ExchangeState, step: Step, market: SpotMarket): void {
  state.requireMoving(market.pair);
  state.changedLevels.clear();
  if (market.expiries.nextAt <= step.now) expireDue(state, step, market);
}

/**
 * Places an order: checks it, holds funds, matches, settles, and rests it or releases the remainder. A stop
 * order is stored as waiting.
 */
export function place(state: ExchangeState, step: Step, input: PlaceInput, ties = NO_TIES): SpotOrder {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  const { request, owner } = input;
  prepareMarket(state, step, market);
  if (input.isNameUnique === true) requireNewName(state, owner, input.clientId);
  const best = request.type === 'market' ? bestFor(market, request.side) : undefined;
  const view = viewOf(market, step, input.reference, best);
  const problem = orderProblem(pair, filters, request, view) ?? exitsProblem(pair, filters, request, view);
  if (problem !== undefined) throw new Refused(problem);
  if (isStop(request.type)) return placeStop(state, step, market, input, ties);
  if (request.type === 'limit') requireRoom(state, owner, market);

  const guard =
    request.type === 'market' ? guardPrice(pair, filters, request.side, best!, input.reference) : undefined;
  const order = newOrder(step, pair, input, request, ties);
  const incoming = checkedIncoming(market, order, guard);
  placeHold(state, step, order, holdAtEntry(order, incoming, guard));
  // An order by total is matched by its total only, without an amount; otherwise the book would report it as filled as
  // soon as the amount is reached.
  const matched = order.total === undefined ? incoming : { ...incoming, amount: null };
  enterBook(state, { step, market, order, outside: input }, matched);
  return order;
}

/** Refuses with `l.duplicate_key` when an open order of the owner has this client order id. */
export function requireNewName(state: ExchangeState, owner: UserId, clientId: string): void {
  if (state.orders.hasClientId(owner, clientId))
    throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'clientId' }));
}

function placeStop(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  input: PlaceInput,
  ties: Ties,
): SpotOrder {
  requireStopRoom(state, input.owner, market);
  const stop = newStop(market, input.request, state.tradeSequence)!;
  const order = newOrder(step, market.pair, input, input.request, { ...ties, stop });
  placeHold(state, step, order, entryHold(market, order));
  addWaiting(state, step, market, order);
  state.changedLevels.publish(step, market);
  return order;
}

/**
 * Refuses with `l.duplicate_key` when an open order of the owner belongs to a list with this client order id.
 */
export function requireNewListName(state: ExchangeState, owner: UserId, listName: string | undefined): void {
  if (listName === undefined) return;
  const isUsed = state.orders.ofOwner(owner).some((order) => order.listName === listName);
  if (isUsed) throw new Refused(refusal('duplicate', 'l.duplicate_key', { field: 'listClientOrderId' }));
}

/**
 * Places both legs of an OCO. Funds are held once, for the more expensive leg, on the limit leg. Refuses an invalid
 * OCO and a balance that is too small.
 */
export function placeOco(
  state: ExchangeState,
  step: Step,
  input: OcoInput,
): { groupId: string; limit: SpotOrder; stop: SpotOrder } {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  prepareMarket(state, step, market);
  if (input.isNameUnique === true) {
    requireNewName(state, input.owner, input.clientId);
    requireNewName(state, input.owner, input.stopClientId ?? input.clientId);
    requireNewListName(state, input.owner, input.listName);
  }
  const view = viewOf(market, step, input.reference, bestFor(market, input.request.side));
  const problem = ocoProblem(pair, filters, input.request, view);
  if (problem !== undefined) throw new Refused(problem);
  return placeLegs(state, step, market, input);
}

/** Places the legs of an OCO that has been checked except for the owner's limits on open orders. */
export function placeLegs(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  input: OcoInput,
  ties: Ties = NO_TIES,
): { groupId: string; limit: SpotOrder; stop: SpotOrder } {
  const { pair } = market;
  requireRoom(state, input.owner, market);
  requireStopRoom(state, input.owner, market);
  const groupId = step.newId();
  step.write(listWriter, { id: groupId, owner: input.owner });
  const legs = ocoLegs(input.request);
  const legTies = { ...ties, groupId, listName: input.listName };
  const limit = newOrder(step, pair, input, legs.limit, legTies);
  const waiting = newStop(market, legs.stop, state.tradeSequence)!;
  const stopInput = { ...input, clientId: input.stopClientId ?? input.clientId };
  const stop = newOrder(step, pair, stopInput, legs.stop, { ...legTies, stop: waiting });
  placeHold(state, step, limit, greatest(holdFor(pair, limit, undefined).amount, entryHold(market, stop)));
  restLegs(state, step, market, limit, stop);
  return { groupId, limit, stop };
}

/** Places the legs of an OCO whose funds are held: the limit leg on the book, the stop leg among the waiting stops. */
export function restLegs(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  limit: SpotOrder,
  stop: SpotOrder,
): void {
  step.forbidRefusal();
  state.groups.add(limit.groupId, limit, stop);
  restOnBook(state, step, market, limit);
  addWaiting(state, step, market, stop);
  state.changedLevels.publish(step, market);
}

/**
 * Adds a stop order to the waiting orders, stores and publishes it. Afterwards the command must not be refused, because
 * this change cannot be undone.
 */
export function addWaiting(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  step.forbidRefusal();
  state.orders.add(order);
  market.stops.add(order);
  market.expiries.add(order);
  saveOrder(step, order);
  publishOrder(step, order);
}

/** The market data that the checks of an order use. */
export function viewOf(
  { status, last }: SpotMarket,
  step: Step,
  reference: Decimal | undefined,
  best: Decimal | undefined,
): MarketView {
  return { status, reference, best, last, now: step.now };
}

/**
 * The best price of the opposite side, at which an order on `side` would trade first; undefined if the opposite
 * side is empty.
 */
export function bestFor({ book, pair }: SpotMarket, side: SpotOrder['side']): Decimal | undefined {
  const best = book.best(oppositeSide(side));
  return best === null ? undefined : priceOf(pair, best.price);
}

/**
 * The funds to hold for a checked order before it is matched with the book, in the asset that the order pays
 * with. `guard` is the worst price of a market order.
 */
export function holdAtEntry(order: SpotOrder, incoming: IncomingOrder, guard: Decimal | undefined): Decimal {
  if (order.side === 'sell' && order.total !== undefined) return amountOf(order.pair, incoming.amount!);
  // The hold of a limit buy, price × amount, is computed in the book's integer units, which is exact and fast.
  if (order.side === 'buy' && incoming.price !== null)
    return totalOf(order.pair, incoming.price * incoming.amount!);
  return holdFor(order.pair, order, guard).amount;
}

/** Refuses if the owner has as many orders on the book of the pair as allowed, so that no further one can be placed. */
export function requireRoom({ orders }: ExchangeState, owner: UserId, { pair, filters }: SpotMarket): void {
  const { resting } = orders.countsOf(owner, pair.symbol);
  const problem = restingProblem(filters, resting);
  if (problem !== undefined) throw new Refused(problem);
}

/** Refuses if the owner would have too many waiting orders on the pair after `added` more were placed. */
export function requireStopRoom(
  { orders }: ExchangeState,
  owner: UserId,
  { pair, filters }: SpotMarket,
  added = 1,
): void {
  const { waiting } = orders.countsOf(owner, pair.symbol);
  const problem = waitingProblem(filters, waiting + added - 1);
  if (problem !== undefined) throw new Refused(problem);
}

/** The trigger of a stop order; undefined for other order types. */
export function newStop(
  { pair, last }: SpotMarket,
  request: OrderRequest,
  tradeSequence: number,
): Stop | undefined {
  const { type, side, direction, trail, activation } = request;
  if (!isStop(type)) return undefined;
  return {
    direction: direction ?? defaultDirection(type, side),
    trail,
    price: stopPriceOf(pair, request, last)!,
    extreme: trail === undefined ? undefined : (activation ?? last),
    activation,
    activatedAt: undefined,
    status: 'waiting',
    triggeredAt: undefined,
    tradeSequence,
  };
}

/**
 * Converts an order to the book's units. First refuses every order that the book would reject, and an order
 * by total that would not trade. For a sale by total, `amount` is set to the amount that it would sell now,
 * from which the hold is computed; it must be set to null before matching.
 */
export function checkedIncoming(
  { book }: SpotMarket,
  order: SpotOrder,
  guard: Decimal | undefined,
): IncomingOrder {
  const incoming = incomingOf(order, guard);
  const needsQuote = order.postOnly || order.timeInForce === 'FOK' || order.total !== undefined;
  if (!needsQuote) return incoming;
  const quote = book.quote(incoming);
  if (quote.outcome === 'rejected') throw new Refused(rejection(quote.reason));
  if (order.total !== undefined && quote.filledAmount === 0n)
    throw new Refused(fillsNothing(book, order, quote.reason));
  // A sale by total holds the amount that it would sell now, so this amount is also the most that it may sell.
  return order.side === 'sell' && order.total !== undefined
    ? { ...incoming, amount: quote.filledAmount + quote.decremented }
    : incoming;
}

/**
 * The refusal for an order that the book rejected: because a post-only order would trade at once, because of
 * self-trade prevention, or otherwise because a fill-or-kill order cannot be filled completely.
 */
export function rejection(reason: Reason | null): Refusal {
  if (reason === 'wouldCross') return wouldCross();
  if (reason === 'selfTrade') return refusal('generic', 'l.self_trade');
  return refusal('generic', 'l.fok_unfilled');
}

/**
 * The refusal for an order by total that would not trade at all, by the `reason`: self-trade, a total below
 * the price of one amount step, or otherwise no liquidity.
 */
function fillsNothing(book: BookView, order: SpotOrder, reason: Reason | null): Refusal {
  if (reason === 'selfTrade') return refusal('generic', 'l.self_trade');
  const best = book.best(oppositeSide(order.side));
  if (reason !== 'totalTooSmall' || best === null || order.total === undefined)
    return refusal('closed', 'l.no_liquidity');
  const limit = priceOf(order.pair, best.price).timesExact(amountOf(order.pair, 1n)).toString();
  const value = order.total.toString();
  return refusal('belowMinimum', 'l.total_min', { field: 'total', unit: order.pair.quote, limit, value });
}
