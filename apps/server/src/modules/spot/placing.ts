import { greatest, type Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { oppositeSide } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { restingProblem, waitingProblem } from '@exchange/core/spot-moment.ts';
import { ocoLegs, ocoProblem } from '@exchange/core/spot-oco.ts';
import { guardPrice, holdFor, orderProblem, type MarketView } from '@exchange/core/spot.ts';
import { isStop } from '@exchange/core/stop.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { IncomingOrder } from '../matching/index.ts';
import type { OcoInput, PlaceInput } from './command-inputs.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { expireDue } from './expiry.ts';
import { checkedIncoming, incomingOf } from './incoming.ts';
import { entryHold, save, tellOrder } from './leaving.ts';
import { newOrder, newStop } from './new-order.ts';
import type { SpotOrder } from './order-domain.ts';
import { amountOf, priceOf, totalOf } from './scale.ts';
import { hold } from './settlement.ts';
import { follow } from './trading.ts';

/** Before anything is decided on a pair: nothing of it is halted, and what has expired is gone. */
export function begin(state: ExchangeState, step: Step, market: SpotMarket): void {
  state.requireMoving(market.pair);
  state.touched.clear();
  if (market.expiries.nextAt <= step.now) expireDue(state, step, market);
}

/** Places an order: checks, holds, matches, settles, rests or gives back; one that waits is put aside. */
export function place(state: ExchangeState, step: Step, input: PlaceInput): SpotOrder {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  const { request, owner } = input;
  begin(state, step, market);
  // Only a market order's checks ask for the best price.
  const best = request.type === 'market' ? bestFor(market, request.side) : undefined;
  const problem = orderProblem(pair, filters, request, viewOf(market, step, input.reference, best));
  if (problem !== undefined) throw new Refused(problem);
  if (isStop(request.type)) return placeStop(state, step, market, input);
  if (request.type === 'limit') requireRoom(state, owner, market);

  const guard =
    request.type === 'market' ? guardPrice(pair, filters, request.side, best!, input.reference) : undefined;
  const order = newOrder(step, pair, input, request);
  const incoming = checkedIncoming(market, order, guard);
  setAside(state, step, order, neededAtEntry(order, incoming, guard));
  // By total it goes as it was quoted: with the amount as a bound it would end as if it had got all it wanted.
  const placement = market.book.place(order.total === undefined ? incoming : { ...incoming, amount: null });
  const { quoteValue } = input;
  follow(state, { step, market, taker: order, ticks: incoming.price, quoteValue }, placement);
  return order;
}

function placeStop(state: ExchangeState, step: Step, market: SpotMarket, input: PlaceInput): SpotOrder {
  requireStopRoom(state, input.owner, market);
  const stop = newStop(market, input.request, state.tradeSequence)!;
  const order = newOrder(step, market.pair, input, input.request, { stop });
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
  const { pair, filters, book } = market;
  begin(state, step, market);
  const view = viewOf(market, step, input.reference, bestFor(market, input.request.side));
  const problem = ocoProblem(pair, filters, input.request, view);
  if (problem !== undefined) throw new Refused(problem);
  requireRoom(state, input.owner, market);
  requireStopRoom(state, input.owner, market);

  const groupId = step.newId();
  const legs = ocoLegs(input.request);
  const limit = newOrder(step, pair, input, legs.limit, { groupId });
  const waiting = newStop(market, legs.stop, state.tradeSequence)!;
  const stop = newOrder(step, pair, input, legs.stop, { stop: waiting, groupId });
  setAside(state, step, limit, greatest(holdFor(pair, limit, undefined).amount, entryHold(market, stop)));
  state.groups.add(groupId, limit, stop);
  // Not through `follow`: the leg meets nobody, and what it holds for the other one is no excess.
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
  state.orders.add(order);
  market.stops.add(order);
  market.expiries.add(order);
  save(step, order);
  tellOrder(step, order);
}

/** The market as the checks see it. */
function viewOf(
  { status, last }: SpotMarket,
  step: Step,
  reference: Decimal | undefined,
  best: Decimal | undefined,
): MarketView {
  return { status, reference, best, last, now: step.now };
}

/** The price that an order of this side would meet first. */
function bestFor({ book, pair }: SpotMarket, side: SpotOrder['side']): Decimal | undefined {
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
