import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import type { StopDirection } from '@exchange/core/spot.ts';
import { meetsStop, trailingStopPrice } from '@exchange/core/stop.ts';
import type { Instant } from '@exchange/core/time.ts';
import { isDormant, type SpotOrder } from './order.ts';

/** The orders of a pair that wait for the last price. */
export class StopWatch {
  size = 0;
  readonly trailing: TrailingStops;
  /** The trade up to which all stored trailing stops are right. */
  storedTrailing = 0;
  private readonly above = new StopLevels('gte');
  private readonly below = new StopLevels('lte');

  constructor(pair: Pair) {
    this.trailing = new TrailingStops(pair);
  }

  add(order: SpotOrder): void {
    this.partFor(order).add(order);
    this.size += 1;
  }

  remove(order: SpotOrder): void {
    this.partFor(order).remove(order);
    this.size -= 1;
  }

  /**
   * Takes out the stops that a trade at this price and moment meets, in the order of their rank; undefined when none.
   * Trailing stops whose trigger it moves are added to `moved`, those that it makes active to `activated`.
   */
  take(
    last: Decimal,
    at: Instant,
    { moved, activated }: { readonly moved: Set<SpotOrder>; readonly activated: Set<SpotOrder> },
  ): SpotOrder[] | undefined {
    const reached: SpotOrder[] = [];
    this.above.take(last, reached);
    this.below.take(last, reached);
    const met = reached.filter(({ stop }) => !isDormant(stop!));
    if (!this.trailing.isEmpty) this.trailing.take(last, met, moved);
    for (const order of reached) {
      if (!isDormant(order.stop!)) continue;
      this.activate(order, last, at);
      activated.add(order);
    }
    if (met.length === 0) return undefined;
    this.size -= met.length;
    return met.sort((one, other) => one.rank - other.rank);
  }

  clear(): void {
    this.above.clear();
    this.below.clear();
    this.trailing.clear();
    this.size = 0;
    this.storedTrailing = 0;
  }

  /** A trailing stop whose activation price a trade has reached follows the market from its price on. */
  private activate(order: SpotOrder, last: Decimal, at: Instant): void {
    const { stop, pair, side } = order;
    stop!.activatedAt = at;
    stop!.extreme = last;
    stop!.price = trailingStopPrice(pair, side, last, stop!.trail!);
    this.trailing.add(order);
  }

  private partFor({ stop, side }: SpotOrder): StopLevels | TrailingStops {
    // A sale that trails becomes active when the price rises, a purchase when it falls.
    if (isDormant(stop!)) return side === 'sell' ? this.above : this.below;
    if (stop!.trail !== undefined) return this.trailing;
    return stop!.direction === 'gte' ? this.above : this.below;
  }
}

interface Level {
  readonly price: Decimal;
  readonly orders: Set<SpotOrder>;
}

/** Waiting stops of one direction by their price; the level that the market would meet first is the last one. */
export class StopLevels {
  private readonly direction: StopDirection;
  private readonly levels: Level[] = [];

  constructor(direction: StopDirection) {
    this.direction = direction;
  }

  add(order: SpotOrder): void {
    const price = levelOf(order);
    const place = this.placeOf(price);
    const found = this.levels[place];
    if (found?.price.equals(price) === true) found.orders.add(order);
    else this.levels.splice(place, 0, { price, orders: new Set([order]) });
  }

  remove(order: SpotOrder): void {
    const place = this.placeOf(levelOf(order));
    const orders = this.levels[place]?.orders;
    if (orders?.delete(order) === true && orders.size === 0) this.levels.splice(place, 1);
  }

  /** Takes out the stops that a last price meets and appends them to `met`, in no order. */
  take(last: Decimal, met: SpotOrder[]): void {
    for (;;) {
      const first = this.levels.at(-1);
      if (first === undefined || !meetsStop(this.direction, first.price, last)) return;
      this.levels.pop();
      for (const order of first.orders) met.push(order);
    }
  }

  clear(): void {
    this.levels.length = 0;
  }

  /** Where a price is, or belongs: `gte` stops lie from the highest to the lowest, `lte` stops the other way. */
  private placeOf(price: Decimal): number {
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = this.levels[middle]!.price;
      const isFurther = this.direction === 'gte' ? at.isMore(price) : at.isLess(price);
      if (isFurther) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What a stop waits for: its activation price first, if it has one. */
function levelOf({ stop }: SpotOrder): Decimal {
  return isDormant(stop!) ? stop!.activation! : stop!.price;
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
