import type {
  Amendment,
  CancelledMaker,
  Depth,
  DepthLevel,
  Execution,
  Fill,
  HiddenAmounts,
  IncomingOrder,
  NextSlice,
  OrderBook,
  Outcome,
  Placement,
  Reason,
  RestingOrder,
  SelfTrade,
  Side,
} from '../domain/book/contract.ts';

/** A resting order in the reference book; `arrival` increases with each arriving order. */
interface Waiting {
  id: string;
  owner: string;
  side: Side;
  price: bigint;
  amount: bigint;
  arrival: number;
}

/**
 * The remaining amount and total of an order that is being matched, and its results. An `amount` or `total`
 * of null does not limit the order.
 */
interface Wanted {
  amount: bigint | null;
  total: bigint | null;
  decremented: bigint;
  fills: Fill[];
  cancelledMakers: CancelledMaker[];
  /** The reason why the matching of the incoming order ended; null while it continues. */
  end: 'done' | 'ownOrder' | 'price' | 'empty' | null;
}

/**
 * The reference book: one array, sorted before every match, rules written one after another, no code shared
 * with the real book. Deliberately simple and slow; its results define the expected behaviour.
 */
export class NaiveBook implements OrderBook {
  private waiting: Waiting[] = [];
  private arrivals = 0;
  private hidden: HiddenAmounts | null = null;

  get size(): number {
    return this.waiting.length;
  }

  place(order: IncomingOrder): Placement {
    this.refuseInvalid(order);
    if (this.waiting.some((other) => other.id === order.id)) throw new RangeError('rests already');

    if (order.postOnly && this.wouldTrade(order.side, order.price)) return rejection('wouldCross', order);
    if (order.timeInForce === 'FOK') {
      const trial = this.copy().trade({ ...order, timeInForce: 'IOC', selfTrade: 'cancelTaker' });
      if (trial.reason === 'selfTrade') return rejection('selfTrade', order);
      if (trial.reason === 'totalTooSmall') return rejection('totalTooSmall', order);
      if (trial.outcome !== 'filled') return rejection('cannotFill', order);
    }
    return this.trade(order);
  }

  quote(order: IncomingOrder): Execution {
    const {
      fills: _fills,
      cancelledMakers: _cancelled,
      ...execution
    } = this.copy().place({ ...order, id: '' });
    return execution;
  }

  cancel(id: string): RestingOrder | null {
    const order = this.get(id);
    this.waiting = this.waiting.filter((other) => other.id !== id);
    return order;
  }

  amend(id: string, change: Amendment): Placement {
    if (change.price !== undefined && change.price <= 0n) throw new RangeError('price');
    if (change.amount !== undefined && change.amount <= 0n) throw new RangeError('amount');
    const order = this.waiting.find((other) => other.id === id);
    if (order === undefined) return rejection('unknownOrder', { amount: 0n });

    const price = change.price ?? order.price;
    const amount = change.amount ?? order.amount;
    if (price === order.price && amount <= order.amount) {
      order.amount = amount;
      return { ...rejection('unknownOrder', { amount }), outcome: 'rested', reason: null };
    }
    if (change.postOnly === true && this.wouldTrade(order.side, price)) return rejection('wouldCross', order);
    this.cancel(id);
    const { owner, side } = order;
    const selfTrade: SelfTrade = change.selfTrade ?? 'cancelTaker';
    return this.trade({ id, owner, side, price, amount, timeInForce: 'GTC', postOnly: false, selfTrade });
  }

  get(id: string): RestingOrder | null {
    const order = this.waiting.find((other) => other.id === id);
    return order === undefined ? null : withoutArrival(order);
  }

  best(side: Side): DepthLevel | null {
    return this.levels(side)[0] ?? null;
  }

  amountAt(side: Side, price: bigint): bigint {
    return this.levels(side).find((level) => level.price === price)?.amount ?? 0n;
  }

  depth(levels: number): Depth {
    return { bids: this.levels('buy').slice(0, levels), asks: this.levels('sell').slice(0, levels) };
  }

  restore(order: RestingOrder): void {
    if (order.price <= 0n || order.amount <= 0n) throw new RangeError('not positive');
    if (this.get(order.id) !== null) throw new RangeError('rests already');
    if (this.wouldTrade(order.side, order.price)) throw new RangeError('would cross');
    this.rest(order, order.price, order.amount);
  }

  *resting(side: Side): IterableIterator<RestingOrder> {
    for (const order of this.queue(side)) yield withoutArrival(order);
  }

  clear(): void {
    this.waiting = [];
  }

