import { Decimal, greatest } from '@exchange/core/decimal.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { crosses } from '@exchange/core/spot-book-rules.ts';
import { ocoLegs } from '@exchange/core/spot-oco.ts';
import { otoProblem, workingOrder } from '@exchange/core/spot-oto.ts';
import { guardPrice, holdFor, type OrderRequest } from '@exchange/core/spot.ts';
import { triggersStop } from '@exchange/core/stop.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { userAddress } from '../ledger/index.ts';
import { cancelOrder, endOrder, entryHold, saveOrder, publishOrder } from './cancellation.ts';
import type { ExternalInputs, OtoInput, TriggerInput } from './command-inputs.ts';
import type { SpotOrder } from './domain/order.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import {
  addWaiting,
  bestFor,
  checkedIncoming,
  holdAtEntry,
  newStop,
  prepareMarket,
  requireNewListName,
  requireNewName,
  requireRoom,
  requireStopRoom,
  restLegs,
  viewOf,
} from './placing.ts';
import { incomingOf, newOrder, placeHold } from './resting.ts';
import { enterBook, markDue } from './trading.ts';
import { amendmentWriter, listWriter } from './writers.ts';

/**
 * OTO and OTOCO lists. The working order is placed on the book at once. The pending orders exist from
 * the beginning, hold no funds, and are placed by a separate command when the working order is
 * completely filled.
 */

/**
 * The id of a new OTO and its orders: first the working order, then the pending ones. The limit leg of a
 * pending OCO comes before its stop leg.
 */
export interface PlacedOto {
  readonly listId: string;
  readonly orders: readonly SpotOrder[];
}

/**
 * Places the working order of an OTO and stores its pending orders. Refuses if the placement of any of the orders
 * would be refused; funds are checked for the working order only.
 */
export function placeOto(state: ExchangeState, step: Step, input: OtoInput): PlacedOto {
  const market = state.market(input.symbol);
  const { pair, filters } = market;
  const { request, owner, listName } = input;
  prepareMarket(state, step, market);
  if (input.isNameUnique === true) {
    for (const name of namesOf(input)) requireNewName(state, owner, name);
    requireNewListName(state, owner, listName);
  }
  const problem = otoProblem(pair, filters, request, viewOf(market, step, input.reference, undefined));
  if (problem !== undefined) throw new Refused(problem);
  requireRoom(state, owner, market);
  requireStopRoom(state, owner, market, request.pendingOco === undefined ? 1 : 2);

  const listId = step.newId();
  const ties = { oto: { id: listId, role: 'working', releasedAt: undefined }, listName } as const;
  const working = newOrder(step, pair, input, workingOrder(request.working), ties);
  const incoming = checkedIncoming(market, working, undefined);
  placeHold(state, step, working, holdAtEntry(working, incoming, undefined));
  step.forbidRefusal();
  const pending = newPendingOrders(state, step, market, input, listId);
  step.write(listWriter, { id: listId, owner });
  state.otos.add(listId, { working: working.id, pending: pending.map(({ id }) => id) });
  for (const order of pending) {
    state.orders.add(order);
    saveOrder(step, order);
    publishOrder(step, order);
  }
  enterBook(state, { step, market, order: working, outside: input }, incoming);
  return { listId, orders: [working, ...pending] };
}

/** The client order ids of the working order, of the pending order or the limit leg, and of the stop leg. */
function namesOf({ clientId, pendingClientId = clientId, stopClientId = pendingClientId }: OtoInput) {
  return [clientId, pendingClientId, stopClientId] as const;
}

/** Builds the pending orders of a checked OTO; for an OCO the limit leg first. */
function newPendingOrders(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  input: OtoInput,
  listId: string,
): readonly SpotOrder[] {
  const { pending, pendingOco } = input.request;
  const [, pendingName, stopName] = namesOf(input);
  const groupId = pendingOco === undefined ? '' : step.newId();
  const build = (clientId: string, order: OrderRequest): SpotOrder => {
    const context = { ...input, clientId };
    return newOrder(step, market.pair, context, order, {
      oto: { id: listId, role: 'pending', releasedAt: undefined },
      stop: newStop(market, order, state.tradeSequence),
      groupId,
      listName: input.listName,
    });
  };
  if (pendingOco === undefined) return [build(pendingName, pending!)];
  const { limit, stop } = ocoLegs(pendingOco);
  return [build(pendingName, limit), build(stopName, stop)];
}

/**
 * Places the pending orders of an OTO whose working order is filled, with the checks of the current market. Pending
 * orders that can no longer be placed end, with the reason. Does nothing if they are not queued to be placed or an
 * asset of the pair is halted.
 */
export function releaseOto(
  state: ExchangeState,
  step: Step,
  { order: id, ...outside }: TriggerInput,
): SpotOrder | undefined {
  const first = state.owedOtos.get(id);
  if (first === undefined || state.isHalted(first.pair)) return undefined;
  const market = state.market(first.pair.symbol);
  prepareMarket(state, step, market);
  step.forbidRefusal();
  const { pending } = state.otos.get(first.oto!.id)!;
  state.otos.remove(first.oto!.id);
  state.owedOtos.remove(first.id);
  const [order, stop] = pending.map((pendingId: OrderId) => state.orders.get(pendingId)!);
  if (market.status !== 'open') {
    for (const open of [order!, stop])
      if (open?.state === 'open') cancelOrder(state, step, open, 'pairHalted');
  } else if (stop === undefined) releaseSingle(state, step, market, order!, outside);
  else releaseLegs(state, step, market, { limit: order!, stop }, outside);
  state.changedLevels.publish(step, market);
  return first;
}

