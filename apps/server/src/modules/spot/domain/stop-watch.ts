import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import { triggersStop, trailingStopPrice } from '@exchange/core/stop.ts';
import type { Instant } from '@exchange/core/time.ts';
import { isDormant, type SpotOrder } from './order.ts';
import { StopLevels } from './stop-levels.ts';

/**
 * The stop orders of a pair that wait until the last trade price reaches their trigger price or, for a trailing stop
 * that is not active yet, its activation price.
 */
export class StopWatch {
  size = 0;
  readonly trailing: TrailingStops;
  /**
   * The sequence number of the last trade (of any pair) when the last round of storing the trigger prices of all
   * trailing stops began.
   */
  storedTrailing = 0;
  /** Trailing stops whose trigger price the present round of storing (see `storedTrailing`) has not stored yet. */
  readonly toStore: SpotOrder[] = [];
  private readonly above = new StopLevels('gte');
  private readonly below = new StopLevels('lte');
  /** The trailing stops that the current trade triggers, lowest rank last. */
  private readonly metTrailing: SpotOrder[] = [];
  /** The trailing stops that the current trade activated. */
  private activated: SpotOrder[] = [];
  /** Whether the current trade has already moved the trailing stops. */
  private hasFollowed = false;

  constructor(pair: Pair) {
    this.trailing = new TrailingStops(pair);
  }

  add(order: SpotOrder): void {
    this.indexFor(order).add(order);
    this.size += 1;
  }

  remove(order: SpotOrder): void {
    const isFollowing = order.stop!.trail !== undefined && !isDormant(order.stop!);
    if (!isFollowing || !(removeFrom(this.metTrailing, order) || removeFrom(this.activated, order)))
      this.indexFor(order).remove(order);
    this.size -= 1;
  }

  /**
   * Removes and returns the stops that a trade triggers, by rank; undefined if it triggers none. `last` is
   * the trade's price and `at` its time. Adds to `moved` the trailing stops whose trigger price changes, and
   * to `activated` those that become active. A call handles at most `most` stops; if it handles exactly
   * `most`, the caller must call again for the same trade.
   */
  removeTriggered(
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
      this.indexFor(order).remove(order);
      activate(order, last, at);
      this.activated.push(order);
      activated.add(order);
    }
    return met.length === 0 ? undefined : met;
  }

  /**
   * Adds a loaded trailing stop that the current trade has activated. The same trade does not trigger the
   * stop.
   */
  addActivated(order: SpotOrder): void {
    this.activated.push(order);
    this.size += 1;
  }

  /**
   * Must be called when a trade is processed completely. The trailing stops that the trade activated follow the
   * market from the next trade on.
   */
  finishTrade(): void {
    this.hasFollowed = false;
    for (const order of this.activated) this.trailing.add(order);
    this.activated = [];
  }

  /** Moves the trailing stops by a trade and collects those that it triggers; only the first call per trade does so. */
  private follow(last: Decimal, moved: Set<SpotOrder>): void {
    if (this.hasFollowed) return;
    this.hasFollowed = true;
    if (this.trailing.isEmpty) return;
    this.trailing.removeTriggered(last, this.metTrailing, moved);
    this.metTrailing.sort((first, second) => second.rank - first.rank);
  }

  /** The stop order with the lowest rank that a trade triggers or activates; undefined if there is none. */
  private nextMet(last: Decimal): SpotOrder | undefined {
    const candidates = [
      this.above.lowestTriggered(last),
      this.below.lowestTriggered(last),
      this.metTrailing.at(-1),
    ];
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

  private indexFor({ stop, side }: SpotOrder): StopLevels | TrailingStops {
    // A trailing sell becomes active when the price rises, a trailing buy when it falls.
    if (isDormant(stop!)) return side === 'sell' ? this.above : this.below;
    if (stop!.trail !== undefined) return this.trailing;
    return stop!.direction === 'gte' ? this.above : this.below;
  }
}

