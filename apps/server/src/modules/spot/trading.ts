import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, TradeId } from '@exchange/core/ids.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { dealt } from '../market/index.ts';
import type { CancelledMaker, Fill, Placement, Reason } from '../matching/index.ts';
import { isDormant, type EndReason, type SpotOrder } from './domain/order.ts';
import { type MovedStop, type OrderFill, trailingMoved } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import {
  NO_FILLS,
  end,
  endPartner,
  forget,
  moveHoldToStop,
  releaseExcess,
  save,
  tellOrder,
} from './cancellation.ts';
import { amountOf, priceOf, settle, totalOf } from './settlement.ts';
import { lastPriceWriter, markingWriter, tradeWriter } from './writers.ts';

/** One incoming order and what it meets. */
export interface Meeting {
  readonly step: Step;
  readonly market: SpotMarket;
  readonly taker: SpotOrder;
  /** The taker's limit in ticks, as the book was told; null for a market order. */
  readonly ticks: bigint | null;
  /** USDT per unit of the quote asset; undefined without a price. */
  readonly quoteValue: Decimal | undefined;
  /** How many stops the step marks at most; all in steps from before there was a bound. */
  readonly mostMarked: number | undefined;
}

/**
 * Carries out what the book answered for an incoming order that is not among the open ones: settles the
 * trades, ends what gave way, rests the order or gives back the rest, and marks the stops that were met.
 */
export function follow(state: ExchangeState, meeting: Meeting, placement: Placement): void {
  const { step, market, taker } = meeting;
  const firstTrade = state.tradeSequence + 1;
  const fills =
    placement.fills.length === 0 ? NO_FILLS : placement.fills.map((fill) => trade(state, meeting, fill));
  for (const cancelled of placement.cancelledMakers) lowerMaker(state, meeting, cancelled);
  conclude(state, meeting, placement);
  save(step, taker);
  tellOrder(step, taker, fills);
  if (fills.length > 0) {
    const { symbol } = market.pair;
    step.write(lastPriceWriter, { symbol, price: market.last!, tradeSequence: state.tradeSequence });
    if (market.stops.size > 0) {
      const { fills: traded } = placement;
      watchTrades(state, step, market, { fills: traded, firstTrade, mostMarked: meeting.mostMarked });
    }
  }
  state.touched.tell(step, market);
}

/** One fill: money moves, both orders advance, the trade is recorded and told. */
function trade(state: ExchangeState, { step, market, taker, quoteValue }: Meeting, fill: Fill): OrderFill {
  const { pair } = market;
  const { symbol } = pair;
  const maker = openMaker(state, fill.makerId);
  const price = priceOf(pair, fill.price);
  const amount = amountOf(pair, fill.amount);
  const total = totalOf(pair, fill.price * fill.amount);
  const id = step.newId() as TradeId;
  const takerSide = { order: taker, rate: taker.takerRate };
  const makerSide = { order: maker, rate: maker.makerRate };
  const [buyer, seller] = taker.side === 'buy' ? [takerSide, makerSide] : [makerSide, takerSide];
  const { postings, buyerFee, sellerFee } = settle(buyer, seller, amount, total);
  state.ledger.post(step, 'spot.traded', id, postings);
  const [takerFee, makerFee] = taker.side === 'buy' ? [buyerFee, sellerFee] : [sellerFee, buyerFee];
  advance(step, taker, amount, total, takerFee);
  advance(step, maker, amount, total, makerFee);
  if (fill.makerRemaining === 0n) {
    forget(state, maker);
    completeFill(maker);
  }
  // An OCO's hold may be larger than the limit leg's need, so the other leg goes before the excess does. Any
  // other maker held exactly what rested, and has paid exactly what was taken.
  if (maker.groupId !== '') endGroup(state, step, maker);
  save(step, maker);

  state.tradeSequence += 1;
  const sequence = state.tradeSequence;
  market.last = price;
  const { now: at } = step;
  step.write(tradeWriter, {
    id,
    sequence,
    symbol,
    price,
    amount,
    total,
    takerSide: taker.side,
    taker: taker.owner,
    takerOrder: taker.id,
    takerFee,
    maker: maker.owner,
    makerOrder: maker.id,
    makerFee,
    valueUsdt: quoteValue?.times(total, 'down', 8),
    at,
  });
  state.touched.add(maker.side, fill.price);
  step.publish(dealt, { symbol, tradeId: id, price, amount, takerSide: taker.side, at, sequence });
  // Written out twice, since spreading an object costs more than the rest of the sentence.
  tellOrder(step, maker, [{ tradeId: id, price, amount, total, at, fee: makerFee, role: 'maker' }]);
  return { tradeId: id, price, amount, total, at, fee: takerFee, role: 'taker' };
}

