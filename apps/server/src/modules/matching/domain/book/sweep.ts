import type { SelfTrade, CancelledMaker, Fill, HiddenAmounts } from './contract.ts';
import type { Ladder } from './ladder.ts';
import { BookOrder, type Level } from './level.ts';
import type { RestingOrders } from './resting-orders.ts';

/** The reason why matching an incoming order stopped. */
export type Stop = 'complete' | 'noLiquidity' | 'priceReached' | 'ownOrder';

/**
 * Applies the fills and cancellations of an incoming order to resting orders (makers). A quote runs
 * the same matching without effects.
 */
interface Effects {
  fill(maker: BookOrder, price: bigint, lots: bigint): void;
  /** Removes lots, some or all, from an order of the same owner without a trade. */
  cancelMaker(maker: BookOrder, price: bigint, lots: bigint): void;
}

/** The matching of one incoming order: its remaining amounts and the results so far. */
export class Sweep {
  readonly owner: string;
  readonly selfTrade: SelfTrade;
  /** The worst acceptable price for the incoming order; null means any price. */
  readonly limit: bigint | null;
  /** Lots still to match; null when only the total limits the order. */
  amountLeft: bigint | null;
  /** Total still to match; null when only the amount limits the order. */
  totalLeft: bigint | null;
  filledAmount = 0n;
  filledTotal = 0n;
  worstPrice: bigint | null = null;
  decremented = 0n;

  constructor(
    owner: string,
    selfTrade: SelfTrade,
    limit: bigint | null,
    amount: bigint | null,
    total: bigint | null,
  ) {
    this.owner = owner;
    this.selfTrade = selfTrade;
    this.limit = limit;
    this.amountLeft = amount;
    this.totalLeft = total;
  }

  /**
   * Matches the order with one price level after another and returns the reason why matching stopped.
   * With `effects` null the book does not change, and the slices of `hidden` are counted as if they had
   * been placed. Otherwise used-up levels leave the book, so the next level is always the best one.
   */
  run(makers: Ladder, effects: Effects | null, hidden: HiddenAmounts | null): Stop {
    let level = makers.best;
    while (level !== null) {
      if (this.limit !== null && makers.isWorse(level.price, this.limit)) {
        return 'priceReached';
      }
      const stop = this.sweepLevel(level, effects, hidden);
      if (stop !== null) return stop;
      const next: Level | null = effects === null ? makers.after(level) : makers.best;
      // If a used-up level stayed in the book because of a bug, this loop would never end. The error ends it, and only
      // the current command fails.
      if (next === level) throw new Error(`level ${level.price} was used up but did not leave the book`);
      level = next;
    }
    return 'noLiquidity';
  }

  /**
   * Matches the order with one price level. Returns null when the level is used up and the order can continue
   * with the next level, otherwise the reason why matching stopped.
   */
  private sweepLevel(level: Level, effects: Effects | null, hidden: HiddenAmounts | null): Stop | null {
    const price = level.price;
    const slices =
      effects === null && hidden !== null && hidden.size > 0 ? new QuotedSlices(level, hidden) : null;
    let maker = level.first;
    while (maker !== null) {
      const lots = this.lotsAt(price, maker.amount);
      if (lots === 0n) return 'complete';
      const next: BookOrder | null = maker.next;
      if (maker.owner !== this.owner) {
        this.fill(price, lots);
        if (lots === maker.amount) slices?.replace(maker);
        effects?.fill(maker, price, lots);
      } else if (this.selfTrade === 'decrement') {
        this.use(price, lots);
        this.decremented += lots;
        effects?.cancelMaker(maker, price, lots);
      } else {
        if (this.selfTrade !== 'cancelTaker') effects?.cancelMaker(maker, price, maker.amount);
        if (this.selfTrade !== 'cancelMaker') return 'ownOrder';
      }
      if (this.isDoneAt(price)) return 'complete';
      // After the last order that rested before, only slices of icebergs follow: those that the fills have just placed
      // on the level or, in a quote, those that `slices` returns without placing them.
      maker = next ?? (effects === null ? (slices?.next() ?? null) : level.first);
    }
    return null;
  }

