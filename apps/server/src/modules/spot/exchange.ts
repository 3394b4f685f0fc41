import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, TradeId, UserId } from '@exchange/core/ids.ts';
import {
  oppositeSide,
  type Pair,
  type PairFilters,
  type PairStatus,
  type Side,
} from '@exchange/core/pair.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { guardPrice, holdFor, orderProblem, type OrderRequest } from '@exchange/core/spot.ts';
import type { FeeRates } from '@exchange/core/fee.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type { Ledger } from '../ledger/index.ts';
import { dealt, levelsMoved } from '../market/index.ts';
import type { OrderBook, Fill, IncomingOrder, Placement, Reason, SelfTrade } from '../matching/index.ts';
import { orderChanged, type OrderFill } from './events.ts';
import { OpenOrders } from './open-orders.ts';
import { mutableState, neededHold, type EndReason, type SpotOrder } from './order-domain.ts';
import { amountOf, lotsOf, priceOf, ticksOf, totalUnitsOf } from './scale.ts';
import { hold, release, settle } from './settlement.ts';
import { orderWriter, tradeWriter } from './tables.ts';

/** One pair's book and whether it trades. */
export interface SpotMarket {
  readonly pair: Pair;
  readonly filters: PairFilters;
  readonly book: OrderBook;
  status: PairStatus;
}

/** Everything about a placement that was known before its step began. */
export interface Placing {
  readonly owner: UserId;
  readonly request: OrderRequest;
  readonly selfTrade: SelfTrade;
  readonly rates: FeeRates;
  readonly clientId: string;
  /** Reference price for the band, as it was when the order came in. */
  readonly reference: Decimal | undefined;
  /** USDT per unit of the quote asset, for the volume that counts toward fee tiers. */
  readonly quoteValue: Decimal | undefined;
}

/**
 * The spot exchange in memory: what a step does to books, holds and balances. Every check comes before
 * the first change of a book, so a refused step leaves no trace in it.
 */
export class SpotExchange {
  readonly markets = new Map<string, SpotMarket>();
  readonly orders = new OpenOrders();
  private readonly ledger: Ledger;
  tradeSequence = 0;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  market(symbol: string): SpotMarket {
    const market = this.markets.get(symbol);
    if (market === undefined)
      throw new Refused(refusal('invalidField', 'l.unknown_pair', { field: 'symbol' }));
    return market;
  }

  /** Places an order: checks, holds, matches, settles, rests or gives back. */
  place(step: Step, market: SpotMarket, placing: Placing): SpotOrder {
    const { pair, filters, book } = market;
    const { request } = placing;
    this.requireMoving(pair);
    const best = book.best(oppositeSide(request.side));
    const bestPrice = best === null ? undefined : priceOf(pair, best.price);
    const problem = orderProblem(pair, filters, request, {
      status: market.status,
      reference: placing.reference,
      best: bestPrice,
    });
    if (problem !== undefined) throw new Refused(problem);
    if (request.type === 'limit') this.requireRoom(placing.owner, market);

    const guard = request.type === 'market' ? guardPrice(pair, filters, request.side, bestPrice!) : undefined;
    const order = newOrder(step, pair, placing);
    const incoming = this.checkedIncoming(market, order, guard);
    const held = heldAmount(order, incoming, guard);
    this.ledger.post(step, 'spot.held', order.id, [hold(order, held)]);
    order.held = held;
    return this.match(step, market, order, incoming, placing.quoteValue);
  }

  /** Ends an open order at its owner's wish; refuses one that is not open or not his. */
  cancel(step: Step, owner: UserId, id: OrderId): SpotOrder {
    const order = this.orders.get(id);
    if (order === undefined || order.owner !== owner)
      throw new Refused(refusal('generic', 'l.order_not_open'));
    const market = this.market(order.pair.symbol);
    this.requireCancellable(order);
    this.beforeChange(step, order);
    market.book.cancel(order.id);
    this.end(step, order, 'user');
    this.tellLevels(
      step,
      market,
      new Map([
        [
          levelName(order.side, ticksOf(order.pair, order.price!)),
          [order.side, ticksOf(order.pair, order.price!)],
        ],
      ]),
    );
    step.tell(orderChanged, { order, state: mutableState(order), fills: [] });
    return order;
  }

  /** Whether orders like this one may leave now; those of a closed pair or a halted asset stay. */
  mayCancel(order: SpotOrder): boolean {
    return this.market(order.pair.symbol).status !== 'closed' && !this.ledger.isHalted(order.heldAsset);
  }

  /** Forgets all orders, before they are read anew. */
  clear(): void {
    for (const market of this.markets.values()) market.book.clear();
    this.orders.clear();
  }

  /** Puts a stored open order back in its place. */
  restore(order: SpotOrder): void {
    const { pair, id, owner, side } = order;
    const open = order.amount!.minus(order.filledAmount);
    this.market(pair.symbol).book.restore({
      id,
      owner,
      side,
      price: ticksOf(pair, order.price!),
      amount: lotsOf(pair, open),
    });
    this.orders.add(order);
  }

