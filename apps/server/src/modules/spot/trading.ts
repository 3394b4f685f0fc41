import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, TradeId } from '@exchange/core/ids.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { followEnd, followFill } from './algo-progress.ts';
import { dealt } from '../market/index.ts';
import type { CancelledMaker, Fill, Placement, Reason } from '../matching/index.ts';
import { isDormant, type EndReason, type SpotOrder } from './domain/order.ts';
import { type MovedTrailingStop, type OrderFill, trailingMoved } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import {
  NO_FILLS,
  endOrder,
  endPartner,
  followEndOfOto,
  removeFromOpenOrders,
  moveHoldToStop,
  releaseExcess,
  saveOrder,
  publishOrder,
} from './cancellation.ts';
import { amountOf, priceOf, settle, totalOf } from './settlement.ts';
import { lastPriceWriter, markingWriter, tradeWriter } from './writers.ts';

/** An incoming order with the step and market in which it trades. */
export interface TakerContext {
  readonly step: Step;
  readonly market: SpotMarket;
  readonly taker: SpotOrder;
  /** The incoming order's limit price in ticks, as given to the book; null for a market order. */
  readonly ticks: bigint | null;
  /** USDT per unit of the quote asset; undefined without a known price. */
  readonly quoteValue: Decimal | undefined;
  /**
   * The most triggered stops that the step marks; undefined, in journal steps older than the limit,
   * means all.
   */
  readonly mostMarked: number | undefined;
}

/**
 * Applies the book's placement of an incoming order that is not among the open orders: settles the trades,
 * ends makers that self-trade prevention cancelled, rests the order or releases the remainder, and marks
 * triggered stops.
 */
export function applyPlacement(state: ExchangeState, meeting: TakerContext, placement: Placement): void {
  const { step, market, taker } = meeting;
  const firstTrade = state.tradeSequence + 1;
  const fills =
    placement.fills.length === 0 ? NO_FILLS : placement.fills.map((fill) => trade(state, meeting, fill));
  for (const cancelled of placement.cancelledMakers) reduceMaker(state, meeting, cancelled);
  conclude(state, meeting, placement);
  saveOrder(step, taker);
  publishOrder(step, taker, fills);
  if (taker.state !== 'open') followEnd(state, step, taker);
  if (taker.oto !== undefined && taker.state !== 'open') followEndOfOto(state, step, taker);
  if (fills.length > 0) {
    const { symbol } = market.pair;
    step.write(lastPriceWriter, { symbol, price: market.last!, tradeSequence: state.tradeSequence });
    if (market.stops.size > 0) {
      const { fills: traded } = placement;
      watchTrades(state, step, market, { fills: traded, firstTrade, mostMarked: meeting.mostMarked });
    }
  }
  state.changedLevels.publish(step, market);
}

/** Settles one fill: posts the money, updates both orders, stores the trade and publishes it. */
function trade(
  state: ExchangeState,
  { step, market, taker, quoteValue }: TakerContext,
  fill: Fill,
): OrderFill {
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
  if (maker.parentId !== '') followFill(state, step, maker, { amount, total, fee: makerFee });
  if (fill.makerRemaining === 0n) endFilled(state, step, maker);
  if (maker.oto !== undefined && maker.state !== 'open') followEndOfOto(state, step, maker);
  // An OCO's hold may exceed the need of the limit leg, so its other leg ends before the excess is
  // released. Every other maker held exactly its amount and has paid exactly what traded.
  if (maker.groupId !== '') endGroup(state, step, maker);
  saveOrder(step, maker);

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
  state.changedLevels.add(maker.side, fill.price);
  step.publish(dealt, {
    symbol,
    tradeId: id,
    price,
    amount,
    takerSide: taker.side,
    takerOrder: taker.id,
    at,
    sequence,
  });
  // Two object literals, because spreading a shared object costs more than the rest of the
  // function.
  publishOrder(step, maker, [
    { tradeId: id, sequence, price, amount, total, at, fee: makerFee, role: 'maker' },
  ]);
  return { tradeId: id, sequence, price, amount, total, at, fee: takerFee, role: 'taker' };
}

/**
 * Ends the other leg of an OCO whose limit leg has traded, in part or completely, and then releases the
 * excess of its held funds.
 */
function endGroup(state: ExchangeState, step: Step, maker: SpotOrder): void {
  endPartner(state, step, maker);
  releaseExcess(state, step, maker);
}

/** Adds one fill to an order: filled amounts, fee, and the hold that was used. */
function advance(step: Step, order: SpotOrder, amount: Decimal, total: Decimal, fee: Decimal): void {
  order.filledAmount = order.filledAmount.plus(amount);
  order.filledTotal = order.filledTotal.plus(total);
  order.fee = order.fee.plus(fee);
  order.held = order.held.minus(order.side === 'buy' ? total : amount);
  order.updatedAt = step.now;
}

/** Ends a fully matched order: filled, unless self-trade prevention removed a part earlier. */
function completeFill(order: SpotOrder): void {
  const isWhole = order.cancelledAmount.isZero();
  order.state = isWhole ? 'filled' : 'cancelled';
  order.reason = isWhole ? '' : 'selfTrade';
}

