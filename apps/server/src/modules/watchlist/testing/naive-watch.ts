import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { AlertChange, PriceAlert, PricePoint } from '../domain/alert.ts';

/** Simple reference implementation of price alerts: checks every alert at every price. */
export class NaiveWatch {
  private alerts: { alert: PriceAlert; isResting: boolean }[] = [];
  private last: Decimal | undefined;

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
        if (isReached(alert, price)) continue;
        entry.alert = { ...alert, isArmed: true };
        entry.isResting = at - (alert.triggeredAt ?? 0) < pauseMs(alert);
        changes.push({ kind: 'armed', before: alert, after: entry.alert, point });
      } else if (!entry.isResting && isReached(alert, price)) {
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
        });
      }
    }
    return changes;
  }
}

function pauseMs({ pauseMinutes }: PriceAlert): number {
  return pauseMinutes * MINUTE_MS;
}

function isReached({ condition, price: limit, from }: PriceAlert, price: Decimal): boolean {
  if (condition === 'gte') return price.compare(limit) >= 0;
  if (condition === 'lte') return price.compare(limit) <= 0;
  // Whether the price has moved by the limit: |price − from| ÷ from ≥ limit ÷ 100, without
  // division.
  return (
    price.minus(from).absolute().times(Decimal.ofWhole(100), 'down').compare(from.times(limit, 'down')) >= 0
  );
}
