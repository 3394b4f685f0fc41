import type { CandleTimer } from './candle.ts';
import { Decimal } from './decimal.ts';
import { rangeProblem, wholeProblem } from './field-range.ts';
import type { Pair, PairFilters, Side } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { amountProblem, limitPriceProblem, smallTotalProblem } from './spot.ts';

/**
 * Condition that triggers a price alert. The watched price is at or above (`gte`) or at or below (`lte`) a price. Or it
 * has changed by a percentage, since the alert was set or last triggered (`pct`) or within a number of minutes
 * (`move`). `crossUp` and `crossDown` compare two values at the close of each candle, such as the closing price and its
 * moving average (see `ALERT_AVERAGES`). With `crossUp` the first value is above the second one after it was at or
 * below it at the previous candle; with `crossDown` the reverse.
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

/**
 * What an alert on a crossing compares at the close of each candle, always two values:
 * - `ma`, `ema`: the closing price, and its moving average: the plain mean or the exponential one;
 * - `maPair`, `emaPair`: a fast moving average, and a slow one;
 * - `rsi`: the relative strength index, and a level;
 * - `macd`: the difference of two exponential averages, and the exponential average of this difference (signal line);
 * - `bollUpper`, `bollLower`: the closing price, and the upper or the lower Bollinger band.
 */
export const ALERT_AVERAGES = [
  ...(['ma', 'ema', 'maPair', 'emaPair'] as const),
  ...(['rsi', 'macd', 'bollUpper', 'bollLower'] as const),
] as const;
export type AverageKind = (typeof ALERT_AVERAGES)[number];

/** Numbers of candles of the averages of a MACD: the fast one, the slow one, and the signal line. */
export const MACD_PERIODS = { fast: 12, slow: 26, signal: 9 } as const;
/** Number of candles of Bollinger bands, and their distance from the mean in standard deviations. */
export const BOLLINGER = { period: 20, deviations: 2 } as const;
/** The levels with which a relative strength index can be compared: from 1 to 99, with at most this many decimals. */
export const RSI_LEVELS = { places: 2, min: '1', max: '99' } as const;

/** Minimum and maximum number of candles of a moving average. */
export const AVERAGE_PERIODS = { least: 2, most: 200 } as const;

/** A moving average or another indicator of the closing prices of a pair's candles. */
export interface AverageTerms {
  readonly kind: AverageKind;
  /**
   * Number of candles over which the average, the fast average or the index is computed; `MACD_PERIODS.fast` for a MACD
   * and `BOLLINGER.period` for Bollinger bands.
   */
  readonly period: number;
  /** Number of candles of the slow average of a pair of averages or of a MACD; undefined for other kinds. */
  readonly slow?: number | undefined;
  /** The level with which a relative strength index is compared; undefined for other kinds. */
  readonly level?: Decimal | undefined;
  readonly timer: CandleTimer;
}

/** Returns whether the kind has a number of candles that the user chooses. */
export function hasPeriod(kind: AverageKind): boolean {
  return kind !== 'macd' && !isBollinger(kind);
}

/** Returns whether the kind is a pair of a fast and a slow moving average. */
export function isAveragePair(kind: AverageKind): kind is 'maPair' | 'emaPair' {
  return kind === 'maPair' || kind === 'emaPair';
}

function isBollinger(kind: AverageKind): kind is 'bollUpper' | 'bollLower' {
  return kind === 'bollUpper' || kind === 'bollLower';
}

/**
 * Returns the terms without the numbers that the indicator's kind does not use, and with the fixed numbers of candles
 * of a MACD and of Bollinger bands.
 */
export function averageTerms({ kind, period, slow, level, timer }: AverageTerms): AverageTerms {
  if (kind === 'macd') return { kind, period: MACD_PERIODS.fast, slow: MACD_PERIODS.slow, timer };
  if (isBollinger(kind)) return { kind, period: BOLLINGER.period, timer };
  if (isAveragePair(kind)) return { kind, period, slow, timer };
  return kind === 'rsi' ? { kind, period, level, timer } : { kind, period, timer };
}

/**
 * Returns the number of closed candles that are needed to detect a crossing: those from which the first values are
 * computed, and one more, because a crossing is a change from one candle to the next.
 */
export function candlesNeeded({ kind, period, slow = 0 }: AverageTerms): number {
  if (kind === 'macd') return slow + MACD_PERIODS.signal;
  if (kind === 'rsi') return period + 2;
  return Math.max(period, slow) + 1;
}