/** Applies self-trade prevention to a resting order: reduces it or cancels it. */
function reduceMaker(state: ExchangeState, { step, taker }: TakerContext, cancelled: CancelledMaker): void {
  const maker = openMaker(state, cancelled.id);
  state.changedLevels.add(maker.side, cancelled.price);
  if (taker.selfTrade === 'decrement') {
    maker.cancelledAmount = maker.cancelledAmount.plus(amountOf(maker.pair, cancelled.amount));
  }
  if (cancelled.remaining === 0n) {
    endOrder(state, step, maker, 'selfTrade');
    endPartner(state, step, maker);
    return;
  }
  maker.updatedAt = step.now;
  endPartner(state, step, maker);
  releaseExcess(state, step, maker);
  saveOrder(step, maker);
  publishOrder(step, maker);
}

/** Sets the incoming order's state after matching: resting, filled, or ended with the remainder released. */
function conclude(
  state: ExchangeState,
  { step, market, taker: order, ticks }: TakerContext,
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
    state.changedLevels.add(order.side, ticks!);
  } else {
    state.recordEnded(order);
    if (placement.outcome === 'filled') completeFill(order);
    else {
      order.state = 'cancelled';
      order.reason = endReasonFor(placement.reason);
    }
  }
  if (!restsAsPlaced(step, order, placement)) releaseExcess(state, step, order);
}

/**
 * Whether the order rests exactly as placed, which is the most frequent case: its hold is exact, so
 * there is no excess.
 */
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

/** Ends a resting order that is completely filled. */
function endFilled(state: ExchangeState, step: Step, maker: SpotOrder): void {
  removeFromOpenOrders(state, maker);
  completeFill(maker);
  followEnd(state, step, maker);
}

function openMaker({ orders }: ExchangeState, id: string): SpotOrder {
  const maker = orders.get(id as OrderId);
  if (maker === undefined) throw new Error(`the book names an order that is not open: ${id}`);
  return maker;
}

/** Trailing stops are stored again after this many trades, which bounds the trades a restart has to read. */
const STORED_EVERY_TRADES = 10_000;

/** The trades of one step; `firstTrade` is the sequence number of the first. */
interface Trades {
  readonly fills: readonly Fill[];
  readonly firstTrade: number;
  /** The most triggered stops to mark in this step; undefined means all. */
  readonly mostMarked?: number | undefined;
}

/**
 * Marks the waiting stops that the trades of a step triggered as due, trade by trade; they execute in steps
 * of their own. Stops beyond `mostMarked` are marked by `markMet` in further steps, before any other step of
 * the pair.
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
 * Marks the next triggered stops of a pair as due, at most `most`, by trade and then by rank, and stores which
 * trades remain. Returns the number of stops marked or activated.
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
    const met = stops.removeTriggered(price, step.now, { moved, activated }, room) ?? [];
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

/** Stores up to which trade a pair's triggered stops are marked, or that all are. */
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

/**
 * Stores an activated trailing stop with the sequence number of the last trade that its trigger price accounts
 * for.
 */
function saveActivated(state: ExchangeState, step: Step, { marking }: SpotMarket, order: SpotOrder): void {
  // A later trade of the same step may have triggered the trailing stop.
  if (order.stop!.status !== 'waiting') return;
  order.stop!.tradeSequence = marking?.trades[marking.next]!.sequence ?? state.tradeSequence;
  order.updatedAt = step.now;
  saveOrder(step, order);
  publishOrder(step, order);
}

/**
 * Marks a stop order as due that the trade with this sequence number has reached, and ends the other order
 * of its OCO.
 */
export function markDue(state: ExchangeState, step: Step, order: SpotOrder, tradeSequence: number): void {
  const stop = order.stop!;
  stop.status = 'due';
  stop.triggeredAt = step.now;
  stop.tradeSequence = tradeSequence;
  order.updatedAt = step.now;
  state.queueDue(order);
  if (order.groupId !== '') moveHoldToStop(state, step, order);
  saveOrder(step, order);
  publishOrder(step, order);
}

/** Publishes the new trigger prices of trailing stops that still wait. */
function notifyMoved(step: Step, orders: ReadonlySet<SpotOrder>): void {
  const moved: MovedTrailingStop[] = [];
  for (const { id, owner, pair, stop } of orders)
    if (stop!.status === 'waiting') moved.push({ id, owner, pair, price: stop!.price });
  if (moved.length > 0) step.publish(trailingMoved, moved);
}

/**
 * Stores the positions of all trailing stops every 10,000 trades, since storing each move would write rows at
 * every trade. At most `most` per step; the rest follow with the next trades of the pair.
 */
function storeTrailing(state: ExchangeState, step: Step, { stops }: SpotMarket, most: number): void {
  if (stops.toStore.length === 0) {
    if (stops.trailing.isEmpty || state.tradeSequence - stops.storedTrailing < STORED_EVERY_TRADES) return;
    stops.storedTrailing = state.tradeSequence;
    for (const order of stops.trailing.orders()) stops.toStore.push(order);
  }
  for (let stored = 0; stored < most && stops.toStore.length > 0;) {
    const order = stops.toStore.pop()!;
    // The trailing stop may have been triggered, cancelled or amended since.
    if (order.state !== 'open' || order.stop!.status !== 'waiting' || isDormant(order.stop!)) continue;
    order.stop!.tradeSequence = state.tradeSequence;
    saveOrder(step, order);
    stored += 1;
  }
}
