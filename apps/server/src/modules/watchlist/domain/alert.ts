import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  alertBounds,
  type AlertBounds,
  type AlertChannel,
  type AskedAlert,
} from '@exchange/core/price-alert.ts';
import { later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

/** One alert triggers at most once in this time. */
export const REST_MS = MINUTE_MS;

export interface PriceAlert extends AskedAlert {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  /** The last price when it was set or last triggered; a percentage counts from it. */
  readonly from: Decimal;
  /** Whether it goes on after it has triggered. */
  readonly repeats: boolean;
  readonly channels: readonly AlertChannel[];
  readonly createdAt: Instant;
  readonly triggeredAt: Instant | undefined;
  /** False after a repeating `gte` or `lte` has triggered, until the price has been on the other side. */
  readonly isArmed: boolean;
  /** The state above takes account of all deals up to this one. */
  readonly sequence: number;
}

/** The last price at a moment; `sequence` is that of the latest deal by then. */
export interface PricePoint {
  readonly price: Decimal;
  readonly at: Instant;
  readonly sequence: number;
}

/** What a price did to an alert. Each is stored, in order, so that a restart finds the same alert. */
export interface AlertChange {
  readonly kind: 'triggered' | 'armed';
  readonly before: PriceAlert;
  /** Undefined for an alert that triggered and is done. */
  readonly after: PriceAlert | undefined;
  readonly point: PricePoint;
}

const ATOM = Decimal.ofAtoms(1n);

/** The prices at which something happens to the alert: it triggers, or it is armed again. */
export function watchedBounds(alert: PriceAlert): AlertBounds {
  if (alert.isArmed) return alertBounds(alert, alert.from);
  const { condition, price } = alert;
  return condition === 'gte'
    ? { up: undefined, down: price.minus(ATOM) }
    : { up: price.plus(ATOM), down: undefined };
}

/** What becomes of an alert at a price that has reached one of its watched bounds. */
export function changeAt(alert: PriceAlert, point: PricePoint): AlertChange {
  const { price, at, sequence } = point;
  if (!alert.isArmed) {
    return { kind: 'armed', before: alert, after: { ...alert, isArmed: true, sequence }, point };
  }
  const isArmed = alert.condition === 'pct';
  const after = alert.repeats ? { ...alert, from: price, triggeredAt: at, isArmed, sequence } : undefined;
  return { kind: 'triggered', before: alert, after, point };
}

/** Whether the alert may not trigger yet, having triggered a moment ago. One that waits to be armed does not rest. */
export function isResting(alert: PriceAlert, at: Instant): boolean {
  return alert.isArmed && alert.triggeredAt !== undefined && at < later(alert.triggeredAt, REST_MS);
}
