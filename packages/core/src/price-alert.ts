import type { CandleTimer } from './candle.ts';
import { Decimal } from './decimal.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { amountProblem, limitPriceProblem, smallTotalProblem } from './spot.ts';

/**
 * Condition that triggers a price alert. The watched price is at or above (`gte`) or at or below (`lte`) a price. Or it
 * has changed by a percentage, since the alert was set or last triggered (`pct`) or within a number of minutes
 * (`move`). With `crossUp` a candle closes above its moving average after the previous candle closed at or below it,
 * with `crossDown` the reverse.
 */
export const ALERT_CONDITIONS = ['gte', 'lte', 'pct', 'move', 'crossUp', 'crossDown'] as const;
export type AlertCondition = (typeof ALERT_CONDITIONS)[number];

/** Numbers of minutes within which the price must change to trigger a `move` alert. The user selects one. */
export const ALERT_WINDOWS = [5, 15, 60, 240, 1_440] as const;
export type AlertWindow = (typeof ALERT_WINDOWS)[number];

/** Short names of the numbers of minutes of a `move` alert. They are the same in every language. */
export const ALERT_WINDOW_NAMES: Readonly<Record<AlertWindow, string>> = {
  5: '5m',
  15: '15m',
  60: '1h',
  240: '4h',
  1_440: '24h',
};

/** Kinds of moving averages of closing prices: the plain mean (`ma`) or the exponential one (`ema`). */
export const ALERT_AVERAGES = ['ma', 'ema'] as const;
export type AverageKind = (typeof ALERT_AVERAGES)[number];

/** Minimum and maximum number of candles of a moving average. */
export const AVERAGE_PERIODS = { least: 2, most: 200 } as const;

/** A moving average of the closing prices of a pair's candles. */
export interface AverageTerms {
  readonly kind: AverageKind;
  /** Number of candles over which the average is computed. */
  readonly period: number;
  readonly timer: CandleTimer;
}

/** Name of a moving average as charts write it, such as `EMA(20)`. */
export function averageName({ kind, period }: Pick<AverageTerms, 'kind' | 'period'>): string {
  return `${kind.toUpperCase()}(${period})`;
}

/** Short names of candle intervals. They are the same in every language. */
export const TIMER_NAMES: Readonly<Record<CandleTimer, string>> = {
  '1min': '1m',
  '5min': '5m',
  '15min': '15m',
  '30min': '30m',
  '60min': '1h',
  '4hour': '4h',
  '1day': '1D',
  '1week': '1W',
};

/** Returns whether a condition compares a candle with its moving average. */
export function isCross(condition: AlertCondition): condition is 'crossUp' | 'crossDown' {
  return condition === 'crossUp' || condition === 'crossDown';
}

/** Types of orders that an alert can place. */
export const ALERT_ORDER_TYPES = ['limit', 'market'] as const;
export type AlertOrderType = (typeof ALERT_ORDER_TYPES)[number];

/** An order that a price alert places when it triggers. Until then no funds are frozen for it. */
export interface AlertOrder {
  readonly side: Side;
  readonly type: AlertOrderType;
  /** Limit price in the quote coin; undefined for a market order. */
  readonly price: Decimal | undefined;
  /** Amount in the base coin. */
  readonly amount: Decimal;
}

/**
 * Milliseconds after the trigger of an alert. If its order could not be placed within this time, it is not placed any
 * more.
 */
export const ALERT_ORDER_LATE_MS = 300_000;

/** The price that an alert watches: that of the last trade on the exchange (`last`), or the index price. */
export const ALERT_SOURCES = ['last', 'index'] as const;
export type AlertSource = (typeof ALERT_SOURCES)[number];

/** Minimum number of minutes between two notifications of a repeating alert. The user selects one. */
export const ALERT_PAUSES = [1, 15, 60, 1_440] as const;
export type AlertPause = (typeof ALERT_PAUSES)[number];

