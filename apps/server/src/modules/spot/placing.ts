import { Decimal, greatest } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import { type Pair, oppositeSide } from '@exchange/core/pair.ts';
import { type Refusal, Refused, refusal } from '@exchange/core/refusal.ts';
import { restingProblem, waitingProblem, wouldCross } from '@exchange/core/spot-moment.ts';
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
import { becomes, isStop, usualDirection } from '@exchange/core/stop.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { IncomingOrder, Reason } from '../matching/index.ts';
import type { Entering, OcoInput, PlaceInput } from './command-inputs.ts';
import { type SpotOrder, type Stop, remainingAmount } from './domain/order.ts';
import type { BookView, ExchangeState, SpotMarket } from './exchange-state.ts';
import { entryHold, expireDue, save, tellOrder } from './cancellation.ts';
import { amountOf, hold, lotsOf, priceOf, ticksOf, totalOf, totalUnitsOf } from './settlement.ts';
import { follow } from './trading.ts';

/** Before anything is decided on a pair: nothing of it is halted, and what has expired is gone. */
export function begin(state: ExchangeState, step: Step, market: SpotMarket): void {
  state.requireMoving(market.pair);
  state.touched.clear();
  if (market.expiries.nextAt <= step.now) expireDue(state, step, market);
}

/** Places an order: checks, holds, matches, settles, rests or gives back; one that waits is put aside. */
export function place(state: ExchangeState, step: Step, input: PlaceInput, ties = NO_TIES): SpotOrder {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  const { request, owner } = input;
  begin(state, step, market);
  // Only a market order's checks ask for the best price.
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
  setAside(state, step, order, neededAtEntry(order, incoming, guard));
  // By total it goes as it was quoted: with the amount as a bound it would end as if it had got all it wanted.
  const placement = market
    .changeBook(step)
    .place(order.total === undefined ? incoming : { ...incoming, amount: null });
  const meeting = {
    step,
    market,
    taker: order,
    ticks: incoming.price,
    quoteValue: input.quoteValue,
    mostMarked: input.mostMarked,
  };
  follow(state, meeting, placement);
  return order;
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
  setAside(state, step, order, entryHold(market, order));
  wait(state, step, market, order);
  state.touched.tell(step, market);
  return order;
}

/** Places both legs of an OCO; funds are held once, for the dearer leg, and carried by the limit leg. */
export function placeOco(
  state: ExchangeState,
  step: Step,
  input: OcoInput,
): { groupId: string; limit: SpotOrder; stop: SpotOrder } {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  begin(state, step, market);
  const view = viewOf(market, step, input.reference, bestFor(market, input.request.side));
  const problem = ocoProblem(pair, filters, input.request, view);
  if (problem !== undefined) throw new Refused(problem);
  return placeLegs(state, step, market, input);
}

/** Places the legs of an OCO that has been checked, but for the room that its owner has. */
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
  const legs = ocoLegs(input.request);
  const limit = newOrder(step, pair, input, legs.limit, { ...ties, groupId });
  const waiting = newStop(market, legs.stop, state.tradeSequence)!;
  const stop = newOrder(step, pair, input, legs.stop, { ...ties, stop: waiting, groupId });
  setAside(state, step, limit, greatest(holdFor(pair, limit, undefined).amount, entryHold(market, stop)));
  step.forbidRefusal();
  state.groups.add(groupId, limit, stop);
  // Not through `follow`: the leg meets nobody, and what it holds for the other one is no excess.
  const book = market.changeBook(step);
  const placement = book.place(incomingOf(limit, undefined));
  if (placement.outcome !== 'rested' || placement.fills.length > 0)
    throw new Error(`the limit leg ${limit.id} did not rest`);
  state.orders.add(limit);
  save(step, limit);
  tellOrder(step, limit);
  wait(state, step, market, stop);
  state.touched.add(limit.side, book.get(limit.id)!.price);
  state.touched.tell(step, market);
  return { groupId, limit, stop };
}

/** Puts a stop among those that wait. */
function wait(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  step.forbidRefusal();
  state.orders.add(order);
  market.stops.add(order);
  market.expiries.add(order);
  save(step, order);
  tellOrder(step, order);
}

/** The market as the checks see it. */
export function viewOf(
  { status, last }: SpotMarket,
  step: Step,
  reference: Decimal | undefined,
  best: Decimal | undefined,
): MarketView {
  return { status, reference, best, last, now: step.now };
}

/** The price that an order of this side would meet first. */
export function bestFor({ book, pair }: SpotMarket, side: SpotOrder['side']): Decimal | undefined {
  const best = book.best(oppositeSide(side));
  return best === null ? undefined : priceOf(pair, best.price);
}

function setAside({ ledger }: ExchangeState, step: Step, order: SpotOrder, amount: Decimal): void {
  ledger.post(step, 'spot.held', order.id, [hold(order, amount)]);
  order.held = amount;
}