/** Cancels the other leg of a filled OCO, then releases what the filled leg's hold has in excess. */
function endGroup(state: ExchangeState, step: Step, maker: SpotOrder): void {
  endPartner(state, step, maker);
  releaseExcess(state, step, maker);
}

/** A fill's part on one order: what was filled, what it paid, what is held no longer. */
function advance(step: Step, order: SpotOrder, amount: Decimal, total: Decimal, fee: Decimal): void {
  order.filledAmount = order.filledAmount.plus(amount);
  order.filledTotal = order.filledTotal.plus(total);
  order.fee = order.fee.plus(fee);
  order.held = order.held.minus(order.side === 'buy' ? total : amount);
  order.updatedAt = step.now;
}

/** The last lots have traded: filled, unless self-trade prevention took some off at an earlier time. */
function completeFill(order: SpotOrder): void {
  const isWhole = order.cancelledAmount.isZero();
  order.state = isWhole ? 'filled' : 'cancelled';
  order.reason = isWhole ? '' : 'selfTrade';
}

/** Self-trade prevention took lots off an own resting order, or all of it. */
function lowerMaker(state: ExchangeState, { step, taker }: Meeting, cancelled: CancelledMaker): void {
  const maker = openMaker(state, cancelled.id);
  state.touched.add(maker.side, cancelled.price);
  if (taker.selfTrade === 'decrement') {
    maker.cancelledAmount = maker.cancelledAmount.plus(amountOf(maker.pair, cancelled.amount));
  }
  if (cancelled.remaining === 0n) {
    end(state, step, maker, 'selfTrade');
    endPartner(state, step, maker);
    return;
  }
  maker.updatedAt = step.now;
  endPartner(state, step, maker);
  releaseExcess(state, step, maker);
  save(step, maker);
  tellOrder(step, maker);
}

/** Where the incoming order is after matching: on the book, filled, or ended with the rest given back. */
function conclude(
  state: ExchangeState,
  { step, market, taker: order, ticks }: Meeting,
  placement: Placement,
): void {
  if (placement.decremented > 0n) {
    order.cancelledAmount = order.cancelledAmount.plus(amountOf(order.pair, placement.decremented));
  }
  order.updatedAt = step.now;
  if (placement.outcome === 'rested') {
    order.state = 'open';
    state.orders.add(order);
    if (order.expireAt !== undefined) market.expiries.add(order);
    state.touched.add(order.side, ticks!);
  } else {
    state.noteEnded(order);
    if (placement.outcome === 'filled') completeFill(order);
    else {
      order.state = 'cancelled';
      order.reason = endReasonFor(placement.reason);
    }
  }
  if (!restsAsPlaced(step, order, placement)) releaseExcess(state, step, order);
}

/** The commonest order: a limit of this step that met nobody holds exactly what it needs. */
function restsAsPlaced(step: Step, order: SpotOrder, { outcome, fills, decremented }: Placement): boolean {
  return (
    outcome === 'rested' &&
    fills.length === 0 &&
    decremented === 0n &&
    order.bornIn === step.sequence &&
    order.stop === undefined
  );
}

function endReasonFor(reason: Reason | null): EndReason {
  if (reason === 'cannotFill') return 'fokUnfilled';
  return (reason ?? '') as EndReason;
}

function openMaker({ orders }: ExchangeState, id: string): SpotOrder {
  const maker = orders.get(id as OrderId);
  if (maker === undefined) throw new Error(`the book names an order that is not open: ${id}`);
  return maker;
}

/** Trailing stops are stored again after so many trades, so that a restart has few to look at. */
const STORED_EVERY_TRADES = 10_000;

/** The trades of one step, with the number of the first. */
interface Trades {
  readonly fills: readonly Fill[];
  readonly firstTrade: number;
  /** How many stops are marked in this step at most; all when undefined. */
  readonly mostMarked?: number | undefined;
}

/**
 * Marks the waiting stops that the trades of a step met as due, trade by trade; they execute in steps of their own.
 * What is left beyond `mostMarked` is marked by `markMet` in further steps, before any other step of the pair.
 */