/** Removes an order from a list, searching from its end. Returns whether the order was present. */
function removeFrom(orders: SpotOrder[], order: SpotOrder): boolean {
  const at = orders.lastIndexOf(order);
  if (at < 0) return false;
  orders.splice(at, 1);
  return true;
}

/**
 * Activates a trailing stop whose activation price a trade has reached. The stop then follows the market,
 * starting with the trade's price.
 */
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
 * The trailing stops of one pair, side and distance. Stops with the same extreme move and trigger together,
 * so a trade touches only the ends of the list: the level with the best extreme is first and triggers first;
 * the level with the worst extreme is last and moves first.
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
    const level = this.levels[place - 1];
    if (level?.extreme.equals(extreme) === true) level.orders.add(order);
    else this.levels.splice(place, 0, this.levelAt(extreme, new Set([order])));
  }

  remove(order: SpotOrder): void {
    const extreme = order.stop!.extreme!;
    const place = this.levels.findIndex((level) => level.extreme.equals(extreme));
    const orders = this.levels[place]?.orders;
    if (orders?.delete(order) === true && orders.size === 0) this.levels.splice(place, 1);
  }

  /**
   * Processes a trade: moves the extremes that its price improves and adds their orders to `moved`, then removes
   * the stops that it triggers and appends them to `met`.
   */
  removeTriggered(last: Decimal, met: SpotOrder[], moved: Set<SpotOrder>): void {
    this.move(last, moved);
    for (;;) {
      const first = this.levels[0];
      if (first === undefined) return;
      if (!triggersStop(this.side === 'sell' ? 'lte' : 'gte', first.price, last)) return;
      this.levels.shift();
      for (const order of first.orders) met.push(order);
    }
  }

  private move(last: Decimal, movedOrders: Set<SpotOrder>): void {
    let merged: TrailingLevel | undefined;
    for (;;) {
      const worst = this.levels.at(-1);
      if (worst === undefined || !this.isBetter(last, worst.extreme)) break;
      this.levels.pop();
      if (merged === undefined) merged = this.levelAt(last, worst.orders);
      else for (const order of worst.orders) merged.orders.add(order);
    }
    if (merged === undefined) return;
    for (const order of merged.orders) {
      order.stop!.extreme = merged.extreme;
      order.stop!.price = merged.price;
      movedOrders.add(order);
    }
    const worst = this.levels.at(-1);
    if (worst?.extreme.equals(last) !== true) this.levels.push(merged);
    else for (const order of merged.orders) worst.orders.add(order);
  }

  private levelAt(extreme: Decimal, orders: Set<SpotOrder>): TrailingLevel {
    return { extreme, price: trailingStopPrice(this.pair, this.side, extreme, this.trail), orders };
  }

  private isBetter(candidate: Decimal, extreme: Decimal): boolean {
    return this.side === 'sell' ? candidate.isMore(extreme) : candidate.isLess(extreme);
  }
}

/** The trailing stop orders of a pair that follow the market, without those that wait for their activation price. */
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
    const name = groupKeyOf(order);
    let group = this.groups.get(name);
    if (group === undefined) {
      group = new TrailingGroup(this.pair, order.side, order.stop!.trail!);
      this.groups.set(name, group);
    }
    group.add(order);
  }

  remove(order: SpotOrder): void {
    const name = groupKeyOf(order);
    const group = this.groups.get(name);
    group?.remove(order);
    if (group?.isEmpty === true) this.groups.delete(name);
  }

  /**
   * Processes a trade: moves the best prices that trailing stops follow and adds the moved stops to
   * `moved`, then removes the stops that it triggers and appends them to `met`, in no defined order.
   */
  removeTriggered(last: Decimal, met: SpotOrder[], moved: Set<SpotOrder>): void {
    for (const [name, group] of this.groups) {
      group.removeTriggered(last, met, moved);
      if (group.isEmpty) this.groups.delete(name);
    }
  }

  clear(): void {
    this.groups.clear();
  }
}

function groupKeyOf({ side, stop }: SpotOrder): string {
  return `${side} ${stop!.trail!}`;
}