/**
 * Returns the name of a moving average or another indicator as charts write it, such as `EMA(20)` or
 * `MACD(12, 26, 9)`.
 */
export function averageName({ kind, period, slow }: Omit<AverageTerms, 'timer' | 'level'>): string {
  if (kind === 'macd') return `MACD(${period}, ${slow}, ${MACD_PERIODS.signal})`;
  if (isBollinger(kind)) return `BOLL(${period}, ${BOLLINGER.deviations})`;
  if (isAveragePair(kind)) return `${kind === 'maPair' ? 'MA' : 'EMA'}(${period}, ${slow})`;
  return `${kind.toUpperCase()}(${period})`;
}

/**
 * The translated words in the names that `crossedNames` returns: the closing price, the signal line of a MACD, and the
 * upper and lower Bollinger bands.
 */
export interface CrossedWords {
  /** Translated word for the closing price. */
  readonly close: string;
  readonly signal: string;
  readonly upper: string;
  readonly lower: string;
}

/**
 * The names of the two values that an alert on a crossing compares: `subject` crosses `target`, for example `EMA(7)`
 * crosses `EMA(25)`, or the closing price crosses the upper band.
 */
export function crossedNames(
  { kind, period, slow, level }: Omit<AverageTerms, 'timer'>,
  words: CrossedWords,
): { readonly subject: string; readonly target: string } {
  if (isAveragePair(kind)) {
    const name = kind === 'maPair' ? 'MA' : 'EMA';
    return { subject: `${name}(${period})`, target: `${name}(${slow})` };
  }
  if (kind === 'rsi') return { subject: `RSI(${period})`, target: level?.toString() ?? '' };
  if (kind === 'macd')
    return { subject: `MACD(${period}, ${slow})`, target: `${words.signal} (${MACD_PERIODS.signal})` };
  if (isBollinger(kind)) {
    const band = kind === 'bollUpper' ? words.upper : words.lower;
    return { subject: words.close, target: `${band} (${period}, ${BOLLINGER.deviations})` };
  }
  return { subject: words.close, target: averageName({ kind, period }) };
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

/** Returns whether a condition is a crossing at the close of a candle. */
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
  /** Limit price of the order that the alert places, in the quote coin; undefined for a market order. */
  readonly price: Decimal | undefined;
  /** Amount of the order that the alert places, in the base coin. */
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

/**
 * Numbers of minutes of which the user selects one as the minimum time between two notifications of a
 * repeating alert.
 */
export const ALERT_PAUSES = [1, 15, 60, 1_440] as const;
export type AlertPause = (typeof ALERT_PAUSES)[number];

/** Channels by which a price alert notifies the user. */
export const ALERT_CHANNELS = ['inbox', 'mail'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

/**
 * Maximum number of a user's price alerts that are active, i.e. not removed and, unless they repeat, not
 * triggered yet.
 */
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
  /** Kind of the price that the alert watches; the price of the last trade on the exchange if undefined. */
  readonly source?: AlertSource | undefined;
  /** Number of minutes within which the price must change to trigger a `move` alert; undefined for other conditions. */
  readonly windowMinutes?: AlertWindow | undefined;
  /** The moving average or other indicator of a `crossUp` or `crossDown` alert; undefined for other conditions. */
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
 * Returns a refusal if the price alert cannot be created; otherwise undefined. A price must be a positive
 * multiple of the pair's tick, and the watched price (`current`, undefined if it is not known) must not have
 * reached it yet. A percentage must be between 0.1 and 1000 with at most two decimals. A `move` alert needs a
 * number of minutes. A `crossUp` or `crossDown` alert must watch the last price, because candles exist only
 * for that price. It needs an average of 2 to 200 candles; a pair of averages also needs a slow average of
 * more candles than the fast one, and a relative strength index also needs a level from 1 to 99. Screens and
 * server both use this check.
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
 * `from`. A lower bound that is not positive is left out.
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
  const { kind, period, slow, level } = average;
  const problem = wholeProblem('averagePeriod', period, AVERAGE_PERIODS.least, AVERAGE_PERIODS.most);
  if (problem !== undefined) return problem;
  if (isAveragePair(kind))
    return slow === undefined
      ? refusal('invalidField', 'l.field_required', { field: 'averageSlow' })
      : wholeProblem('averageSlow', slow, period + 1, AVERAGE_PERIODS.most);
  if (kind !== 'rsi') return undefined;
  return level === undefined
    ? refusal('invalidField', 'l.field_required', { field: 'averageLevel' })
    : rangeProblem('averageLevel', level, RSI_LEVELS);
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