export function watchTrades(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  { fills, firstTrade, mostMarked }: Trades,
): void {
  const trades = fills.map(({ price }, index) => ({
    sequence: firstTrade + index,
    price: priceOf(market.pair, price),
  }));
  market.marking = { trades, next: 0, isStored: false };
  markMet(state, step, market, mostMarked);
}

/**
 * Marks the next stops that the trades of a pair met, at most `most`, in the order of the trades and, at one trade, of
 * their rank. Stores what is left. Returns how many stops were marked or made active.
 */
export function markMet(
  state: ExchangeState,
  step: Step,
  market: SpotMarket,
  most = Number.POSITIVE_INFINITY,
): number {
  const marking = market.marking!;
  const { stops } = market;
  const moved = new Set<SpotOrder>();
  const activated = new Set<SpotOrder>();
  let marked = 0;
  while (marking.next < marking.trades.length && stops.size > 0) {
    const { price, sequence } = marking.trades[marking.next]!;
    const room = most - marked - activated.size;
    const activatedBefore = activated.size;
    const met = stops.take(price, step.now, { moved, activated }, room) ?? [];
    for (const order of met) markDue(state, step, order, sequence);
    marked += met.length;
    if (met.length + activated.size - activatedBefore >= room) break;
    marking.next += 1;
  }
  finishPortion(state, step, market);
  for (const order of activated) saveActivated(state, step, market, order);
  notifyMoved(step, moved);
  if (market.marking === undefined) storeTrailing(state, step, market, most);
  return marked + activated.size;
}

/** Stores how far a pair's trades have been looked at, where that is not the end. */
function finishPortion({ unmarked }: ExchangeState, step: Step, market: SpotMarket): void {
  const marking = market.marking!;
  const { symbol } = market.pair;
  if (marking.next < marking.trades.length && market.stops.size > 0) {
    const from = marking.trades[marking.next]!.sequence;
    const to = marking.trades.at(-1)!.sequence;
    step.write(markingWriter, { symbol, from, to });
    marking.isStored = true;
    unmarked.add(market);
    return;
  }
  market.stops.finishTrade();
  market.marking = undefined;
  unmarked.delete(market);
  if (marking.isStored) step.write(markingWriter, { symbol, from: undefined, to: undefined });
}

/** From here on the stop follows every trade that has not been looked at yet. */
function saveActivated(state: ExchangeState, step: Step, { marking }: SpotMarket, order: SpotOrder): void {
  // It may have been met by a later trade of the same step.
  if (order.stop!.status !== 'waiting') return;
  order.stop!.tradeSequence = marking?.trades[marking.next]!.sequence ?? state.tradeSequence;
  order.updatedAt = step.now;
  save(step, order);
  tellOrder(step, order);
}

function markDue(state: ExchangeState, step: Step, order: SpotOrder, tradeSequence: number): void {
  const stop = order.stop!;
  stop.status = 'due';
  stop.triggeredAt = step.now;
  stop.tradeSequence = tradeSequence;
  order.updatedAt = step.now;
  state.queueDue(order);
  if (order.groupId !== '') moveHoldToStop(state, step, order);
  save(step, order);
  tellOrder(step, order);
}

/** Publishes where trailing stops trigger now, as far as they still wait. */
function notifyMoved(step: Step, orders: ReadonlySet<SpotOrder>): void {
  const moved: MovedStop[] = [];
  for (const { id, owner, pair, stop } of orders)
    if (stop!.status === 'waiting') moved.push({ id, owner, pair, price: stop!.price });
  if (moved.length > 0) step.publish(trailingMoved, moved);
}

/**
 * Stores where trailing stops are, all of them once in 10,000 trades: a row for every move would be a row for every trade. At
 * most `most` in one step, the others with the next trades of the pair.
 */
function storeTrailing(state: ExchangeState, step: Step, { stops }: SpotMarket, most: number): void {
  if (stops.toStore.length === 0) {
    if (stops.trailing.isEmpty || state.tradeSequence - stops.storedTrailing < STORED_EVERY_TRADES) return;
    stops.storedTrailing = state.tradeSequence;
    for (const order of stops.trailing.orders()) stops.toStore.push(order);
  }
  for (let stored = 0; stored < most && stops.toStore.length > 0;) {
    const order = stops.toStore.pop()!;
    // It may have been met, cancelled or given another activation price since.
    if (order.state !== 'open' || order.stop!.status !== 'waiting' || isDormant(order.stop!)) continue;
    order.stop!.tradeSequence = state.tradeSequence;
    save(step, order);
    stored += 1;
  }
}
