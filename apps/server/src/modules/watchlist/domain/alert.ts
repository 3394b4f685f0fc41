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

/**
 * Private topic on which triggered price alerts and the results of placing their orders are published. A new subscriber
 * receives no earlier messages.
 */
export const ALERT_TOPIC = 'alert';

export interface PriceAlert extends AlertTerms {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  readonly source: AlertSource;
  /**
   * The watched price when the alert was created or last triggered. The percentage of a `pct` alert is relative to this
   * price.
   */
  readonly from: Decimal;
  /** Whether the alert stays active after it has triggered, so that it can trigger again; otherwise it ends. */
  readonly repeats: boolean;
  /** Minimum time in minutes from a trigger of a repeating alert to its next one. */
  readonly pauseMinutes: AlertPause;
  readonly channels: readonly AlertChannel[];
  /**
   * The order that is placed when the alert triggers; undefined if none is placed. An alert with an order does not
   * repeat.
   */
  readonly order: AlertOrder | undefined;
  readonly createdAt: Instant;
  readonly triggeredAt: Instant | undefined;
  /**
   * Whether the alert can trigger. A repeating `gte`, `lte` or `move` alert cannot after it has triggered, until the
   * price has returned to the other side of the limit, or the move within the window has become smaller than the
   * percentage.
   */
  readonly isArmed: boolean;
  /** Sequence number of the last trade that is included in the alert's stored state. */
  readonly sequence: number;
}

/**
 * A watched price at an instant; `sequence` is the number of the latest trade at that instant, even if the price is an
 * index price.
 */
export interface PricePoint {
  readonly price: Decimal;
  readonly at: Instant;
  readonly sequence: number;
}

/**
 * A change of a price alert: it has triggered, or it can trigger again (`armed`). Changes are stored in order, so that
 * a restart restores the same state.
 */
export interface AlertChange {
  readonly kind: 'triggered' | 'armed';
  readonly before: PriceAlert;
  /** The alert after the change; undefined if the alert has ended because it triggered. */
  readonly after: PriceAlert | undefined;
  readonly point: PricePoint;
  /**
   * For a `move` alert, the price from which the watched price moved; for an alert on a crossing, the value that was
   * crossed, for example that of the average. Undefined for other conditions.
   */
  readonly base: Decimal | undefined;
  /** For an alert on a crossing, the value that crossed `base`; undefined for other conditions. */
  readonly crossing: Decimal | undefined;
}

/** The progress of checking alerts: all changes caused by trades and candles up to this point are stored. */
export interface AlertProgress {
  /** Sequence number of the last trade up to which all changes of price alerts are stored. */
  readonly sequence: number;
  /**
   * Sequence number of the last trade before the minute of the trade `sequence`. After a restart, trades from there on
   * are read again to fill the windows.
   */
  readonly windowSequence: number;
  /** All changes of price alerts caused by candles that closed at this time or earlier are stored. */
  readonly candlesAt: Instant;
}

const ATOM = Decimal.ofAtoms(1n);

/**
 * Returns the upper and lower values at which an alert triggers or, after it has triggered, can trigger
 * again: prices, or for a `move` alert the greatest move within the window in per cent.
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

/**
 * Conditions under which a repeating alert can trigger again as soon as its pause has ended. Under other conditions the
 * price or the move must return first.
 */
const ALWAYS_ARMED: ReadonlySet<AlertCondition> = new Set(['pct', 'crossUp', 'crossDown']);

/**
 * Returns the change of an alert when the price reaches one of its watched bounds, or a candle crosses its
 * indicator: an armed alert triggers, and ends unless it repeats; an alert that is not armed becomes armed.
 */
export function changeAt(
  alert: PriceAlert,
  point: PricePoint,
  base?: Decimal,
  crossing?: Decimal,
): AlertChange {
  const { price, at, sequence } = point;
  if (!alert.isArmed) {
    const after = { ...alert, isArmed: true, sequence };
    return { kind: 'armed', before: alert, after, point, base, crossing };
  }
  const isArmed = ALWAYS_ARMED.has(alert.condition);
  const after = alert.repeats ? { ...alert, from: price, triggeredAt: at, isArmed, sequence } : undefined;
  return { kind: 'triggered', before: alert, after, point, base, crossing };
}

/**
 * Returns whether an alert that is armed is still in its pause after a trigger, so that it must not trigger.
 * False for an alert that is not armed: it is watched during the pause for the return of its price.
 */
export function isCoolingDown(alert: PriceAlert, at: Instant): boolean {
  return (
    alert.isArmed &&
    alert.triggeredAt !== undefined &&
    at < later(alert.triggeredAt, alert.pauseMinutes * MINUTE_MS)
  );
}