  private requireMoving(pair: Pair): void {
    if (this.ledger.isHalted(pair.base) || this.ledger.isHalted(pair.quote)) {
      throw new Refused(refusal('closed', 'l.pair_closed'));
    }
  }

  private requireCancellable(order: SpotOrder): void {
    if (!this.mayCancel(order)) throw new Refused(refusal('closed', 'l.pair_closed'));
  }

  private requireRoom(owner: UserId, { pair, filters }: SpotMarket): void {
    if (this.orders.countOf(owner, pair.symbol) < filters.maxOpenOrders) return;
    throw new Refused(refusal('aboveMaximum', 'l.open_orders_max', { limit: String(filters.maxOpenOrders) }));
  }

  /** The order as the book takes it, after everything that would make the book reject it has been refused. */
  private checkedIncoming(
    { book, pair }: SpotMarket,
    order: SpotOrder,
    guard: Decimal | undefined,
  ): IncomingOrder {
    const incoming: IncomingOrder = {
      id: order.id,
      owner: order.owner,
      side: order.side,
      price: order.price === undefined ? null : ticksOf(pair, order.price),
      amount: order.amount === undefined ? null : lotsOf(pair, order.amount),
      total: order.total === undefined ? undefined : totalUnitsOf(pair, order.total),
      timeInForce: order.timeInForce,
      postOnly: order.postOnly,
      selfTrade: order.selfTrade,
      guardPrice: guard === undefined ? undefined : ticksOf(pair, guard),
    };
    const needsQuote = order.postOnly || order.timeInForce === 'FOK' || order.total !== undefined;
    if (!needsQuote) return incoming;
    const quote = book.quote(incoming);
    if (quote.outcome === 'rejected') throw new Refused(rejection(quote.reason));
    if (order.total !== undefined && quote.filledAmount === 0n)
      throw new Refused(this.fillsNothing(book, order, quote.reason));
    // A sale by total sets aside what it will sell now, and can sell no more than that.
    return order.side === 'sell' && order.total !== undefined
      ? { ...incoming, amount: quote.filledAmount }
      : incoming;
  }

  /** Why an order by total would not trade at all. */
  private fillsNothing(book: OrderBook, order: SpotOrder, reason: Reason | null): Refusal {
    if (reason === 'selfTrade') return refusal('generic', 'l.self_trade');
    const best = book.best(oppositeSide(order.side));
    if (reason !== 'totalTooSmall' || best === null || order.total === undefined)
      return refusal('closed', 'l.no_liquidity');
    const limit = priceOf(order.pair, best.price).timesExact(amountOf(order.pair, 1n)).toString();
    const value = order.total.toString();
    return refusal('belowMinimum', 'l.total_min', { field: 'total', unit: order.pair.quote, limit, value });
  }

  private match(
    step: Step,
    market: SpotMarket,
    order: SpotOrder,
    incoming: IncomingOrder,
    quoteValue: Decimal | undefined,
  ): SpotOrder {
    const placement = market.book.place(incoming);
    const levels: TouchedLevels = new Map();
    const match = { step, market, taker: order, quoteValue, levels };
    const fills = placement.fills.map((fill) => this.trade(match, fill));
    for (const cancelled of placement.cancelledMakers) {
      const maker = this.orders.get(cancelled.id as OrderId)!;
      this.beforeChange(step, maker);
      this.end(step, maker, 'selfTrade');
      touch(levels, maker.side, cancelled.price);
      step.tell(orderChanged, { order: maker, state: mutableState(maker), fills: [] });
    }
    this.conclude(step, order, placement, levels);
    step.write(orderWriter, order);
    step.tell(orderChanged, { order, state: mutableState(order), fills });
    this.tellLevels(step, market, levels);
    return order;
  }

