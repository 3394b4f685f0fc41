import type { SelfTrade, CancelledMaker, Fill } from './contract.ts';
import type { Ladder } from './ladder.ts';
import type { BookOrder, Level } from './level.ts';
import type { RestingOrders } from './resting-orders.ts';

/** Why an order stopped trading. */
export type Stop = 'complete' | 'noLiquidity' | 'priceReached' | 'ownOrder';

/** Receives what a sweep does to makers; a quote runs the same sweep without one. */
interface Effects {
  fill(maker: BookOrder, price: bigint, lots: bigint): void;
  /** Takes lots off an own order without a trade, all of them or some. */
  cancelMaker(maker: BookOrder, price: bigint, lots: bigint): void;
}

/** What an incoming order still wants, and what it has got so far. */
export class Sweep {
  readonly owner: string;
  readonly selfTrade: SelfTrade;
  /** The worst acceptable price; null for any. */
  readonly limit: bigint | null;
  /** Null: bounded by the total alone. */
  amountLeft: bigint | null;
  /** Null: bounded by the amount alone. */
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
   * Trades down the other side until done. With `effects` the makers really go, so the best level is
   * always the next one; without, the ladder stands still and is walked.
   */
  run(makers: Ladder, effects: Effects | null): Stop {
    let level = makers.best;
    while (level !== null) {
      if (this.limit !== null && makers.isWorse(level.price, this.limit)) {
        return 'priceReached';
      }
      const stop = this.sweepLevel(level, effects);
      if (stop !== null) return stop;
      const next: Level | null = effects === null ? makers.after(level) : makers.best;
      // A used-up level that stays would be swept for ever; an error is undone, a hanging process is not.
      if (next === level) throw new Error(`level ${level.price} was used up but did not leave the book`);
      level = next;
    }
    return 'noLiquidity';
  }

  /** Null when the whole level is used up and the order wants more. */
  private sweepLevel(level: Level, effects: Effects | null): Stop | null {
    const price = level.price;
    let maker = level.first;
    while (maker !== null) {
      const lots = this.lotsAt(price, maker.amount);
      if (lots === 0n) return 'complete';
      const next: BookOrder | null = maker.next;
      if (maker.owner !== this.owner) {
        this.fill(price, lots);
        effects?.fill(maker, price, lots);
      } else if (this.selfTrade === 'decrement') {
        this.take(price, lots);
        this.decremented += lots;
        effects?.cancelMaker(maker, price, lots);
      } else {
        if (this.selfTrade !== 'cancelTaker') effects?.cancelMaker(maker, price, maker.amount);
        if (this.selfTrade !== 'cancelMaker') return 'ownOrder';
      }
      if (this.isDoneAt(price)) return 'complete';
      maker = next;
    }
    return null;
  }

  /** How many of a maker's lots the order wants and can pay at this price. */
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
    this.take(price, lots);
    this.filledAmount += lots;
    this.filledTotal += lots * price;
    this.worstPrice = price;
  }

  private take(price: bigint, lots: bigint): void {
    if (this.amountLeft !== null) this.amountLeft -= lots;
    if (this.totalLeft !== null) this.totalLeft -= lots * price;
  }

  // A rest of the total below one lot is dust: waiting for a lower price would leave such orders unfinished.
  private isDoneAt(price: bigint): boolean {
    return this.amountLeft === 0n || (this.totalLeft !== null && this.totalLeft < price);
  }
}

/** Carries a sweep out on the book and writes down what happened. */
export class Recorder implements Effects {
  readonly fills: Fill[] = [];
  readonly cancelledMakers: CancelledMaker[] = [];
  private readonly orders: RestingOrders;

  constructor(orders: RestingOrders) {
    this.orders = orders;
  }

  fill(maker: BookOrder, price: bigint, lots: bigint): void {
    const makerRemaining = maker.amount - lots;
    this.fills.push({ makerId: maker.id, makerOwner: maker.owner, price, amount: lots, makerRemaining });
    this.takeOff(maker, lots);
  }

  cancelMaker(maker: BookOrder, price: bigint, lots: bigint): void {
    const remaining = maker.amount - lots;
    this.cancelledMakers.push({ id: maker.id, owner: maker.owner, price, amount: lots, remaining });
    this.takeOff(maker, lots);
  }

  private takeOff(maker: BookOrder, lots: bigint): void {
    if (lots === maker.amount) this.orders.remove(maker);
    else maker.level.reduce(maker, lots);
  }
}
