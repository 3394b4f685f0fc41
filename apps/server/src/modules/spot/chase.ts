import type { Decimal } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { amendProblem } from '@exchange/core/spot-amend.ts';
import {
  CHASE_MOVES_MAX,
  CHASE_OPEN_MAX,
  CHASE_PAUSE_MS,
  chaseEndsAt,
  chaseFunds,
  chaseOrderRequest,
  chasePrice,
  chaseProblem,
  chaseWorstPrice,
  nextChasePrice,
} from '@exchange/core/spot-chase.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import { amendResting } from './amending.ts';
import { cancelPart } from './cancellation.ts';
import type { CancelChaseInput, ChaseInput, MoveChaseInput } from './command-inputs.ts';
import type { Chase, ChaseWait } from './domain/chase.ts';
import { neededHold } from './domain/order.ts';
import { algoChanged } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { holdAtEntry, prepareMarket, viewOf } from './placing.ts';
import { incomingOf, newOrder, placeHold, restOnBook } from './resting.ts';
import { priceOf } from './settlement.ts';
import { chaseWriter } from './writers.ts';

/**
 * Starts a chase order: places its order at the best price of its side, or at the worst price that the
 * request allows if the best one is beyond it. Refuses an invalid request, more than `CHASE_OPEN_MAX` running
 * chase orders of the account, and a balance below what the order needs at its worst price.
 */
export function startChase(state: ExchangeState, step: Step, input: ChaseInput): Chase {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  const { owner, request } = input;
  prepareMarket(state, step, market);
  const best = bestOfOwnSide(market, request.side);
  const { resting } = state.orders.countsOf(owner, pair.symbol);
  const problem = chaseProblem(pair, filters, request, viewOf(market, step, input.reference, best), resting);
  if (problem !== undefined) throw new Refused(problem);
  if (state.chases.countOf(owner) >= CHASE_OPEN_MAX) throw new Refused(tooMany());
  const worst = chaseWorstPrice(pair, request, best!);
  const { asset, amount: needed } = chaseFunds(pair, request, worst);
  const available = state.ledger.balance(userAddress(owner, 'spot', 'available'), asset);
  const shortage = shortOf({ needed, available, asset, field: 'amount' });
  if (shortage !== undefined) throw new Refused(shortage);
  step.forbidRefusal();
  const id = step.newId();
  const price = chasePrice(request.side, best!, worst);
  const orderRequest = chaseOrderRequest(request, price, chaseEndsAt(request, step.now));
  const order = newOrder(step, pair, { ...input, clientId: id }, orderRequest, { parentId: id });
  const chase: Chase = {
    id,
    owner,
    symbol: pair.symbol,
    side: request.side,
    amount: request.amount,
    distance: request.distance,
    limitPrice: request.limitPrice,
    minutes: request.minutes,
    startPrice: best!,
    worstPrice: worst,
    orderId: order.id,
    createdAt: step.now,
    moves: 0,
    movedAt: step.now,
    ending: undefined,
    updatedAt: step.now,
  };
  state.chases.add(chase);
  placeHold(state, step, order, holdAtEntry(order, incomingOf(order, undefined), undefined));
  restOnBook(state, step, market, order);
  market.expiries.add(order);
  state.changedLevels.publish(step, market);
  step.write(chaseWriter, chase);
  step.publish(algoChanged, { owner, id, hasNotice: false });
  return chase;
}

/**
 * The next change of the single order of a chase order. `move`: a new price. `wait`: a new price would be right, but
 * something prevents the change. `stay`: the price is right, its side of the book is empty, or the order has ended.
 */
type NextMove =
  | { readonly kind: 'move'; readonly price: Decimal }
  | { readonly kind: 'wait'; readonly wait: ChaseWait }
  | { readonly kind: 'stay' };

const STAY: NextMove = { kind: 'stay' };

/**
 * The next price of a running chase order's order, by the current book and balances, or why its price does
 * not change now (`wait`, `stay`). Does not check whether the pause after the last price change is over.
 */