/**
 * Places the pending order of an OTO, or ends it if a market order finds no opposite order or the balance is too
 * small. A stop whose price has been reached becomes due at once.
 */
function releaseSingle(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  order: SpotOrder,
  outside: ExternalInputs,
): void {
  const best = bestFor(market, order.side);
  const isMarket = order.type === 'market';
  if (isMarket && best === undefined) return endOrder(state, step, order, 'noLiquidity');
  const guard = isMarket
    ? guardPrice(market.pair, market.filters, order.side, best!, outside.reference)
    : undefined;
  const needed = () =>
    order.stop === undefined ? holdFor(order.pair, order, guard).amount : entryHold(market, order);
  if (!fitToFunds(state, step, [order], needed)) return endOrder(state, step, order, 'balanceShort');
  markReleased(state, step, order);
  placeHold(state, step, order, needed());
  if (order.stop === undefined) enterBook(state, { step, market, order, outside }, incomingOf(order, guard));
  else startWaiting(state, step, market, order);
}

interface Legs {
  readonly limit: SpotOrder;
  readonly stop: SpotOrder;
}

/**
 * Places the pending OCO of an OTO. As with the exits of an order, a leg whose price the market has
 * reached is placed alone, because the legs of an OCO must wait; the stop has precedence over the
 * limit.
 */
function releaseLegs(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  { limit, stop }: Legs,
  outside: ExternalInputs,
): void {
  const best = bestFor(market, limit.side);
  const single = isReached(market, stop)
    ? { placed: stop, ended: limit }
    : best !== undefined && crosses(limit.side, limit.price!, best)
      ? { placed: limit, ended: stop }
      : undefined;
  if (single !== undefined) {
    endOrder(state, step, single.ended, 'oco');
    releaseSingle(state, step, market, single.placed, outside);
    return;
  }
  const needed = () => greatest(holdFor(limit.pair, limit, undefined).amount, entryHold(market, stop));
  if (!fitToFunds(state, step, [limit, stop], needed)) {
    endOrder(state, step, limit, 'balanceShort');
    endOrder(state, step, stop, 'balanceShort');
    return;
  }
  markReleased(state, step, limit);
  markReleased(state, step, stop);
  stop.stop!.tradeSequence = state.tradeSequence;
  placeHold(state, step, limit, needed());
  restLegs(state, step, market, limit, stop);
}

/**
 * Marks a pending order as placed and sets its rank to the current step. Removes it from the open orders; the caller
 * adds it again after placing it on the book or among the stops, because these are counted separately.
 */
function markReleased(state: ExchangeState, step: Step, order: SpotOrder): void {
  state.orders.remove(order);
  order.oto!.releasedAt = step.now;
  order.rank = step.sequence;
  order.updatedAt = step.now;
}

/**
 * Adds a placed stop order to the waiting stops, or to the due stops if its price has been reached.
 */
function startWaiting(state: ExchangeState, step: Step, market: SpotMarket, order: SpotOrder): void {
  order.stop!.tradeSequence = state.tradeSequence;
  if (!isReached(market, order)) return addWaiting(state, step, market, order);
  state.orders.add(order);
  markDue(state, step, order, state.tradeSequence);
}

function isReached({ last }: SpotMarket, { stop }: SpotOrder): boolean {
  return stop !== undefined && last !== undefined && triggersStop(stop.direction, stop.price, last);
}

/**
 * Returns whether the owner's available balance suffices for pending orders that share one hold. The balance can be too
 * small by the fee that the working order paid in the asset that it received. If no more than this fee is missing,
 * lowers the amount of the orders to the balance, which is stored as an amendment, and returns true.
 */
function fitToFunds(
  { ledger }: ExchangeState,
  step: Step,
  orders: readonly SpotOrder[],
  needed: () => Decimal,
): boolean {
  const [{ owner, heldAsset, pair, makerRate, takerRate }] = orders as readonly [SpotOrder];
  const available = ledger.balance(userAddress(owner, 'spot', 'available'), heldAsset);
  const wanted = needed();
  if (!wanted.isMore(available)) return true;
  const rate = greatest(makerRate, takerRate);
  const before = orders[0]!.amount!;
  const least = before.times(Decimal.one.minus(rate), 'down', pair.amountDigits);
  // The largest amount that the available balance covers. `unit` is the funds to hold per base coin of the
  // orders' amount: 1 base coin for a sale, a price in the quote coin for a buy.
  const unit = wanted.over(before, 'up');
  const amount = available.over(unit, 'down', pair.amountDigits);
  if (!amount.isPositive() || amount.isLess(least)) return false;
  for (const order of orders) lowerAmount(step, order, amount);
  return true;
}

function lowerAmount(step: Step, order: SpotOrder, amount: Decimal): void {
  const { price, amount: amountBefore, stop } = order;
  order.amount = amount;
  step.write(amendmentWriter, {
    orderId: order.id,
    at: step.now,
    sequence: step.sequence,
    price,
    amount,
    stopPrice: stop?.price,
    exits: undefined,
    priceBefore: price,
    amountBefore,
    stopPriceBefore: stop?.price,
    exitsBefore: undefined,
  });
}