  replenishFrom(hidden: HiddenAmounts): void {
    this.hidden = hidden;
  }

  validate(): string[] {
    const bad = this.waiting.filter((order) => order.amount <= 0n || order.price <= 0n);
    return bad.map((order) => `order ${order.id} is not positive`);
  }

  private copy(): NaiveBook {
    const copy = new NaiveBook();
    copy.waiting = this.waiting.map((order) => ({ ...order }));
    copy.arrivals = this.arrivals;
    copy.hidden = this.hidden === null ? null : new CopiedAmounts(this.hidden);
    return copy;
  }

  /** The resting orders of one side by priority: better price first, then earlier arrival. */
  private queue(side: Side): Waiting[] {
    const oneSide = this.waiting.filter((order) => order.side === side);
    return oneSide.sort((a, b) => {
      if (a.price === b.price) return a.arrival - b.arrival;
      const aIsCheaper = a.price < b.price;
      if (side === 'sell') return aIsCheaper ? -1 : 1;
      return aIsCheaper ? 1 : -1;
    });
  }

  private levels(side: Side): DepthLevel[] {
    const levels: { price: bigint; amount: bigint; orders: number }[] = [];
    for (const { price, amount } of this.queue(side)) {
      const current = levels.at(-1);
      if (current?.price === price) {
        current.amount += amount;
        current.orders += 1;
      } else levels.push({ price, amount, orders: 1 });
    }
    return levels;
  }

  private wouldTrade(side: Side, price: bigint | null): boolean {
    return this.waiting.some((other) => other.side !== side && isAcceptable(side, price, other.price));
  }

  private rest(order: { id: string; owner: string; side: Side }, price: bigint, amount: bigint): void {
    this.arrivals += 1;
    const { id, owner, side } = order;
    this.waiting.push({ id, owner, side, price, amount, arrival: this.arrivals });
  }

  private trade(order: IncomingOrder): Placement {
    const worst = order.price ?? order.guardPrice ?? null;
    const wanted: Wanted = {
      amount: order.amount,
      total: order.total ?? null,
      decremented: 0n,
      fills: [],
      cancelledMakers: [],
      end: null,
    };
    const queue = this.queue(order.side === 'buy' ? 'sell' : 'buy');
    for (let place = 0; place < queue.length && wanted.end === null; place += 1) {
      const maker = queue[place]!;
      const fillsBefore = wanted.fills.length;
      if (isAcceptable(order.side, worst, maker.price)) matchMaker(order, wanted, maker);
      else wanted.end = 'price';
      if (wanted.fills.length > fillsBefore && maker.amount === 0n) this.replace(queue, maker);
    }
    wanted.end ??= 'empty';
    this.waiting = this.waiting.filter((other) => other.amount > 0n);

    const restsNow = order.timeInForce === 'GTC' && (wanted.end === 'price' || wanted.end === 'empty');
    if (restsNow) this.rest(order, order.price!, wanted.amount!);
    return placementOf(order, wanted, restsNow);
  }

  /**
   * Places the next slice of an iceberg behind all resting orders of the filled order's price. In the queue of the
   * current match, the slice comes before the orders of the next price.
   */
  private replace(queue: Waiting[], { id, owner, side, price }: Waiting): void {
    const slice = this.hidden?.replace(id) ?? null;
    if (slice === null) return;
    this.rest({ id: slice.id, owner, side }, price, slice.amount);
    const last = queue.findLastIndex((other) => other.price === price);
    queue.splice(last + 1, 0, this.waiting.at(-1)!);
  }

  private refuseInvalid(order: IncomingOrder): void {
    const isMarket = order.price === null;
    const hasTotal = order.total !== undefined;
    const isValid =
      (order.price ?? 1n) > 0n &&
      (order.amount ?? 1n) > 0n &&
      (order.total ?? 1n) > 0n &&
      (order.guardPrice ?? 1n) > 0n &&
      (order.amount !== null || (isMarket && hasTotal)) &&
      (isMarket || (!hasTotal && order.guardPrice === undefined)) &&
      !(isMarket && order.timeInForce === 'GTC') &&
      !(order.postOnly && (isMarket || order.timeInForce !== 'GTC'));
    if (!isValid) throw new RangeError('nonsense');
  }
}

/** The hidden amounts for a copy of a book: placing a slice in the copy leaves `source` unchanged. */
class CopiedAmounts implements HiddenAmounts {
  private readonly source: HiddenAmounts;
  private readonly behind = new Map<string, readonly bigint[]>();
  private count = 0;