export function nextMoveOf(state: ExchangeState, chase: Chase, reference: Decimal | undefined): NextMove {
  const market = state.market(chase.symbol);
  const { pair, filters, status, last } = market;
  const order = state.orders.get(chase.orderId);
  const best = bestOfOwnSide(market, chase.side);
  if (order === undefined || best === undefined) return STAY;
  const price = nextChasePrice(chase.side, { price: order.price!, best, worst: chase.worstPrice });
  if (price === undefined) return STAY;
  if (status !== 'open' || state.isHalted(pair)) return { kind: 'wait', wait: 'halted' };
  if (chase.moves >= CHASE_MOVES_MAX) return { kind: 'wait', wait: 'moves' };
  const done = order.filledAmount.plus(order.cancelledAmount);
  const present = {
    side: order.side,
    type: order.type,
    exits: undefined,
    price: order.price!,
    amount: order.amount!,
    done,
  };
  const problem = amendProblem(pair, filters, present, { price }, { status, reference, last });
  if (problem !== undefined)
    return { kind: 'wait', wait: problem.parameters['field'] === 'price' ? 'band' : 'rest' };
  const missing = neededHold({ ...order, price }).minus(order.held);
  const available = state.ledger.balance(userAddress(chase.owner, 'spot', 'available'), order.heldAsset);
  if (missing.isMore(available)) return { kind: 'wait', wait: 'funds' };
  return { kind: 'move', price };
}

/**
 * The earliest time at which the price of a chase order may change again: `CHASE_PAUSE_MS` after the last change or,
 * before the first change, after the start.
 */
export function nextMoveAt({ movedAt }: Chase): Instant {
  return later(movedAt, CHASE_PAUSE_MS);
}

/**
 * Changes the price of a chase order's single order to the price that `nextMoveOf` returns, and returns 1.
 * Returns 0 and leaves the price unchanged if the owner has no such running chase order, if the number of
 * earlier price changes is not `move`, if the pause after the last change is not over, if a coin of the pair
 * is halted, or if `nextMoveOf` returns no price.
 */
export function moveChase(
  state: ExchangeState,
  step: Step,
  input: MoveChaseInput,
): { readonly count: number } {
  const chase = state.chases.ofOwner(input);
  if (chase === undefined || chase.moves !== input.move || nextMoveAt(chase) > step.now) return { count: 0 };
  const market = state.market(chase.symbol);
  if (state.isHalted(market.pair)) return { count: 0 };
  prepareMarket(state, step, market);
  // `prepareMarket` ends expired orders and may have ended this one, so the order is read afterwards.
  const next = nextMoveOf(state, chase, input.reference);
  const order = state.orders.get(chase.orderId);
  if (next.kind !== 'move' || order === undefined) {
    state.changedLevels.publish(step, market);
    return { count: 0 };
  }
  amendResting(state, step, market, order, {
    owner: chase.owner,
    order: order.id,
    price: next.price,
    reference: input.reference,
    quoteValue: input.quoteValue,
    mostMarked: input.mostMarked,
  });
  chase.moves += 1;
  chase.movedAt = step.now;
  chase.updatedAt = step.now;
  step.write(chaseWriter, chase);
  return { count: 1 };
}

/**
 * Cancels a chase order with its order and returns 1. Returns 0 if the owner has no running chase order with this id.
 * Refuses when the pair is closed or the released asset is halted.
 */
export function cancelChase(
  state: ExchangeState,
  step: Step,
  input: CancelChaseInput,
): { readonly count: number } {
  const chase = state.chases.ofOwner(input);
  if (chase === undefined) return { count: 0 };
  return cancelPart(state, step, chase.orderId);
}

/** The best price on the side of the book on which the chase order rests; undefined if that side is empty. */
function bestOfOwnSide({ book, pair }: SpotMarket, side: Chase['side']): Decimal | undefined {
  const best = book.best(side);
  return best === null ? undefined : priceOf(pair, best.price);
}

function tooMany() {
  return refusal('aboveMaximum', 'l.chase_max', {
    limit: String(CHASE_OPEN_MAX),
    value: String(CHASE_OPEN_MAX + 1),
  });
}
