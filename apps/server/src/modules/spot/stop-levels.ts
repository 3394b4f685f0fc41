import type { Decimal } from '@exchange/core/decimal.ts';
import type { StopDirection } from '@exchange/core/spot.ts';
import { meetsStop } from '@exchange/core/stop.ts';
import type { SpotOrder } from './order-domain.ts';

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
    const { price } = order.stop!;
    const place = this.placeOf(price);
    const found = this.levels[place];
    if (found?.price.equals(price) === true) found.orders.add(order);
    else this.levels.splice(place, 0, { price, orders: new Set([order]) });
  }

  remove(order: SpotOrder): void {
    const place = this.placeOf(order.stop!.price);
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