function neededAtEntry(order: SpotOrder, incoming: IncomingOrder, guard: Decimal | undefined): Decimal {
  if (order.side === 'sell' && order.total !== undefined) return amountOf(order.pair, incoming.amount!);
  // A limit's total is exact in the book's units, where a product costs no division.
  if (order.side === 'buy' && incoming.price !== null)
    return totalOf(order.pair, incoming.price * incoming.amount!);
  return holdFor(order.pair, order, guard).amount;
}

function requireRoom({ orders }: ExchangeState, owner: UserId, { pair, filters }: SpotMarket): void {
  const { resting } = orders.countsOf(owner, pair.symbol);
  const problem = restingProblem(filters, resting);
  if (problem !== undefined) throw new Refused(problem);
}

function requireStopRoom({ orders }: ExchangeState, owner: UserId, { pair, filters }: SpotMarket): void {
  const { waiting } = orders.countsOf(owner, pair.symbol);
  const problem = waitingProblem(filters, waiting);
  if (problem !== undefined) throw new Refused(problem);
}

/** What an order waits for, which OCO it belongs to, and whose exit it is. */
interface Ties {
  readonly stop?: Stop;
  readonly groupId?: string;
  readonly entryId?: string;
}

const NO_TIES: Ties = {};

/** The order that a checked request becomes; nothing is held for it yet. */
export function newOrder(
  step: Step,
  pair: Pair,
  { owner, selfTrade, rates, clientId }: Entering,
  request: OrderRequest,
  { stop, groupId = '', entryId = '' }: Ties = NO_TIES,
): SpotOrder {
  return {
    id: step.newId() as OrderId,
    owner,
    pair,
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce,
    postOnly: request.postOnly,
    selfTrade,
    total: request.total,
    heldAsset: request.side === 'buy' ? pair.quote : pair.base,
    makerRate: rates.maker,
    takerRate: rates.taker,
    clientId,
    createdAt: step.now,
    bornIn: step.sequence,
    stop,
    expireAt: request.expireAt,
    groupId,
    entryId,
    price: request.price,
    amount: request.amount,
    rank: step.sequence,
    exits: exitsOf(request),
    filledAmount: Decimal.zero,
    filledTotal: Decimal.zero,
    cancelledAmount: Decimal.zero,
    fee: Decimal.zero,
    held: Decimal.zero,
    state: 'open',
    reason: '',
    updatedAt: step.now,
  };
}

/** Exits as they wait with their order. */
export function exitsOf({ exits }: Pick<OrderRequest, 'exits'>): SpotOrder['exits'] {
  if (exits === undefined) return undefined;
  const { takeProfit, stopLoss, stopLossLimit } = exits;
  return { takeProfit, stopLoss, stopLossLimit, status: 'waiting' };
}

/** What a request waits for; undefined for one that does not wait. */
export function newStop(
  { pair, last }: SpotMarket,
  request: OrderRequest,
  tradeSequence: number,
): Stop | undefined {
  const { type, side, direction, trail, activation } = request;
  if (!isStop(type)) return undefined;
  return {
    direction: direction ?? usualDirection(type, side),
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

/** The order as the book takes it. For the book an order that expires is one that is good till cancelled. */
export function incomingOf(order: SpotOrder, guard: Decimal | undefined): IncomingOrder {
  const { pair, total, timeInForce } = order;
  const isLimit = becomes(order.type) === 'limit';
  return {
    id: order.id,
    owner: order.owner,
    side: order.side,
    price: isLimit ? ticksOf(pair, order.price!) : null,
    amount: order.amount === undefined ? null : lotsOf(pair, remainingAmount(order)),
    total: total === undefined ? undefined : totalUnitsOf(pair, total),
    timeInForce: timeInForce === 'GTT' ? 'GTC' : timeInForce,
    postOnly: order.postOnly,
    selfTrade: order.selfTrade,
    guardPrice: guard === undefined ? undefined : ticksOf(pair, guard),
  };
}

/** As `incomingOf`, after everything that would make the book reject the order has been refused. */
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
  // A sale by total sets aside what it will sell now, and can sell no more than that.
  return order.side === 'sell' && order.total !== undefined
    ? { ...incoming, amount: quote.filledAmount + quote.decremented }
    : incoming;
}

/** The refusal for an order that the book rejected. */
export function rejection(reason: Reason | null): Refusal {
  if (reason === 'wouldCross') return wouldCross();
  if (reason === 'selfTrade') return refusal('generic', 'l.self_trade');
  return refusal('generic', 'l.fok_unfilled');
}

/** Why an order by total would not trade at all. */
function fillsNothing(book: BookView, order: SpotOrder, reason: Reason | null): Refusal {
  if (reason === 'selfTrade') return refusal('generic', 'l.self_trade');
  const best = book.best(oppositeSide(order.side));
  if (reason !== 'totalTooSmall' || best === null || order.total === undefined)
    return refusal('closed', 'l.no_liquidity');
  const limit = priceOf(order.pair, best.price).timesExact(amountOf(order.pair, 1n)).toString();
  const value = order.total.toString();
  return refusal('belowMinimum', 'l.total_min', { field: 'total', unit: order.pair.quote, limit, value });
}
