import type { Decimal } from '@exchange/core/decimal.ts';
import type { Instant } from '@exchange/core/time.ts';
import {
  changeAt,
  isCoolingDown,
  watchedBounds,
  type AlertChange,
  type PriceAlert,
  type PricePoint,
} from './alert.ts';
import { NearestBounds } from './nearest-bounds.ts';

const NO_CHANGES: readonly AlertChange[] = [];

class PairWatch {
  last: Decimal | undefined;
  readonly up = new NearestBounds('up');
  readonly down = new NearestBounds('down');
}

/**
 * All active alerts in memory, indexed by their distance from the price. A deal that reaches no alert costs
 * two comparisons. The class has no clock and no database: it receives prices and times and returns the
 * resulting changes in order.
 */
export class AlertWatch {
  private readonly pairs = new Map<string, PairWatch>();
  private readonly alerts = new Map<string, PriceAlert>();
  /** Price alerts in their pause after they triggered. */
  private readonly resting = new Map<string, PriceAlert>();

  get size(): number {
    return this.alerts.size;
  }

  has(id: string): boolean {
    return this.alerts.has(id);
  }

  /** Starts watching a price alert and returns the changes that the last price causes at once. */
  add(alert: PriceAlert, at: Instant, sequence: number): readonly AlertChange[] {
    if (this.alerts.has(alert.id)) return NO_CHANGES;
    this.addBounds(alert, at);
    return this.changesAtLastPrice(alert.symbol, at, sequence);
  }

  /** Stops watching a price alert; does nothing if it is not watched. */
  remove(id: string): void {
    const alert = this.alerts.get(id);
    if (alert === undefined) return;
    this.removeBounds(alert);
    this.alerts.delete(id);
    this.resting.delete(id);
  }

  /** Processes a new last price of a pair. */
  updatePrice(symbol: string, point: PricePoint): readonly AlertChange[] {
    this.pair(symbol).last = point.price;
    return this.changesAtLastPrice(symbol, point.at, point.sequence);
  }

  /**
   * Processes the passing of time: price alerts whose cooldown has ended are checked against the
   * last price.
   */
  advanceTime(at: Instant, sequence: number): readonly AlertChange[] {
    if (this.resting.size === 0) return NO_CHANGES;
    const cooledDown = [...this.resting.values()].filter((alert) => !isCoolingDown(alert, at));
    for (const alert of cooledDown) {
      this.resting.delete(alert.id);
      this.addBounds(alert, at);
    }
    const symbols = new Set(cooledDown.map(({ symbol }) => symbol));
    return [...symbols].flatMap((symbol) => this.changesAtLastPrice(symbol, at, sequence));
  }

  private changesAtLastPrice(symbol: string, at: Instant, sequence: number): readonly AlertChange[] {
    const { last: price, up, down } = this.pair(symbol);
    if (price === undefined || !(up.isReached(price.atoms) || down.isReached(price.atoms))) return NO_CHANGES;
    const reached = [...up.removeReached(price.atoms), ...down.removeReached(price.atoms)];
    const changes = reached.map((id) => changeAt(this.alerts.get(id)!, { price, at, sequence }));
    // New price bounds of alerts are added only after all reached bounds are removed, because the
    // same price reaches none of the new ones.
    for (const { before, after } of changes) {
      this.removeBounds(before);
      if (after === undefined) this.alerts.delete(before.id);
      else this.addBounds(after, at);
    }
    return changes;
  }

  private addBounds(alert: PriceAlert, at: Instant): void {
    this.alerts.set(alert.id, alert);
    if (isCoolingDown(alert, at)) {
      this.resting.set(alert.id, alert);
      return;
    }
    const pair = this.pair(alert.symbol);
    const { up, down } = watchedBounds(alert);
    if (up !== undefined) pair.up.add(up.atoms, alert.id);
    if (down !== undefined) pair.down.add(down.atoms, alert.id);
  }

  /** Removes an alert's bounds on both sides, because a percentage alert has one on each side. */
  private removeBounds({ symbol, id }: PriceAlert): void {
    const { up, down } = this.pair(symbol);
    up.remove(id);
    down.remove(id);
  }

  private pair(symbol: string): PairWatch {
    const existing = this.pairs.get(symbol);
    if (existing !== undefined) return existing;
    const created = new PairWatch();
    this.pairs.set(symbol, created);
    return created;
  }
}
