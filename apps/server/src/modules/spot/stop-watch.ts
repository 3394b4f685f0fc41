import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { SpotOrder } from './order-domain.ts';
import { StopLevels } from './stop-levels.ts';
import { TrailingStops } from './trailing-stops.ts';

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
   * Takes out the stops that a trade at this price meets, in the order of their rank; undefined when none. Trailing
   * stops whose trigger it moves are added to `moved`.
   */
  take(last: Decimal, moved: Set<SpotOrder>): SpotOrder[] | undefined {
    const met: SpotOrder[] = [];
    this.above.take(last, met);
    this.below.take(last, met);
    if (!this.trailing.isEmpty) this.trailing.take(last, met, moved);
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

  private partFor({ stop }: SpotOrder): StopLevels | TrailingStops {
    if (stop!.trail !== undefined) return this.trailing;
    return stop!.direction === 'gte' ? this.above : this.below;
  }
}
