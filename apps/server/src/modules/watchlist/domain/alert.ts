import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  alertBounds,
  type AlertBounds,
  type AlertChannel,
  type AlertPause,
  type AlertSource,
  type AlertTerms,
} from '@exchange/core/price-alert.ts';
import { later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

export interface PriceAlert extends AlertTerms {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  readonly source: AlertSource;
  /**
   * The watched price when the alert was created or last triggered; percentages are relative to
   * it.
   */
  readonly from: Decimal;
  /** Whether the alert stays active after it has triggered. */
  readonly repeats: boolean;
  /** Least time between two triggers of a repeating alert. */
  readonly pauseMinutes: AlertPause;
  readonly channels: readonly AlertChannel[];
  readonly createdAt: Instant;
  readonly triggeredAt: Instant | undefined;
  /**
   * False after a repeating `gte` or `lte` alert has triggered, until the price returns to the other side.
   */
  readonly isArmed: boolean;
  /** Sequence number of the last trade included in the alert's state. */
  readonly sequence: number;
}

/** A watched price at an instant; `sequence` is the latest trade at that time. */
export interface PricePoint {
  readonly price: Decimal;
  readonly at: Instant;
  readonly sequence: number;
}

/**
 * A change of a price alert caused by a price. Changes are stored in order, so that a restart
 * restores the same state.
 */
export interface AlertChange {
  readonly kind: 'triggered' | 'armed';
  readonly before: PriceAlert;
  /** The changed alert; undefined if it triggered and has ended. */
  readonly after: PriceAlert | undefined;
  readonly point: PricePoint;
}

const ATOM = Decimal.ofAtoms(1n);

/** The prices at which a price alert triggers or is armed again. */
export function watchedBounds(alert: PriceAlert): AlertBounds {
  if (alert.isArmed) return alertBounds(alert, alert.from);
  const { condition, price } = alert;
  return condition === 'gte'
    ? { up: undefined, down: price.minus(ATOM) }
    : { up: price.plus(ATOM), down: undefined };
}

/** The change of an alert at a price that has reached one of its watched bounds. */
export function changeAt(alert: PriceAlert, point: PricePoint): AlertChange {
  const { price, at, sequence } = point;
  if (!alert.isArmed) {
    return { kind: 'armed', before: alert, after: { ...alert, isArmed: true, sequence }, point };
  }
  const isArmed = alert.condition === 'pct';
  const after = alert.repeats ? { ...alert, from: price, triggeredAt: at, isArmed, sequence } : undefined;
  return { kind: 'triggered', before: alert, after, point };
}

/** Whether the alert is in its cooldown after triggering. An alert that is not armed is not in cooldown. */
export function isCoolingDown(alert: PriceAlert, at: Instant): boolean {
  return (
    alert.isArmed &&
    alert.triggeredAt !== undefined &&
    at < later(alert.triggeredAt, alert.pauseMinutes * MINUTE_MS)
  );
}
