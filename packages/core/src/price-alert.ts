import { Decimal } from './decimal.ts';
import type { Pair } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';

/** What an alert waits for: the last price at or above, at or below a price, or moved by a percentage. */
export const ALERT_CONDITIONS = ['gte', 'lte', 'pct'] as const;
export type AlertCondition = (typeof ALERT_CONDITIONS)[number];

/** Where its owner is notified. */
export const ALERT_CHANNELS = ['inbox', 'mail'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** How many alerts may watch for one user at a time. */
export const ALERT_LIMIT = 20;
export const ALERT_PERCENT_DIGITS = 2;
const MIN_PERCENT = Decimal.parse('0.1');
const MAX_PERCENT = Decimal.parse('1000');
const HUNDRED = Decimal.ofWhole(100);

export interface AskedAlert {
  readonly condition: AlertCondition;
  /** In the quote coin; of `pct` in percent: 5 is 5 %. */
  readonly price: Decimal;
}

/** The prices at which an alert triggers: at or above `up`, at or below `down`. */
export interface AlertBounds {
  readonly up: Decimal | undefined;
  readonly down: Decimal | undefined;
}

/**
 * Why an alert cannot be set, or undefined: a price on the pair's grid that the last price has not reached,
 * a percentage between 0.1 and 1000 with two decimals. Screens and the server ask the same.
 */
export function alertProblem(
  pair: Pick<Pair, 'priceDigits' | 'quote'>,
  { condition, price }: AskedAlert,
  last: Decimal | undefined,
): Refusal | undefined {
  const about = { field: 'price', value: price.toString() };
  if (!price.isPositive()) return refusal('invalidField', 'l.field_positive', about);
  if (condition === 'pct') return percentProblem(price);
  if (!price.fits(pair.priceDigits)) {
    return refusal('invalidField', 'l.price_decimals', { ...about, limit: String(pair.priceDigits) });
  }
  const isReached = last !== undefined && (condition === 'gte' ? !last.isLess(price) : !last.isMore(price));
  if (!isReached) return undefined;
  return refusal('invalidField', 'l.alert_reached', { ...about, limit: last.toString(), unit: pair.quote });
}

/** At which prices an alert triggers; `from` is what a percentage counts from. */
export function alertBounds({ condition, price }: AskedAlert, from: Decimal): AlertBounds {
  if (condition === 'gte') return { up: price, down: undefined };
  if (condition === 'lte') return { up: undefined, down: price };
  const move = from.times(price, 'up').over(HUNDRED, 'up');
  const down = from.minus(move);
  return { up: from.plus(move), down: down.isPositive() ? down : undefined };
}

function percentProblem(percent: Decimal): Refusal | undefined {
  const about = { field: 'price', value: percent.toString(), unit: '%' };
  if (!percent.fits(ALERT_PERCENT_DIGITS)) {
    return refusal('invalidField', 'l.field_decimals', { ...about, limit: String(ALERT_PERCENT_DIGITS) });
  }
  if (percent.isLess(MIN_PERCENT))
    return refusal('belowMinimum', 'l.amount_min', { ...about, limit: MIN_PERCENT.toString() });
  if (percent.isMore(MAX_PERCENT))
    return refusal('aboveMaximum', 'l.amount_max', { ...about, limit: MAX_PERCENT.toString() });
  return undefined;
}
