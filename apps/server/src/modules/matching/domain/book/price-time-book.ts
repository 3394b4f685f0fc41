import { conclude, placement, rejected, rested, rests, unknownOrder } from './conclude.ts';
import type {
  Amendment,
  Depth,
  DepthLevel,
  Execution,
  HiddenAmounts,
  IncomingOrder,
  OrderBook,
  Placement,
  Reason,
  RestingOrder,
  Side,
} from './contract.ts';
import type { BookOrder } from './level.ts';
import { Recorder, Sweep } from './sweep.ts';
import { RestingOrders } from './resting-orders.ts';
import { validate } from './validate.ts';

/** The order book of one pair with price-time priority. `OrderBook` documents the methods. */
export class PriceTimeBook implements OrderBook {
  private readonly orders = new RestingOrders();
  private hidden: HiddenAmounts | null = null;

  get size(): number {
    return this.orders.index.size;
  }

  place(order: IncomingOrder): Placement {
    checkIncoming(order);
    if (this.orders.index.get(order.id) !== undefined) throw malformed(order.id, 'rests already');
    const refusal = this.refusal(order);
    if (refusal !== null) return placement(rejected(order, refusal));
    return this.match(order);
  }

  quote(order: IncomingOrder): Execution {
    checkIncoming(order);
    const refusal = this.refusal(order);
    if (refusal !== null) return rejected(order, refusal);
    const sweep = sweepFor(order);
    return conclude(order, sweep, sweep.run(this.orders.opposite(order.side), null, this.hidden));
  }

  cancel(id: string): RestingOrder | null {
    const order = this.orders.index.get(id);
    if (order === undefined) return null;
    const view = order.view();
    this.orders.remove(order);
    return view;
  }

  amend(id: string, change: Amendment): Placement {
    checkAmendment(id, change);
    const order = this.orders.index.get(id);
    if (order === undefined) return unknownOrder();
    const { level } = order;
    const price = change.price ?? level.price;
    const amount = change.amount ?? order.amount;
    if (price === level.price && amount <= order.amount) {
      level.reduce(order, order.amount - amount);
      return rested(amount);
    }
    const incoming = amended(order, price, amount, change);
    const refusal = this.refusal(incoming);
    if (refusal !== null) return placement({ ...rejected(incoming, refusal), remaining: order.amount });
    this.orders.remove(order);
    return this.match(incoming);
  }

  get(id: string): RestingOrder | null {
    return this.orders.index.get(id)?.view() ?? null;
  }

  best(side: Side): DepthLevel | null {
    return this.orders.ladder(side).best?.view() ?? null;
  }

  amountAt(side: Side, price: bigint): bigint {
    return this.orders.ladder(side).amountAt(price);
  }

  depth(levels: number): Depth {
    return { bids: this.orders.bids.depth(levels), asks: this.orders.asks.depth(levels) };
  }

  restore(order: RestingOrder): void {
    checkStored(order);
    const { id, owner, side, price, amount } = order;
    if (this.orders.index.get(id) !== undefined) throw malformed(id, 'rests already');
    if (this.orders.crosses(side, price)) throw malformed(id, 'a stored order may not cross');
    this.orders.append(id, owner, side, price, amount);
  }

  *resting(side: Side): IterableIterator<RestingOrder> {
    for (const level of this.orders.ladder(side).levels()) {
      for (let order: BookOrder | null = level.first; order !== null; order = order.next) yield order.view();
    }
  }

  clear(): void {
    this.orders.clear();
  }

  replenishFrom(hidden: HiddenAmounts): void {
    this.hidden = hidden;
  }

  validate(): string[] {
    return validate(this.orders);
  }

  /** The reason why the order is rejected before trading; null when it may trade. */
  private refusal(order: IncomingOrder): Reason | null {
    if (order.postOnly && order.price !== null && this.orders.crosses(order.side, order.price))
      return 'wouldCross';
    if (order.timeInForce !== 'FOK') return null;
    // A fill-or-kill order never trades past an order of the same owner, in any mode of self-trade prevention. The
    // trial run therefore uses `cancelTaker`, which stops at such an order.
    const trial = sweepFor(order, 'cancelTaker');
    const stop = trial.run(this.orders.opposite(order.side), null, this.hidden);
    if (stop === 'ownOrder') return 'selfTrade';
    if (stop !== 'complete') return 'cannotFill';
    return trial.filledAmount === 0n ? 'totalTooSmall' : null;
  }

