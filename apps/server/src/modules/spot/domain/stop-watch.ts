import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import { meetsStop, trailingStopPrice } from '@exchange/core/stop.ts';
import type { Instant } from '@exchange/core/time.ts';
import { isDormant, type SpotOrder } from './order.ts';
import { StopLevels } from './stop-levels.ts';

/** The orders of a pair that wait for the last price. */
export class StopWatch {
  size = 0;
  readonly trailing: TrailingStops;
  /** The trade at which it was last begun to store where trailing stops are. */
  storedTrailing = 0;
  /** Those of them that are still to be stored. */
  readonly toStore: SpotOrder[] = [];
  private readonly above = new StopLevels('gte');
  private readonly below = new StopLevels('lte');
  /** The trailing stops that the trade which is being looked at meets, the lowest rank last. */
  private readonly metTrailing: SpotOrder[] = [];
  /** What the trade which is being looked at has made active. */
  private activated: SpotOrder[] = [];
  /** Whether the trailing stops have followed the trade which is being looked at. */
  private hasFollowed = false;

  constructor(pair: Pair) {
    this.trailing = new TrailingStops(pair);
  }

  add(order: SpotOrder): void {
    this.partFor(order).add(order);
    this.size += 1;
  }

  remove(order: SpotOrder): void {
    const isFollowing = order.stop!.trail !== undefined && !isDormant(order.stop!);
    if (!isFollowing || !(withdrawFrom(this.metTrailing, order) || withdrawFrom(this.activated, order)))
      this.partFor(order).remove(order);
    this.size -= 1;
  }

  /**
   * Removes and returns the stops that a trade meets, in the order of their rank; undefined when none. `last` is the
   * trade's price. Trailing stops whose trigger it moves are added to `moved`, those that it makes active, at `at`, to
   * `activated`. When `most` stops were met or made active, others may be left: the next call has to be for the same
   * trade again, until it handles fewer than `most`.
   */
  take(
    last: Decimal,
    at: Instant,
    { moved, activated }: { readonly moved: Set<SpotOrder>; readonly activated: Set<SpotOrder> },
    most = Number.POSITIVE_INFINITY,
  ): SpotOrder[] | undefined {
    this.follow(last, moved);
    const met: SpotOrder[] = [];
    for (let count = 0; count < most; count += 1) {
      const order = this.nextMet(last);
      if (order === undefined) {
        this.finishTrade();
        break;
      }
      if (!isDormant(order.stop!)) {
        this.remove(order);
        met.push(order);
        continue;
      }
      this.partFor(order).remove(order);
      activate(order, last, at);
      this.activated.push(order);
      activated.add(order);
    }
    return met.length === 0 ? undefined : met;
  }

  /** Adds a trailing stop, while state is loaded, that the trade which is being looked at has made active: that trade does not meet it. */
  addActivated(order: SpotOrder): void {
    this.activated.push(order);
    this.size += 1;
  }

  /** To be called when a trade is done with: what it made active follows the market from the next one on. */
  finishTrade(): void {
    this.hasFollowed = false;
    for (const order of this.activated) this.trailing.add(order);
    this.activated = [];
  }

  /** Moves the trailing stops by a trade and finds those that it meets, once. */
  private follow(last: Decimal, moved: Set<SpotOrder>): void {
    if (this.hasFollowed) return;
    this.hasFollowed = true;
    if (this.trailing.isEmpty) return;
    this.trailing.take(last, this.metTrailing, moved);
    this.metTrailing.sort((one, other) => other.rank - one.rank);
  }

  /** The stop with the lowest rank among those that a trade meets or makes active. */
  private nextMet(last: Decimal): SpotOrder | undefined {
    const candidates = [this.above.lowestMet(last), this.below.lowestMet(last), this.metTrailing.at(-1)];
    let next: SpotOrder | undefined;
    for (const order of candidates) {
      if (order !== undefined && (next === undefined || order.rank < next.rank)) next = order;
    }
    return next;
  }

  clear(): void {
    this.above.clear();
    this.below.clear();
    this.trailing.clear();
    this.metTrailing.length = 0;
    this.activated = [];
    this.hasFollowed = false;
    this.size = 0;
    this.storedTrailing = 0;
    this.toStore.length = 0;
  }

  private partFor({ stop, side }: SpotOrder): StopLevels | TrailingStops {
    // A sale that trails becomes active when the price rises, a purchase when it falls.
    if (isDormant(stop!)) return side === 'sell' ? this.above : this.below;
    if (stop!.trail !== undefined) return this.trailing;
    return stop!.direction === 'gte' ? this.above : this.below;
  }
}

/** Removes an order from a list, looking from the end; returns whether it was there. */
function withdrawFrom(orders: SpotOrder[], order: SpotOrder): boolean {
  const at = orders.lastIndexOf(order);
  if (at < 0) return false;
  orders.splice(at, 1);
  return true;
}