/** Channels by which a price alert notifies the user. */
export const ALERT_CHANNELS = ['inbox', 'mail'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/** Maximum number of active price alerts of a user. */
export const ALERT_LIMIT = 20;
export const ALERT_PERCENT_DIGITS = 2;
const MIN_PERCENT = Decimal.parse('0.1');
const MAX_PERCENT = Decimal.parse('1000');
const HUNDRED = Decimal.ofWhole(100);

export interface AlertTerms {
  readonly condition: AlertCondition;
  /**
   * Trigger price in the quote coin, or the percentage of a `pct` or `move` alert (5 is 5 %). It is zero for `crossUp`
   * and `crossDown`.
   */
  readonly price: Decimal;
  /** The watched price; the price of the last trade if undefined. */
  readonly source?: AlertSource | undefined;
  /** Number of minutes within which the price must change to trigger a `move` alert; undefined for other conditions. */
  readonly windowMinutes?: AlertWindow | undefined;
  /** The moving average of a `crossUp` or `crossDown` alert; undefined for other conditions. */
  readonly average?: AverageTerms | undefined;
}

/**
 * The prices at which a price alert triggers: at or above `up`, and at or below `down`. A bound that is undefined
 * never triggers the alert.
 */
export interface AlertBounds {
  readonly up: Decimal | undefined;
  readonly down: Decimal | undefined;
}

/**
 * Returns a refusal if the price alert cannot be created; otherwise undefined. A price must be a multiple of the pair's
 * tick, and the watched price (`current`) must not have reached it yet. A percentage must be between 0.1 and 1000 with
 * at most two decimals. A `move` alert needs a number of minutes. A `crossUp` or `crossDown` alert needs an average of
 * 2 to 200 candles and must watch the last price, because candles exist only for that. Screens and server both use this
 * check.
 */
export function alertProblem(
  pair: Pick<Pair, 'priceDigits' | 'quote'>,
  { condition, price, source, windowMinutes, average }: AlertTerms,
  current: Decimal | undefined,
): Refusal | undefined {
  if (isCross(condition)) return crossProblem(average, source);
  const details = { field: 'price', value: price.toString() };
  if (!price.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (condition === 'pct') return percentProblem(price);
  if (condition === 'move')
    return windowMinutes === undefined
      ? refusal('invalidField', 'l.field_required', { field: 'windowMinutes' })
      : percentProblem(price);
  if (!price.fits(pair.priceDigits)) {
    return refusal('invalidField', 'l.price_decimals', { ...details, limit: String(pair.priceDigits) });
  }
  const isReached =
    current !== undefined && (condition === 'gte' ? !current.isLess(price) : !current.isMore(price));
  if (!isReached) return undefined;
  const key = source === 'index' ? 'l.alert_reached_index' : 'l.alert_reached';
  return refusal('invalidField', key, { ...details, limit: current.toString(), unit: pair.quote });
}

/**
 * Returns a refusal if an alert cannot place this order; otherwise undefined. Type, decimals, amount and total are
 * checked as if the order were placed at `trigger`, the price at which the alert will trigger, if that price is known.
 * Balance and the state of the pair are checked only when the alert places the order.
 */
export function alertOrderProblem(
  pair: Pair,
  filters: PairFilters,
  { type, price, amount }: AlertOrder,
  trigger: Decimal | undefined,
): Refusal | undefined {
  if (type === 'limit' && price === undefined)
    return refusal('invalidField', 'l.price_required', { field: 'orderPrice' });
  if (type === 'market' && price !== undefined)
    return refusal('invalidField', 'l.stop_unexpected', { field: 'orderPrice' });
  const expectedPrice = price ?? trigger;
  const problem =
    amountProblem(pair, filters, { amount }) ??
    (price === undefined ? undefined : limitPriceProblem(pair, filters, price, trigger)) ??
    (expectedPrice === undefined
      ? undefined
      : smallTotalProblem(pair, filters, expectedPrice.timesExact(amount), 'amount'));
  return (
    problem && withField(problem, problem.parameters['field'] === 'price' ? 'orderPrice' : 'orderAmount')
  );
}

function withField({ kind, key, parameters }: Refusal, field: string): Refusal {
  return refusal(kind, key, Object.assign({}, parameters, { field }));
}

/**
 * Returns the prices at which a `gte`, `lte` or `pct` alert triggers. The percentage of a `pct` alert is relative to
 * `from`.
 */
export function alertBounds(
  { condition, price }: Pick<AlertTerms, 'condition' | 'price'>,
  from: Decimal,
): AlertBounds {
  if (condition === 'gte') return { up: price, down: undefined };
  if (condition === 'lte') return { up: undefined, down: price };
  const move = from.times(price, 'up').over(HUNDRED, 'up');
  const down = from.minus(move);
  return { up: from.plus(move), down: down.isPositive() ? down : undefined };
}

function crossProblem(
  average: AverageTerms | undefined,
  source: AlertSource | undefined,
): Refusal | undefined {
  if (average === undefined) return refusal('invalidField', 'l.field_required', { field: 'average' });
  if (source === 'index') return refusal('invalidField', 'l.alert_cross_source', { field: 'source' });
  const { period } = average;
  const details = { field: 'averagePeriod', value: String(period) };
  if (period < AVERAGE_PERIODS.least)
    return refusal(
      'belowMinimum',
      'l.field_min',
      Object.assign({}, details, { limit: String(AVERAGE_PERIODS.least) }),
    );
  if (period > AVERAGE_PERIODS.most)
    return refusal(
      'aboveMaximum',
      'l.field_max',
      Object.assign({}, details, { limit: String(AVERAGE_PERIODS.most) }),
    );
  return undefined;
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