  private match(order: IncomingOrder): Placement {
    const { id, owner, side, price, amount } = order;
    // Most orders rest without trading; they need neither a `Sweep` nor a `Recorder`.
    if (
      order.timeInForce === 'GTC' &&
      price !== null &&
      amount !== null &&
      !this.orders.crosses(side, price)
    ) {
      this.orders.append(id, owner, side, price, amount);
      return rested(amount);
    }
    const sweep = sweepFor(order);
    const recorder = new Recorder(this.orders, this.hidden);
    const stop = sweep.run(this.orders.opposite(side), recorder, this.hidden);
    if (rests(order, stop) && price !== null)
      this.orders.append(id, owner, side, price, sweep.amountLeft ?? 0n);
    return placement(conclude(order, sweep, stop), recorder.fills, recorder.cancelledMakers);
  }
}

function sweepFor(order: IncomingOrder, selfTrade = order.selfTrade): Sweep {
  const limit = order.price ?? order.guardPrice ?? null;
  return new Sweep(order.owner, selfTrade, limit, order.amount, order.total ?? null);
}

/** A resting order with its changed price and amount, as a new incoming order. */
function amended(order: BookOrder, price: bigint, amount: bigint, change: Amendment): IncomingOrder {
  const { id, owner, level } = order;
  const { postOnly = false, selfTrade = 'cancelTaker' } = change;
  return { id, owner, side: level.side, price, amount, timeInForce: 'GTC', postOnly, selfTrade };
}

/**
 * Throws `RangeError` for an invalid order, before any change of the book. The spot module refuses invalid
 * input earlier, so this error indicates a bug.
 */
function checkIncoming(order: IncomingOrder): void {
  if (order.price === null) checkMarket(order);
  else checkLimit(order, order.price);
}

function checkLimit(order: IncomingOrder, price: bigint): void {
  if (order.amount === null || order.total !== undefined)
    throw malformed(order.id, 'a limit needs an amount');
  if (order.guardPrice !== undefined) throw malformed(order.id, 'a limit is its own guard');
  if (price <= 0n || order.amount <= 0n) throw malformed(order.id, 'price and amount must be positive');
  if (order.postOnly && order.timeInForce !== 'GTC') throw malformed(order.id, 'post-only must be GTC');
}

function checkMarket(order: IncomingOrder): void {
  if (order.timeInForce === 'GTC') throw malformed(order.id, 'a market order cannot rest');
  if (order.postOnly) throw malformed(order.id, 'a market order cannot be post-only');
  if (order.amount === null && order.total === undefined) throw malformed(order.id, 'no amount and no total');
  if (order.amount !== null && order.amount <= 0n) throw malformed(order.id, 'amount must be positive');
  if (order.total !== undefined && order.total <= 0n) throw malformed(order.id, 'total must be positive');
  if (order.guardPrice !== undefined && order.guardPrice <= 0n) {
    throw malformed(order.id, 'guard price must be positive');
  }
}

/** Throws `RangeError` when a new price or amount is not positive. */
function checkAmendment(id: string, change: Amendment): void {
  if (change.price !== undefined && change.price <= 0n) throw malformed(id, 'price must be positive');
  if (change.amount !== undefined && change.amount <= 0n) throw malformed(id, 'amount must be positive');
}

/** Checks an order that is restored from storage: throws `RangeError` if price or amount is not positive. */
function checkStored(order: RestingOrder): void {
  if (order.price <= 0n || order.amount <= 0n) throw malformed(order.id, 'price and amount must be positive');
}

/** The error for an invalid order. */
function malformed(id: string, problem: string): RangeError {
  return new RangeError(`order ${id}: ${problem}`);
}
