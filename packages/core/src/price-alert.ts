import { Decimal } from './decimal.ts';
import type { Pair } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';

/**
 * Trigger of an alert: last price at or above (`gte`) or at or below (`lte`) a price, or moved by a
 * percentage (`pct`).
 */
export const ALERT_CONDITIONS = ['gte', 'lte', 'pct'] as const;
export type AlertCondition = (typeof ALERT_CONDITIONS)[number];

/** Price that an alert watches: of the last deal on the exchange, or the index. */
export const ALERT_SOURCES = ['last', 'index'] as const;
export type AlertSource = (typeof ALERT_SOURCES)[number];

/** Least time between two notifications of a repeating alert, in minutes. */
export const ALERT_PAUSES = [1, 15, 60, 1_440] as const;
export type AlertPause = (typeof ALERT_PAUSES)[number];

/** Channels by which a price alert notifies the user. */
export const ALERT_CHANNELS = ['inbox', 'mail'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** Greatest number of active price alerts of a user. */
export const ALERT_LIMIT = 20;
export const ALERT_PERCENT_DIGITS = 2;
const MIN_PERCENT = Decimal.parse('0.1');
const MAX_PERCENT = Decimal.parse('1000');
const HUNDRED = Decimal.ofWhole(100);

export interface AlertTerms {
  readonly condition: AlertCondition;
  /** Trigger price in the quote coin, or the percentage of a `pct` alert: 5 is 5 %. */
  readonly price: Decimal;
  /** The watched price; that of the last deal by default. */
  readonly source?: AlertSource | undefined;
}

/** The prices that trigger a price alert: at or above `up`, at or below `down`. */
export interface AlertBounds {
  readonly up: Decimal | undefined;
  readonly down: Decimal | undefined;
}

/**
 * Returns a refusal if the price alert cannot be created. A price must be a multiple of the pair's tick and
 * not yet reached by the watched price `current`, a percentage between 0.1 and 1000 with at most two decimals. Screens and server both use
 * this check.
 */
export function alertProblem(
  pair: Pick<Pair, 'priceDigits' | 'quote'>,
  { condition, price, source }: AlertTerms,
  current: Decimal | undefined,
): Refusal | undefined {
  const details = { field: 'price', value: price.toString() };
  if (!price.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (condition === 'pct') return percentProblem(price);
  if (!price.fits(pair.priceDigits)) {
    return refusal('invalidField', 'l.price_decimals', { ...details, limit: String(pair.priceDigits) });
  }
  const isReached =
    current !== undefined && (condition === 'gte' ? !current.isLess(price) : !current.isMore(price));
  if (!isReached) return undefined;
  const key = source === 'index' ? 'l.alert_reached_index' : 'l.alert_reached';
  return refusal('invalidField', key, { ...details, limit: current.toString(), unit: pair.quote });
}

/** Trigger prices of an alert; percentages are relative to `from`. */
export function alertBounds({ condition, price }: AlertTerms, from: Decimal): AlertBounds {
  if (condition === 'gte') return { up: price, down: undefined };
  if (condition === 'lte') return { up: undefined, down: price };
  const move = from.times(price, 'up').over(HUNDRED, 'up');
  const down = from.minus(move);
  return { up: from.plus(move), down: down.isPositive() ? down : undefined };
}

function percentProblem(percent: Decimal): Refusal | undefined {
  const details = { field: 'price', value: percent.toString(), unit: '%' };
  if (!percent.fits(ALERT_PERCENT_DIGITS)) {
    return refusal('invalidField', 'l.field_decimals', { ...details, limit: String(ALERT_PERCENT_DIGITS) });
  }
  if (percent.isLess(MIN_PERCENT))
    return refusal('belowMinimum', 'l.amount_min', { ...details, limit: MIN_PERCENT.toString() });
  if (percent.isMore(MAX_PERCENT))
    return refusal('aboveMaximum', 'l.amount_max', { ...details, limit: MAX_PERCENT.toString() });
  return undefined;
}