  /**
   * The lots of a resting order that the incoming order can buy or sell: within its amount and
   * affordable with its total.
   */
  private lotsAt(price: bigint, offered: bigint): bigint {
    let lots = offered;
    if (this.amountLeft !== null && this.amountLeft < lots) lots = this.amountLeft;
    if (this.totalLeft !== null) {
      const affordable = this.totalLeft / price;
      if (affordable < lots) lots = affordable;
    }
    return lots;
  }

  private fill(price: bigint, lots: bigint): void {
    this.use(price, lots);
    this.filledAmount += lots;
    this.filledTotal += lots * price;
    this.worstPrice = price;
  }

  private use(price: bigint, lots: bigint): void {
    if (this.amountLeft !== null) this.amountLeft -= lots;
    if (this.totalLeft !== null) this.totalLeft -= lots * price;
  }

  // Whether the order is completely matched: nothing of its amount remains, or its remaining total is below the price
  // of one lot. Such a total is not kept for a lower price.
  private isDoneAt(price: bigint): boolean {
    return this.amountLeft === 0n || (this.totalLeft !== null && this.totalLeft < price);
  }
}

/** The slices of a price level that a quote counts although they are not placed, in the order of their placement. */
class QuotedSlices {
  private readonly level: Level;
  private readonly hidden: HiddenAmounts;
  private readonly queue: BookOrder[] = [];
  /** Maps each slice in `queue` to the lots of the later slices of the same iceberg order, in order. */
  private readonly behind = new Map<BookOrder, readonly bigint[]>();
  private read = 0;

  constructor(level: Level, hidden: HiddenAmounts) {
    this.level = level;
    this.hidden = hidden;
  }

  /**
   * Appends the slice that follows a completely filled order, if there is one, to the slices of this quote;
   * the book stays unchanged.
   */
  replace(maker: BookOrder): void {
    const [amount, ...others] = this.behind.get(maker) ?? this.hidden.slicesAfter(maker.id);
    if (amount === undefined) return;
    const slice = new BookOrder(maker.id, maker.owner, amount, this.level);
    this.behind.set(slice, others);
    this.queue.push(slice);
  }

  next(): BookOrder | null {
    const slice = this.queue[this.read] ?? null;
    this.read += 1;
    return slice;
  }
}

/** Applies the matching of an order to the book and records its fills and cancelled makers. */
export class Recorder implements Effects {
  readonly fills: Fill[] = [];
  readonly cancelledMakers: CancelledMaker[] = [];
  private readonly orders: RestingOrders;
  private readonly hidden: HiddenAmounts | null;

  constructor(orders: RestingOrders, hidden: HiddenAmounts | null) {
    this.orders = orders;
    this.hidden = hidden;
  }

  fill(maker: BookOrder, price: bigint, lots: bigint): void {
    const makerRemaining = maker.amount - lots;
    this.fills.push({ makerId: maker.id, makerOwner: maker.owner, price, amount: lots, makerRemaining });
    if (makerRemaining === 0n && this.hidden !== null && this.hidden.size > 0)
      this.replace(maker, this.hidden);
    this.reduce(maker, lots);
  }

  cancelMaker(maker: BookOrder, price: bigint, lots: bigint): void {
    const remaining = maker.amount - lots;
    this.cancelledMakers.push({ id: maker.id, owner: maker.owner, price, amount: lots, remaining });
    this.reduce(maker, lots);
  }

  /**
   * Appends the slice that follows a filled order to its price level. The filled order is removed only afterwards, so
   * that the level stays on the book.
   */
  private replace({ id, owner, level }: BookOrder, hidden: HiddenAmounts): void {
    const slice = hidden.replace(id);
    if (slice !== null) this.orders.append(slice.id, owner, level.side, level.price, slice.amount);
  }

  private reduce(maker: BookOrder, lots: bigint): void {
    if (lots === maker.amount) this.orders.remove(maker);
    else maker.level.reduce(maker, lots);
  }
}
