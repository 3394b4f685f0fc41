import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, TradeId } from '@exchange/core/ids.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import { followEnd, followFill } from './algo-progress.ts';
import { dealt } from '../market/index.ts';
import type { CancelledMaker, Fill, IncomingOrder, Placement, Reason } from '../matching/index.ts';
import type { ExternalInputs } from './command-inputs.ts';
import { isDormant, type EndReason, type SpotOrder } from './domain/order.ts';
import { type MovedTrailingStop, type OrderFill, trailingMoved } from './events.ts';
import type { ExchangeState, SpotMarket } from './exchange-state.ts';
import { endReachedGrids } from './grid-ends.ts';
import { continueGrids } from './grid-orders.ts';
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
  /** The incoming order's limit price in ticks; null for a market order. */
  readonly ticks: bigint | null;
  /** USDT per unit of the quote asset; undefined without a known price. */
  readonly quoteValue: Decimal | undefined;
  /**
   * Maximum number of triggered stops that the command marks; undefined means all and occurs only in
   * journal steps older than the limit.
   */
  readonly mostMarked: number | undefined;
}

/** An order that enters the book, with the inputs of its command that its trades depend on. */
interface Entering {
  readonly step: Step;
  readonly market: SpotMarket;
  readonly order: SpotOrder;
  readonly outside: Pick<ExternalInputs, 'quoteValue' | 'mostMarked'>;
}

/**
 * Matches an order whose funds are held and which is not among the open orders, settles the trades, and rests
 * or ends the order.
 */
export function enterBook(state: ExchangeState, entering: Entering, incoming: IncomingOrder): void {
  const { step, market, order, outside } = entering;
  const placement = market.changeBook(step).place(incoming);
  const taking = {
    step,
    market,
    taker: order,
    ticks: incoming.price,
    quoteValue: outside.quoteValue,
    mostMarked: outside.mostMarked,
  };
  applyPlacement(state, taking, placement);
}

/**
 * Applies the book's placement of an incoming order, which must not be among the open orders yet. Settles the
 * trades, ends or reduces makers for self-trade prevention, rests the order or releases its remainder, marks triggered
 * stops, ends grids whose stop-loss or take-profit price was reached, and places the next orders of other grids whose
 * orders are filled.
 */
export function applyPlacement(state: ExchangeState, meeting: TakerContext, placement: Placement): void {
  const { step, market, taker } = meeting;
  const firstTrade = state.tradeSequence + 1;
  const fills = placement.fills.length === 0 ? NO_FILLS : tradeAll(state, meeting, placement.fills);
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
  if (state.reachedGrids.length > 0) endReachedGrids(state, step, market);
  if (state.filledGridOrders.length > 0) continueGrids(state, step, market);
  state.changedLevels.publish(step, market);
}

/** Settles the fills of an incoming order one after another. */
function tradeAll(state: ExchangeState, meeting: TakerContext, fills: readonly Fill[]): readonly OrderFill[] {
  return fills.map((fill) => trade(state, meeting, fill));
}

/**
 * Settles one fill: posts the money, updates both orders, stores the trade and publishes it. Queues the grids whose
 * stop-loss or take-profit price it reaches; `endReachedGrids` ends them.
 */
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
  // After a trade of the limit leg of an OCO the other leg ends. The limit leg may hold the funds of the more expensive
  // leg, so the excess is released. Any other maker holds exactly the funds of its remaining amount.
  if (maker.groupId !== '') endGroup(state, step, maker);
  saveOrder(step, maker);

  state.tradeSequence += 1;
  const sequence = state.tradeSequence;
  market.last = price;
  state.reachedGrids.push(...state.grids.takeReached(symbol, price));
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
  // The fields are listed twice, because spreading a shared object costs more time than the rest of the
  // function.
  publishOrder(step, maker, [
    { tradeId: id, sequence, price, amount, total, at, fee: makerFee, role: 'maker' },
  ]);
  return { tradeId: id, sequence, price, amount, total, at, fee: takerFee, role: 'taker' };
}

/**
 * Ends the other leg of an OCO whose limit leg (`maker`) has traded, in part or completely, and then releases
 * the held funds that the limit leg no longer needs.
 */
function endGroup(state: ExchangeState, step: Step, maker: SpotOrder): void {
  endPartner(state, step, maker);
  releaseExcess(state, step, maker);
}

/**
 * Adds one fill to an order: its amount, total and fee. Reduces the hold by what the fill spends: for a buy
 * its total in the quote coin, for a sell its amount in the base coin.
 */