  /** One fill: money moves, both orders advance, the trade is recorded and told. */
  private trade({ step, market, taker, quoteValue, levels }: Match, fill: Fill): OrderFill {
    const { pair } = market;
    const maker = this.orders.get(fill.makerId as OrderId);
    if (maker === undefined) throw new Error(`the book names an order that is not open: ${fill.makerId}`);
    this.beforeChange(step, maker);
    const price = priceOf(pair, fill.price);
    const amount = amountOf(pair, fill.amount);
    const total = price.timesExact(amount);
    const id = step.newId() as TradeId;
    const takerSide = { order: taker, rate: taker.takerRate };
    const makerSide = { order: maker, rate: maker.makerRate };
    const [buyer, seller] = taker.side === 'buy' ? [takerSide, makerSide] : [makerSide, takerSide];
    const { postings, buyerFee, sellerFee } = settle(buyer, seller, amount, total);
    this.ledger.post(step, 'spot.traded', id, postings);
    const [takerFee, makerFee] = taker.side === 'buy' ? [buyerFee, sellerFee] : [sellerFee, buyerFee];
    advance(step, taker, amount, total, takerFee);
    advance(step, maker, amount, total, makerFee);
    if (fill.makerRemaining === 0n) {
      maker.state = 'filled';
      this.orders.remove(maker);
    }
    this.releaseExcess(step, maker);
    step.write(orderWriter, maker);

    this.tradeSequence += 1;
    const sequence = this.tradeSequence;
    const valueUsdt = quoteValue?.times(total, 'down', 8);
    const { symbol } = pair;
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
      valueUsdt,
      at: step.now,
    });
    touch(levels, maker.side, fill.price);
    step.tell(dealt, { symbol, tradeId: id, price, amount, takerSide: taker.side, at: step.now, sequence });
    const seen = { tradeId: id, price, amount, total, at: step.now };
    step.tell(orderChanged, {
      order: maker,
      state: mutableState(maker),
      fills: [{ ...seen, fee: makerFee, role: 'maker' }],
    });
    return { ...seen, fee: takerFee, role: 'taker' };
  }

  /** Where the incoming order is after matching: on the book, filled, or ended with the rest given back. */
  private conclude(step: Step, order: SpotOrder, placement: Placement, levels: TouchedLevels): void {
    if (placement.outcome === 'rested') {
      order.state = 'open';
      this.orders.add(order);
      touch(levels, order.side, ticksOf(order.pair, order.price!));
    } else if (placement.outcome === 'filled') {
      order.state = 'filled';
    } else {
      order.state = 'cancelled';
      order.reason = (placement.reason ?? '') as EndReason;
    }
    this.releaseExcess(step, order);
  }

  private end(step: Step, order: SpotOrder, reason: EndReason): void {
    order.state = 'cancelled';
    order.reason = reason;
    order.updatedAt = step.now;
    this.orders.remove(order);
    this.releaseExcess(step, order);
    step.write(orderWriter, order);
  }

  /** Gives back what is held beyond what the order still needs: a better price, a guard, an ending. */
  private releaseExcess(step: Step, order: SpotOrder): void {
    const excess = order.held.minus(neededHold(order));
    if (excess.isZero()) return;
    this.ledger.post(step, 'spot.released', order.id, [release(order, excess)]);
    order.held = order.held.minus(excess);
  }

  /** Remembers an open order as it was, should this step be undone. */
  private beforeChange(step: Step, order: SpotOrder): void {
    const before = mutableState(order);
    step.onUndo(() => {
      Object.assign(order, before);
    });
  }

  private tellLevels(step: Step, { pair, book }: SpotMarket, touched: TouchedLevels): void {
    if (touched.size === 0) return;
    const levels = [...touched.values()].map(([side, ticks]) => ({
      side,
      price: priceOf(pair, ticks),
      amount: amountOf(pair, book.amountAt(side, ticks)),
    }));
    step.tell(levelsMoved, { symbol: pair.symbol, levels, at: step.now });
  }
}

/** What stays the same from fill to fill of one incoming order. */
interface Match {
  readonly step: Step;
  readonly market: SpotMarket;
  readonly taker: SpotOrder;
  readonly quoteValue: Decimal | undefined;
  readonly levels: TouchedLevels;
}

type TouchedLevels = Map<string, [side: Side, ticks: bigint]>;

function touch(levels: TouchedLevels, side: Side, ticks: bigint): void {
  levels.set(levelName(side, ticks), [side, ticks]);
}

function levelName(side: Side, ticks: bigint): string {
  return `${side} ${ticks}`;
}

function newOrder(
  step: Step,
  pair: Pair,
  { owner, request, selfTrade, rates, clientId }: Placing,
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
    price: request.price,
    amount: request.amount,
    total: request.total,
    heldAsset: request.side === 'buy' ? pair.quote : pair.base,
    makerRate: rates.maker,
    takerRate: rates.taker,
    clientId,
    rank: step.sequence,
    createdAt: step.now,
    filledAmount: Decimal.zero,
    filledTotal: Decimal.zero,
    fee: Decimal.zero,
    held: Decimal.zero,
    state: 'open',
    reason: '',
    updatedAt: step.now,
  };
}

function heldAmount(order: SpotOrder, incoming: IncomingOrder, guard: Decimal | undefined): Decimal {
  if (order.side === 'sell' && order.total !== undefined) return amountOf(order.pair, incoming.amount!);
  return holdFor(order.pair, order, guard).amount;
}

/** A fill's part on one order: what was filled, what it paid, what is held no longer. */
function advance(step: Step, order: SpotOrder, amount: Decimal, total: Decimal, fee: Decimal): void {
  order.filledAmount = order.filledAmount.plus(amount);
  order.filledTotal = order.filledTotal.plus(total);
  order.fee = order.fee.plus(fee);
  order.held = order.held.minus(order.side === 'buy' ? total : amount);
  order.updatedAt = step.now;
}

function rejection(reason: string | null) {
  if (reason === 'wouldCross') return refusal('generic', 'l.post_only_crosses');
  if (reason === 'selfTrade') return refusal('generic', 'l.self_trade');
  return refusal('generic', 'l.fok_unfilled');
}
