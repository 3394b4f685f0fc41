import type { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import {
  changeAt,
  isResting,
  watchedBounds,
  type AlertChange,
  type PriceAlert,
  type PricePoint,
} from './alert.ts';
import { NearestBounds } from './nearest-bounds.ts';

const NOTHING: readonly AlertChange[] = [];

class PairWatch {
  last: Decimal | undefined;
  readonly up = new NearestBounds('up');
  readonly down = new NearestBounds('down');
}

/**
 * All alerts in memory, by how near the price is to each. A deal that is near to none costs two comparisons.
 * Knows neither clock nor database: it is given prices and moments and answers what they changed, in order.
 */
export class AlertWatch {
  private readonly pairs = new Map<string, PairWatch>();
  private readonly alerts = new Map<string, PriceAlert>();
  /** Triggered less than a minute ago. */
  private readonly resting = new Map<string, PriceAlert>();

  get size(): number {
    return this.alerts.size;
  }

  has(id: string): boolean {
    return this.alerts.has(id);
  }

  /** Begins to watch an alert; what the last price does to it is answered at once. */
  begin(alert: PriceAlert, at: Instant, sequence: number): readonly AlertChange[] {
    if (this.alerts.has(alert.id)) return NOTHING;
    this.place(alert, at);
    return this.judge(alert.symbol, at, sequence);
  }

  /** Ends an alert; one that is not watched is no error. */
  end(id: string): void {
    const alert = this.alerts.get(id);
    if (alert === undefined) return;
    this.unplace(alert);
    this.alerts.delete(id);
    this.resting.delete(id);
  }

  /** A pair has a new last price. */
  move(symbol: string, point: PricePoint): readonly AlertChange[] {
    this.pair(symbol).last = point.price;
    return this.judge(symbol, point.at, point.sequence);
  }

  /** Time has gone by: alerts that have rested long enough are held against the last price. */
  pass(at: Instant, sequence: number): readonly AlertChange[] {
    if (this.resting.size === 0) return NOTHING;
    const rested = [...this.resting.values()].filter((alert) => !isResting(alert, at));
    for (const alert of rested) {
      this.resting.delete(alert.id);
      this.place(alert, at);
    }
    const symbols = new Set(rested.map(({ symbol }) => symbol));
    return [...symbols].flatMap((symbol) => this.judge(symbol, at, sequence));
  }

  private judge(symbol: string, at: Instant, sequence: number): readonly AlertChange[] {
    const { last: price, up, down } = this.pair(symbol);
    if (price === undefined || !(up.isReached(price.atoms) || down.isReached(price.atoms))) return NOTHING;
    const reached = [...up.takeReached(price.atoms), ...down.takeReached(price.atoms)];
    const changes = reached.map((id) => changeAt(this.alerts.get(id)!, { price, at, sequence }));
    // Placed after all were taken: none of the new bounds is reached by the price that made it.
    for (const { before, after } of changes) {
      this.unplace(before);
      if (after === undefined) this.alerts.delete(before.id);
      else this.place(after, at);
    }
    return changes;
  }

  private place(alert: PriceAlert, at: Instant): void {
    this.alerts.set(alert.id, alert);
    if (isResting(alert, at)) {
      this.resting.set(alert.id, alert);
      return;
    }
    const pair = this.pair(alert.symbol);
    const { up, down } = watchedBounds(alert);
    if (up !== undefined) pair.up.add(up.atoms, alert.id);
    if (down !== undefined) pair.down.add(down.atoms, alert.id);
  }

  /** Takes an alert's bounds out on both sides: a percentage has one on each. */
  private unplace({ symbol, id }: PriceAlert): void {
    const { up, down } = this.pair(symbol);
    up.remove(id);
    down.remove(id);
  }

  private pair(symbol: string): PairWatch {
    const present = this.pairs.get(symbol);
    if (present !== undefined) return present;
    const made = new PairWatch();
    this.pairs.set(symbol, made);
    return made;
  }
}