function advance(step: Step, order: SpotOrder, amount: Decimal, total: Decimal, fee: Decimal): void {
  order.filledAmount = order.filledAmount.plus(amount);
  order.filledTotal = order.filledTotal.plus(total);
  order.fee = order.fee.plus(fee);
  order.held = order.held.minus(order.side === 'buy' ? total : amount);
  order.updatedAt = step.now;
}

/** Sets the end of a completely matched order: filled, or cancelled if self-trade prevention removed a part. */
function completeFill(order: SpotOrder): void {
  const isWhole = order.cancelledAmount.isZero();
  order.state = isWhole ? 'filled' : 'cancelled';
  order.reason = isWhole ? '' : 'selfTrade';
}

/**
 * Applies self-trade prevention to a resting order: reduces it or cancels it. The other leg of its OCO ends in both
 * cases.
 */
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
 * Whether an order rests in the step that placed it, without fills or a part removed by self-trade
 * prevention, and was not a stop order. In this case, which is the most frequent one, its hold is exact and
 * no excess is released.
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

/**
 * Ends a resting order of which nothing remains in the book: as filled, or as cancelled if self-trade
 * prevention removed a part.
 */
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

/**
 * Number of trades of all pairs after which a pair's trailing stops are stored again; it bounds the trades that a
 * restart must read.
 */
const STORED_EVERY_TRADES = 10_000;

/** The trades of one command; `firstTrade` is the sequence number of the first trade. */
interface Trades {
  readonly fills: readonly Fill[];
  readonly firstTrade: number;
  /** Maximum number of triggered stops to mark in the command; undefined means all. */
  readonly mostMarked?: number | undefined;
}

/**
 * Marks the waiting stops that the trades of a command triggered as due, trade by trade. Later commands execute
 * them. Stops beyond `mostMarked` are marked by `markMet` in later commands, before any other command trades on
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
  const { marking } = market;
  // An earlier order of the same step may have left triggered stops that are not marked as due yet; the new
  // trades are appended to those of the earlier order.
  market.marking =
    marking === undefined
      ? { trades, next: 0, isStored: false }
      : { trades: [...marking.trades, ...trades], next: marking.next, isStored: marking.isStored };
  markMet(state, step, market, mostMarked);
}

/**
 * Marks the next triggered stops of a pair as due, at most `most` together with the trailing stops that are
 * activated, in the order of the trades and then of rank (the time since which a stop waits), and stores the
 * remaining trades. Also publishes moved trigger prices of trailing stops, and stores trailing stops from
 * time to time. Returns the number of stops that were marked or activated.
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

/**
 * Stores the range of a pair's trades whose triggered stops are still to be marked. If there is none, ends
 * the marking and clears a range that was stored before.
 */
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
 * Stores an activated trailing stop with the sequence number of the last trade that its trigger price reflects. Does
 * nothing if a later trade of the same command has triggered it.
 */
function saveActivated(state: ExchangeState, step: Step, { marking }: SpotMarket, order: SpotOrder): void {
  // A later trade of the same command may have triggered the trailing stop.
  if (order.stop!.status !== 'waiting') return;
  order.stop!.tradeSequence = marking?.trades[marking.next]!.sequence ?? state.tradeSequence;
  order.updatedAt = step.now;
  saveOrder(step, order);
  publishOrder(step, order);
}

/**
 * Marks a stop order as due and ends the other order of its OCO. `tradeSequence` is the number of the trade that
 * triggered it.
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
 * Stores the trigger prices that a pair's trailing stops have reached, once in 10,000 trades of all pairs, because
 * storing each move would write rows at every trade. Stores at most `most` orders per command; the next trades of the
 * pair store the others.
 */
function storeTrailing(state: ExchangeState, step: Step, { stops }: SpotMarket, most: number): void {
  if (stops.toStore.length === 0) {
    if (stops.trailing.isEmpty || state.tradeSequence - stops.storedTrailing < STORED_EVERY_TRADES) return;
    stops.storedTrailing = state.tradeSequence;
    for (const order of stops.trailing.orders()) stops.toStore.push(order);
  }
  for (let stored = 0; stored < most && stops.toStore.length > 0;) {
    const order = stops.toStore.pop()!;
    // The trailing stop may have been triggered or cancelled since it was listed; it is then skipped.
    if (order.state !== 'open' || order.stop!.status !== 'waiting' || isDormant(order.stop!)) continue;
    order.stop!.tradeSequence = state.tradeSequence;
    saveOrder(step, order);
    stored += 1;
  }
}
