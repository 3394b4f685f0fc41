import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  alertBounds,
  type AlertBounds,
  type AlertChannel,
  type AlertCondition,
  type AlertOrder,
  type AlertPause,
  type AlertSource,
  type AlertTerms,
} from '@exchange/core/price-alert.ts';
import { later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';

/** Private topic of triggered price alerts; its snapshot is always empty. */
export const ALERT_TOPIC = 'alert';

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
  /** The order that is placed when the alert triggers; an alert with an order does not repeat. */
  readonly order: AlertOrder | undefined;
  readonly createdAt: Instant;
  readonly triggeredAt: Instant | undefined;
  /**
   * False after a repeating `gte`, `lte` or `move` alert has triggered, until the price returns to the other side,
   * or the move within the window is smaller than the percentage.
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
  /**
   * The price from which the price of a `move` alert moved, or the average that a candle crossed; undefined for
   * other conditions.
   */
  readonly base: Decimal | undefined;
}

/** How far alerts have been checked and all consequences stored. */
export interface AlertProgress {
  /** Sequence number of the last deal. */
  readonly sequence: number;
  /**
   * Sequence number of the last deal before the minute of `sequence`; from there on, deals of the windows'
   * present minute are read again.
   */
  readonly windowSequence: number;
  /** Candles that closed up to this time have been compared with their averages. */
  readonly candlesAt: Instant;
}

const ATOM = Decimal.ofAtoms(1n);

/**
 * The values at which an alert triggers or is armed again: prices, or per cent of the greatest move within the window
 * of a `move` alert.
 */
export function watchedBounds(alert: PriceAlert): AlertBounds {
  const { condition, price, isArmed } = alert;
  if (condition === 'move')
    return isArmed ? { up: price, down: undefined } : { up: undefined, down: price.minus(ATOM) };
  if (isArmed) return alertBounds(alert, alert.from);
  return condition === 'gte'
    ? { up: undefined, down: price.minus(ATOM) }
    : { up: price.plus(ATOM), down: undefined };
}

/** Conditions whose repeating alerts stay armed when they trigger; they are watched again after their pause. */
const ALWAYS_ARMED: ReadonlySet<AlertCondition> = new Set(['pct', 'crossUp', 'crossDown']);

/** The change of an alert at a price that has reached one of its watched bounds. */
export function changeAt(alert: PriceAlert, point: PricePoint, base?: Decimal): AlertChange {
  const { price, at, sequence } = point;
  if (!alert.isArmed) {
    return { kind: 'armed', before: alert, after: { ...alert, isArmed: true, sequence }, point, base };
  }
  const isArmed = ALWAYS_ARMED.has(alert.condition);
  const after = alert.repeats ? { ...alert, from: price, triggeredAt: at, isArmed, sequence } : undefined;
  return { kind: 'triggered', before: alert, after, point, base };
}

/** Whether the alert is in its cooldown after triggering. An alert that is not armed is not in cooldown. */
export function isCoolingDown(alert: PriceAlert, at: Instant): boolean {
  return (
    alert.isArmed &&
    alert.triggeredAt !== undefined &&
    at < later(alert.triggeredAt, alert.pauseMinutes * MINUTE_MS)
  );
}