/** A trailing stop whose activation price a trade has reached follows the market from its price on. */
function activate({ stop, pair, side }: SpotOrder, last: Decimal, at: Instant): void {
  stop!.activatedAt = at;
  stop!.extreme = last;
  stop!.price = trailingStopPrice(pair, side, last, stop!.trail!);
}

interface TrailingLevel {
  extreme: Decimal;
  price: Decimal;
  readonly orders: Set<SpotOrder>;
}

/**
 * The trailing stops of one pair, side and distance. Those that have seen the same extreme move and
 * trigger together, so a trade costs a look at both ends, whatever the number of orders: the level with
 * the best extreme, first in the list, triggers first; the one with the worst, last in it, moves first.
 */
class TrailingGroup {
  private readonly pair: Pair;
  private readonly side: Side;
  private readonly trail: Decimal;
  private readonly levels: TrailingLevel[] = [];

  constructor(pair: Pair, side: Side, trail: Decimal) {
    this.pair = pair;
    this.side = side;
    this.trail = trail;
  }

  get isEmpty(): boolean {
    return this.levels.length === 0;
  }

  *orders(): IterableIterator<SpotOrder> {
    for (const level of this.levels) yield* level.orders;
  }

  add(order: SpotOrder): void {
    const extreme = order.stop!.extreme!;
    let place = this.levels.length;
    while (place > 0 && this.isBetter(extreme, this.levels[place - 1]!.extreme)) place -= 1;
    const found = this.levels[place - 1];
    if (found?.extreme.equals(extreme) === true) found.orders.add(order);
    else this.levels.splice(place, 0, this.levelAt(extreme, new Set([order])));
  }

  remove(order: SpotOrder): void {
    const extreme = order.stop!.extreme!;
    const place = this.levels.findIndex((level) => level.extreme.equals(extreme));
    const orders = this.levels[place]?.orders;
    if (orders?.delete(order) === true && orders.size === 0) this.levels.splice(place, 1);
  }

  /**
   * A trade: first the extremes that it beats become its price and their orders are added to `moved`, then the stops
   * that it meets are appended to `met`.
   */
  take(last: Decimal, met: SpotOrder[], moved: Set<SpotOrder>): void {
    this.move(last, moved);
    for (;;) {
      const first = this.levels[0];
      if (first === undefined) return;
      if (!meetsStop(this.side === 'sell' ? 'lte' : 'gte', first.price, last)) return;
      this.levels.shift();
      for (const order of first.orders) met.push(order);
    }
  }

  private move(last: Decimal, orders: Set<SpotOrder>): void {
    let moved: TrailingLevel | undefined;
    for (;;) {
      const worst = this.levels.at(-1);
      if (worst === undefined || !this.isBetter(last, worst.extreme)) break;
      this.levels.pop();
      if (moved === undefined) moved = this.levelAt(last, worst.orders);
      else for (const order of worst.orders) moved.orders.add(order);
    }
    if (moved === undefined) return;
    for (const order of moved.orders) {
      order.stop!.extreme = moved.extreme;
      order.stop!.price = moved.price;
      orders.add(order);
    }
    const present = this.levels.at(-1);
    if (present?.extreme.equals(last) !== true) this.levels.push(moved);
    else for (const order of moved.orders) present.orders.add(order);
  }

  private levelAt(extreme: Decimal, orders: Set<SpotOrder>): TrailingLevel {
    return { extreme, price: trailingStopPrice(this.pair, this.side, extreme, this.trail), orders };
  }

  private isBetter(one: Decimal, other: Decimal): boolean {
    return this.side === 'sell' ? one.isMore(other) : one.isLess(other);
  }
}

/** All trailing stops of a pair. */
export class TrailingStops {
  private readonly pair: Pair;
  private readonly groups = new Map<string, TrailingGroup>();

  constructor(pair: Pair) {
    this.pair = pair;
  }

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  *orders(): IterableIterator<SpotOrder> {
    for (const group of this.groups.values()) yield* group.orders();
  }

  add(order: SpotOrder): void {
    const name = nameOf(order);
    let group = this.groups.get(name);
    if (group === undefined) {
      group = new TrailingGroup(this.pair, order.side, order.stop!.trail!);
      this.groups.set(name, group);
    }
    group.add(order);
  }

  remove(order: SpotOrder): void {
    const name = nameOf(order);
    const group = this.groups.get(name);
    group?.remove(order);
    if (group?.isEmpty === true) this.groups.delete(name);
  }

  /** A trade: moves extremes, then takes out the stops that it meets and appends them to `met`, in no order. */
  take(last: Decimal, met: SpotOrder[], moved: Set<SpotOrder>): void {
    for (const [name, group] of this.groups) {
      group.take(last, met, moved);
      if (group.isEmpty) this.groups.delete(name);
    }
  }

  clear(): void {
    this.groups.clear();
  }
}

function nameOf({ side, stop }: SpotOrder): string {
  return `${side} ${stop!.trail!}`;
}
