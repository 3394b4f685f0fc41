import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { AlertChange, PriceAlert, PricePoint } from '../domain/alert.ts';

/**
 * Simple reference implementation of price alerts, without those on averages: compares every alert with every price.
 */
export class NaiveWatch {
  private alerts: { alert: PriceAlert; isResting: boolean }[] = [];
  private last: Decimal | undefined;
  /** All prices that were passed so far, oldest first. */
  private readonly history: { readonly price: Decimal; readonly at: Instant }[] = [];

  get size(): number {
    return this.alerts.length;
  }

  add(alert: PriceAlert, at: Instant, sequence: number): AlertChange[] {
    this.alerts.push({ alert, isResting: false });
    return this.checkAll(at, sequence);
  }

  remove(id: string): void {
    this.alerts = this.alerts.filter(({ alert }) => alert.id !== id);
  }

  updatePrice({ price, at, sequence }: PricePoint): AlertChange[] {
    this.last = price;
    this.history.push({ price, at });
    return this.checkAll(at, sequence);
  }

  advanceTime(at: Instant, sequence: number): AlertChange[] {
    for (const entry of this.alerts)
      if (entry.isResting && at - (entry.alert.triggeredAt ?? 0) >= pauseMs(entry.alert))
        entry.isResting = false;
    return this.checkAll(at, sequence);
  }

  private checkAll(at: Instant, sequence: number): AlertChange[] {
    const price = this.last;
    if (price === undefined) return [];
    const changes: AlertChange[] = [];
    for (const entry of this.alerts) {
      const { alert } = entry;
      const point = { price, at, sequence };
      if (!alert.isArmed) {
        if (this.isReached(alert, price, at)) continue;
        entry.alert = { ...alert, isArmed: true };
        entry.isResting = at - (alert.triggeredAt ?? 0) < pauseMs(alert);
        changes.push({
          kind: 'armed',
          before: alert,
          after: entry.alert,
          point,
          base: undefined,
          crossing: undefined,
        });
      } else if (!entry.isResting && this.isReached(alert, price, at)) {
        if (!alert.repeats) this.remove(alert.id);
        else {
          entry.alert = { ...alert, triggeredAt: at, from: price, isArmed: alert.condition === 'pct' };
          entry.isResting = alert.condition === 'pct';
        }
        changes.push({
          kind: 'triggered',
          before: alert,
          after: alert.repeats ? entry.alert : undefined,
          point,
          base: undefined,
          crossing: undefined,
        });
      }
    }
    return changes;
  }

  private isReached(alert: PriceAlert, price: Decimal, at: Instant): boolean {
    const { condition, price: limit, from, windowMinutes } = alert;
    if (condition === 'gte') return price.compare(limit) >= 0;
    if (condition === 'lte') return price.compare(limit) <= 0;
    if (condition === 'pct') return hasMoved(from, price, limit);
    // A `move` alert triggers if the price has moved far enough from the price in force when the window
    // began, or from any price since then.
    const start = (Math.floor(at / MINUTE_MS) - windowMinutes! + 1) * MINUTE_MS;
    const standing = this.history.findLast((past) => past.at < start);
    const within = this.history.filter((past) => past.at >= start);
    return [...(standing === undefined ? [] : [standing]), ...within].some((past) =>
      hasMoved(past.price, price, limit),
    );
  }
}

function pauseMs({ pauseMinutes }: PriceAlert): number {
  return pauseMinutes * MINUTE_MS;
}

/**
 * Returns whether a price has moved by at least `limit` per cent: |price − from| ÷ from ≥ limit ÷ 100,
 * computed without division.
 */
function hasMoved(from: Decimal, price: Decimal, limit: Decimal): boolean {
  return (
    price.minus(from).absolute().times(Decimal.ofWhole(100), 'down').compare(from.times(limit, 'down')) >= 0
  );
}