  constructor(source: HiddenAmounts) {
    this.source = source;
  }

  get size(): number {
    return this.source.size;
  }

  slicesAfter(id: string): readonly bigint[] {
    return this.behind.get(id) ?? this.source.slicesAfter(id);
  }

  replace(id: string): NextSlice | null {
    const [amount, ...others] = this.slicesAfter(id);
    if (amount === undefined) return null;
    this.count += 1;
    const slice = `copied-${this.count}`;
    this.behind.set(slice, others);
    return { id: slice, amount };
  }
}

/**
 * Matches an order with the next resting order: trades, applies self-trade prevention, or ends the matching if the
 * remaining total or amount does not pay for a single lot.
 */
function matchMaker(order: IncomingOrder, wanted: Wanted, maker: Waiting): void {
  const bounds = [maker.amount];
  if (wanted.amount !== null) bounds.push(wanted.amount);
  if (wanted.total !== null) bounds.push(wanted.total / maker.price);
  const lots = bounds.reduce((least, bound) => (bound < least ? bound : least));

  const isOwn = maker.owner === order.owner;
  if (lots === 0n) {
    wanted.end = 'done';
    return;
  }
  if (isOwn && order.selfTrade !== 'decrement') {
    if (order.selfTrade === 'cancelMaker' || order.selfTrade === 'cancelBoth') {
      wanted.cancelledMakers.push(cancelledMaker(maker, maker.amount));
      maker.amount = 0n;
    }
    if (order.selfTrade === 'cancelTaker' || order.selfTrade === 'cancelBoth') wanted.end = 'ownOrder';
    return;
  }

  if (isOwn) {
    wanted.cancelledMakers.push(cancelledMaker(maker, lots));
    wanted.decremented += lots;
  } else {
    const { id: makerId, owner: makerOwner, price } = maker;
    wanted.fills.push({ makerId, makerOwner, price, amount: lots, makerRemaining: maker.amount - lots });
  }
  maker.amount -= lots;
  if (wanted.amount !== null) wanted.amount -= lots;
  if (wanted.total !== null) wanted.total -= lots * maker.price;
  const noLotLeft = wanted.amount === 0n || (wanted.total !== null && wanted.total / maker.price === 0n);
  if (noLotLeft) wanted.end = 'done';
}

function placementOf(order: IncomingOrder, wanted: Wanted, restsNow: boolean): Placement {
  const { fills, cancelledMakers, decremented } = wanted;
  let reason: Reason | null = null;
  if (wanted.end === 'ownOrder') reason = 'selfTrade';
  else if (restsNow) reason = null;
  else if (wanted.end === 'empty') reason = 'noLiquidity';
  else if (wanted.end === 'price') reason = order.price === null ? 'guardReached' : 'limitReached';
  else if (decremented > 0n) reason = 'selfTrade';
  else if (fills.length === 0) reason = 'totalTooSmall';

  let outcome: Outcome = fills.length > 0 ? 'partly' : 'cancelled';
  if (restsNow) outcome = 'rested';
  else if (reason === null) outcome = 'filled';
  return {
    outcome,
    reason,
    filledAmount: fills.reduce((sum, fill) => sum + fill.amount, 0n),
    filledTotal: fills.reduce((sum, fill) => sum + fill.amount * fill.price, 0n),
    worstPrice: fills.at(-1)?.price ?? null,
    remaining: wanted.amount ?? 0n,
    remainingTotal: wanted.total ?? 0n,
    decremented,
    fills,
    cancelledMakers,
  };
}

function rejection(reason: Reason, order: { amount: bigint | null; total?: bigint | undefined }): Placement {
  return {
    outcome: 'rejected',
    reason,
    filledAmount: 0n,
    filledTotal: 0n,
    worstPrice: null,
    remaining: order.amount ?? 0n,
    remainingTotal: order.total ?? 0n,
    decremented: 0n,
    fills: [],
    cancelledMakers: [],
  };
}

/**
 * Whether `price` is acceptable for an order whose worst price is `worst`; null accepts any price.
 */
function isAcceptable(side: Side, worst: bigint | null, price: bigint): boolean {
  if (worst === null) return true;
  return side === 'buy' ? price <= worst : price >= worst;
}

function cancelledMaker(maker: Waiting, lots: bigint): CancelledMaker {
  const { id, owner, price, amount } = maker;
  return { id, owner, price, amount: lots, remaining: amount - lots };
}

function withoutArrival({ id, owner, side, price, amount }: Waiting): RestingOrder {
  return { id, owner, side, price, amount };
}
