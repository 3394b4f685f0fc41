import { CANDLE_TIMERS, type CandleTimer } from '@exchange/core/candle.ts';
import { Decimal, DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, Side } from '@exchange/core/pair.ts';
import {
  ALERT_WINDOW_NAMES,
  ALERT_WINDOWS,
  alertBounds,
  alertOrderProblem,
  alertProblem,
  averageName,
  averageTerms,
  crossedNames,
  hasPeriod,
  isAveragePair,
  isCross,
  TIMER_NAMES,
  type AlertBounds,
  type AlertCondition,
  type AlertOrderType,
  type AlertPause,
  type AlertSource,
  type AlertWindow,
  type AverageKind,
  type AverageTerms,
  type CrossedWords,
  RSI_LEVELS,
} from '@exchange/core/price-alert.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { addAlert, Alert } from '@exchange/wire/watchlist.ts';
import type { CallFields } from '../api/client.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { decimalProblem } from '../form/decimal-text.ts';

/** Values of the price alert form. Texts of numbers are as typed, so they can be empty or no valid number. */
export interface AlertForm {
  /** Which price the alert watches: the last price or the index price. Ignored for an alert on a crossing. */
  readonly source: AlertSource;
  readonly condition: AlertCondition;
  /** Target price of an alert with condition `gte` or `lte`, in the quote coin. */
  readonly price: string;
  /** Percentage of an alert with condition `pct` or `move`: `5` is 5 %. */
  readonly percent: string;
  /** For an alert with condition `move`: the time, in minutes, within which the price has to move by the percentage. */
  readonly windowMinutes: `${AlertWindow}`;
  /**
   * Fields of an alert on a crossing (condition `crossUp` or `crossDown`): `average`, the kind of moving average or
   * other indicator; `averagePeriod`, its number of candles; `averageSlow`, the number of candles of the slower average
   * of a pair of averages; `averageLevel`, the level of a relative strength index; `averageTimer`, the candle interval.
   */
  readonly average: AverageKind;
  readonly averagePeriod: string;
  readonly averageSlow: string;
  readonly averageLevel: string;
  readonly averageTimer: CandleTimer;
  /** True if the alert can trigger again after it has triggered; otherwise it ends then. */
  readonly repeat: boolean;
  /** Minimum time, in minutes, between two notifications of a repeating alert. */
  readonly pauseMinutes: `${AlertPause}`;
  readonly inbox: boolean;
  readonly mail: boolean;
  /** True if the exchange places an order when the alert triggers; such an alert does not repeat. */
  readonly hasOrder: boolean;
  readonly side: Side;
  readonly orderType: AlertOrderType;
  /** Limit price of the order that the alert places, in the quote coin; ignored for a market order. */
  readonly orderPrice: string;
  /** Amount of the order that the alert places, in the base coin. */
  readonly orderAmount: string;
}

/** The pair, its order limits and its current watched price, with which the price alert form is validated. */
export interface AlertContext {
  readonly pair: Pick<Pair, 'symbol' | 'base' | 'quote' | 'priceDigits'>;
  /** The pair with its order limits; undefined where the alert cannot place an order. */
  readonly tradable?: (Pair & { readonly filters: PairFilters }) | undefined;
  /** The current watched price: the last price or the index price; undefined until it is known. */
  readonly last?: Decimal | undefined;
}

type ConditionName = 'Gte' | 'Lte' | 'Pct' | 'Move' | 'CrossUp' | 'CrossDown';
type IndicatorName = 'IndicatorUp' | 'IndicatorDown';

/** Translation key of a text about a price alert in the namespace `alerts`, with its parameters. */
export interface AlertSentence {
  readonly key:
    | `summary${ConditionName | IndicatorName}`
    | `summaryIndex${'Gte' | 'Lte' | 'Pct' | 'Move'}`
    | `line${ConditionName | IndicatorName}`
    | `order.${Side}.${AlertOrderType}`;
  readonly values: Readonly<Record<string, string>>;
}

export type AlertPayload = CallFields<typeof addAlert>;

const NAMES = {
  gte: 'Gte',
  lte: 'Lte',
  pct: 'Pct',
  move: 'Move',
  crossUp: 'CrossUp',
  crossDown: 'CrossDown',
} as const satisfies Record<AlertCondition, ConditionName>;

/**
 * For each condition, the field in which the user types its number. Errors of the condition are shown at this field.
 */
const NUMBER_FIELDS = {
  gte: 'price',
  lte: 'price',
  pct: 'percent',
  move: 'percent',
  crossUp: 'averagePeriod',
  crossDown: 'averagePeriod',
} as const satisfies Record<AlertCondition, keyof AlertForm>;

/**
 * Initial values of the form: a one-time alert on the last price with a message in the inbox. `price`, for
 * example the price at which the user clicked in the chart, is the target price. The condition is `lte` if
 * the target price is below the last price `last`, otherwise `gte`.
 */
export function initialAlert(price = '', last?: Decimal): AlertForm {
  const form = {
    source: 'last',
    condition: 'gte',
    price,
    percent: '5',
    repeat: false,
    pauseMinutes: '1',
    inbox: true,
    mail: false,
    windowMinutes: '15',
    average: 'ma',
    averagePeriod: '20',
    averageSlow: '50',
    averageLevel: '70',
    averageTimer: '60min',
    hasOrder: false,
    side: 'buy',
    orderType: 'limit',
    orderPrice: '',
    orderAmount: '',
  } as const;
  return withAlertPrice(form, price, last);
}

/**
 * Sets the target price of an alert. Condition `gte` becomes `lte`, or the reverse, if the target is on the other side
 * of `last`, the current watched price. Other conditions do not change.
 */
export function withAlertPrice(form: AlertForm, price: string, last: Decimal | undefined): AlertForm {
  const parsed = Decimal.tryParse(price);
  if (
    NUMBER_FIELDS[form.condition] !== 'price' ||
    parsed === undefined ||
    last === undefined ||
    parsed.equals(last)
  )
    return { ...form, price };
  return { ...form, price, condition: parsed.isMore(last) ? 'gte' : 'lte' };
}

/** Returns which price an alert watches; an alert on a crossing always watches candles of the last price. */
export function watchedSource({ condition, source }: AlertForm): AlertForm['source'] {
  return isCross(condition) ? 'last' : source;
}

/** Validation errors by field of the price alert form. */
type AlertProblems = Partial<Record<keyof AlertForm, Refusal>>;

/** Validation errors of the price alert form by field; empty if the form is valid. The server uses the same rules. */
export function alertProblems(form: AlertForm, { pair, last, tradable }: AlertContext): AlertProblems {
  const field = NUMBER_FIELDS[form.condition];
  const problems: AlertProblems = {};
  if (isCross(form.condition)) {
    Object.assign(problems, crossProblems(form, pair));
  } else {
    const problem = conditionProblem(form, { pair, last });
    if (problem !== undefined) problems[field] = withField(problem, field);
  }
  if (!form.inbox && !form.mail)
    problems.inbox = refusal('invalidField', 'l.field_required', { field: 'channels' });
  if (form.hasOrder) Object.assign(problems, orderProblems(form, tradable));
  return problems;
}

function conditionProblem(form: AlertForm, { pair, last }: AlertContext): Refusal | undefined {
  const { condition, source } = form;
  const field = NUMBER_FIELDS[condition];
  const number = Decimal.tryParse(form[field]);
  const mistyped = decimalProblem(field, form[field], DECIMAL_PLACES);
  if (mistyped !== undefined) return mistyped;
  if (number === undefined)
    return refusal('invalidField', field === 'price' ? 'l.price_required' : 'l.field_required', { field });
  return alertProblem(pair, { condition, source, price: number, windowMinutes: windowOf(form) }, last);
}

/**
 * Default number of candles by indicator; for a pair of averages that of the faster one. Indicators without an entry
 * have no default.
 */
const USUAL_PERIODS: Readonly<Partial<Record<AverageKind, string>>> = {
  ma: '20',
  ema: '20',
  maPair: '20',
  emaPair: '20',
  rsi: '14',
};

/**
 * Returns the changed fields when the user selects another indicator. The number of candles becomes the
 * default of the new indicator, unless the user has changed it from the default of the old one or the new
 * indicator has no default.
 */
export function withIndicator(
  form: Pick<AlertForm, 'average' | 'averagePeriod'>,
  average: AverageKind,
): Partial<AlertForm> {
  const isUsual = form.averagePeriod === (USUAL_PERIODS[form.average] ?? form.averagePeriod);
  const usual = USUAL_PERIODS[average];
  return isUsual && usual !== undefined ? { average, averagePeriod: usual } : { average };
}

/** Returns the number fields that the given indicator requires. */
export function crossFields(average: AverageKind) {
  const fields: ('averagePeriod' | 'averageSlow' | 'averageLevel')[] = [];
  if (hasPeriod(average)) fields.push('averagePeriod');
  if (isAveragePair(average)) fields.push('averageSlow');
  if (average === 'rsi') fields.push('averageLevel');
  return fields;
}

function crossProblems(form: AlertForm, pair: AlertContext['pair']): AlertProblems {
  const problems: AlertProblems = {};
  for (const field of crossFields(form.average)) {
    const places = field === 'averageLevel' ? RSI_LEVELS.places : 0;
    const mistyped = decimalProblem(field, form[field], places);
    if (mistyped !== undefined) problems[field] = mistyped;
    else if (form[field] === '') problems[field] = refusal('invalidField', 'l.field_required', { field });
  }
  if (Object.keys(problems).length > 0) return problems;
  const terms = { condition: form.condition, source: 'last' as const, price: Decimal.zero };
  const problem = alertProblem(pair, Object.assign(terms, { average: averageOf(form) }), undefined);
  if (problem === undefined) return problems;
  const field = crossFields(form.average).find((name) => name === problem.parameters['field']);
  problems[field ?? 'averagePeriod'] = problem;
  return problems;
}

/** Returns the indicator of the form; its numbers must be valid. */
function averageOf(form: AlertForm): AverageTerms {
  return averageTerms({
    kind: form.average,
    period: Number(form.averagePeriod),
    slow: Number(form.averageSlow),
    level: Decimal.tryParse(form.averageLevel),
    timer: form.averageTimer,
  });
}

/**
 * Validation errors of the fields of the alert's order. If the alert has a target price, the order is checked
 * as if it were placed when the last price is the target price. Otherwise the limit price is not compared
 * with a last price, and the total of a market order is not checked.
 */
function orderProblems(form: AlertForm, tradable: AlertContext['tradable']): AlertProblems {
  const { side, orderType: type } = form;
  const fields = type === 'limit' ? (['orderPrice', 'orderAmount'] as const) : (['orderAmount'] as const);
  const problems: AlertProblems = {};
  for (const field of fields) {
    const mistyped = decimalProblem(field, form[field], DECIMAL_PLACES);
    if (mistyped !== undefined) problems[field] = mistyped;
    else if (form[field] === '')
      problems[field] = refusal(
        'invalidField',
        field === 'orderPrice' ? 'l.price_required' : 'l.field_required',
        { field },
      );
  }
  const amount = Decimal.tryParse(form.orderAmount);
  const price = type === 'limit' ? Decimal.tryParse(form.orderPrice) : undefined;
  if (amount === undefined || tradable === undefined || Object.keys(problems).length > 0) return problems;
  const trigger = NUMBER_FIELDS[form.condition] === 'price' ? Decimal.tryParse(form.price) : undefined;
  const problem = alertOrderProblem(tradable, tradable.filters, { side, type, price, amount }, trigger);
  if (problem === undefined) return problems;
  const field = problem.parameters['field'] === 'orderPrice' ? 'orderPrice' : 'orderAmount';
  problems[field] = withField(problem, field);
  return problems;
}

function withField({ kind, key, parameters }: Refusal, field: string): Refusal {
  return refusal(kind, key, { ...parameters, field });
}

function windowOf({ windowMinutes }: AlertForm): AlertWindow {
  return ALERT_WINDOWS.find((minutes) => `${minutes}` === windowMinutes) ?? 15;
}

/** Translation key of the text that says when a repeating alert triggers again. */
export function repeatHintOf({ condition }: Pick<AlertForm, 'condition'>) {
  if (condition === 'pct') return 'repeatHintPct' as const;
  if (condition === 'move') return 'repeatHintMove' as const;
  return isCross(condition) ? ('repeatHintCross' as const) : ('repeatHint' as const);
}

/** Returns the request fields that create the price alert. */
export function alertPayload(form: AlertForm, { pair }: Pick<AlertContext, 'pair'>): AlertPayload {
  const channels = [...(form.inbox ? ['inbox'] : []), ...(form.mail ? ['mail'] : [])];
  const terms: AlertPayload = {
    symbol: pair.symbol,
    source: watchedSource(form),
    condition: form.condition,
    repeat: form.repeat && !form.hasOrder ? '1' : '0',
    pauseMinutes: form.pauseMinutes,
    channels: channels.join(','),
  };
  return Object.assign(terms, conditionFields(form), orderFields(form));
}

function conditionFields(form: AlertForm): Partial<AlertPayload> {
  const { condition, price, percent, windowMinutes, average, averageTimer } = form;
  if (isCross(condition)) {
    const numbers = crossFields(average).map((field) => [field, form[field]]);
    return Object.assign({ average, averageTimer }, Object.fromEntries(numbers) as Partial<AlertPayload>);
  }
  if (condition === 'move') return { price: percent, windowMinutes };
  return { price: condition === 'pct' ? percent : price };
}

function orderFields(form: AlertForm): Partial<AlertPayload> {
  const { hasOrder, side: tradeType, orderType, orderPrice, orderAmount } = form;
  if (!hasOrder) return {};
  if (orderType === 'market') return { tradeType, orderType, orderAmount };
  return { tradeType, orderType, orderPrice, orderAmount };
}

/**
 * Translation key and values of the text that summarises a price alert. Undefined while its price or
 * percentage is not a positive number or, for an alert on a crossing, one of the indicator's numbers is
 * invalid, and for condition `pct` while the watched price is unknown.
 */
export function alertSummary(
  form: AlertForm,
  { pair, last }: AlertContext,
  locale: string,
  words: CrossedWords,
): AlertSentence | undefined {
  const { condition } = form;
  if (isCross(condition)) {
    if (Object.keys(crossProblems(form, pair)).length > 0) return undefined;
    return crossSentence('summary', condition, averageOf(form), { pair, words });
  }
  const price = Decimal.tryParse(form[NUMBER_FIELDS[condition]]);
  if (price === undefined || !price.isPositive()) return undefined;
  if (condition === 'pct' && last === undefined) return undefined;
  const values = valuesOf(
    {
      pair,
      condition,
      price,
      bounds: alertBounds({ condition, price }, last ?? price),
      windowMinutes: windowOf(form),
    },
    locale,
  );
  const name = NAMES[condition];
  return { key: form.source === 'index' ? `summaryIndex${name}` : `summary${name}`, values };
}

/**
 * Translation key and values of a text about the condition of a price alert, short enough for a row of a
 * list.
 */
export function alertLine(
  alert: Alert,
  pair: Pick<AlertContext['pair'], 'base' | 'quote' | 'priceDigits'>,
  locale: string,
  words: CrossedWords,
): AlertSentence {
  const { condition } = alert;
  if (isCross(condition)) return crossSentence('line', condition, averageOfAlert(alert), { pair, words });
  const price = Decimal.parse(alert.price);
  const described = {
    pair,
    condition,
    price,
    bounds: alertBounds({ condition, price }, Decimal.parse(alert.from)),
    windowMinutes: ALERT_WINDOWS.find((minutes) => minutes === alert.windowMinutes),
  };
  return { key: `line${NAMES[condition]}`, values: valuesOf(described, locale) };
}

/**
 * Returns the moving average or other indicator of an alert on a crossing, with its numbers of candles, level
 * and candle interval.
 */
export function averageOfAlert({
  average,
  averagePeriod,
  averageSlow,
  averageLevel,
  averageTimer,
}: Pick<Alert, 'average' | 'averagePeriod' | 'averageSlow' | 'averageLevel' | 'averageTimer'>): AverageTerms {
  return averageTerms({
    kind: average === '' ? 'ma' : average,
    period: averagePeriod,
    slow: averageSlow,
    level: average === 'rsi' ? Decimal.tryParse(averageLevel) : undefined,
    timer: CANDLE_TIMERS.find((timer) => timer === averageTimer) ?? '60min',
  });
}

/**
 * Returns the translation key and values of a sentence about a crossing. If a close crosses its moving average, the
 * sentence has its own key; for every other indicator the sentence names both crossing values.
 */
function crossSentence(
  look: 'summary' | 'line',
  condition: 'crossUp' | 'crossDown',
  average: AverageTerms,
  {
    pair: { base, quote },
    words,
  }: { readonly pair: Pick<AlertContext['pair'], 'base' | 'quote'>; readonly words: CrossedWords },
): AlertSentence {
  const { subject, target } = crossedNames(average, words);
  const values = {
    pair: `${base}/${quote}`,
    unit: quote,
    average: averageName(average),
    subject,
    target,
    interval: TIMER_NAMES[average.timer],
  };
  if (average.kind === 'ma' || average.kind === 'ema') return { key: `${look}${NAMES[condition]}`, values };
  return { key: `${look}${condition === 'crossUp' ? 'IndicatorUp' : 'IndicatorDown'}`, values };
}

/** Returns translation key and values of a short text about the order that a price alert places. */
export function alertOrderLine(
  order: {
    readonly side: Side;
    readonly type: AlertOrderType;
    readonly price: string;
    readonly amount: string;
  },
  { base, quote, priceDigits }: Pick<AlertContext['pair'], 'base' | 'quote' | 'priceDigits'>,
  locale: string,
): AlertSentence {
  const { side, type, price, amount } = order;
  return {
    key: `order.${side}.${type}`,
    values: {
      amount: formatDecimal(amount, locale),
      coin: base,
      price: price === '' ? '' : formatPrice(price, locale, priceDigits),
      unit: quote,
    },
  };
}

/**
 * Returns translation key and values of a short text about the order that the form attaches to the alert;
 * undefined for an alert without an order, and until the order's numbers are entered.
 */
export function formOrderLine(
  form: AlertForm,
  pair: Pick<AlertContext['pair'], 'base' | 'quote' | 'priceDigits'>,
  locale: string,
): AlertSentence | undefined {
  const { hasOrder, side, orderType: type, orderPrice, orderAmount: amount } = form;
  const price = type === 'limit' ? orderPrice : '';
  if (!hasOrder || Decimal.tryParse(amount) === undefined) return undefined;
  if (type === 'limit' && Decimal.tryParse(price) === undefined) return undefined;
  return alertOrderLine({ side, type, price, amount }, pair, locale);
}

interface DescribedAlert {
  readonly pair: Pick<AlertContext['pair'], 'base' | 'quote' | 'priceDigits'>;
  readonly condition: AlertCondition;
  readonly price: Decimal;
  readonly bounds: AlertBounds;
  readonly windowMinutes: AlertWindow | undefined;
}

function valuesOf(
  { pair, condition, price, bounds, windowMinutes }: DescribedAlert,
  locale: string,
): Record<string, string> {
  const digits = pair.priceDigits;
  const pairValues = { pair: `${pair.base}/${pair.quote}`, unit: pair.quote };
  if (condition === 'move')
    return {
      ...pairValues,
      percent: formatDecimal(price.toString(), locale),
      window: windowMinutes === undefined ? '' : ALERT_WINDOW_NAMES[windowMinutes],
    };
  if (condition !== 'pct') return { ...pairValues, price: formatPrice(price.toString(), locale, digits) };
  // The nearest prices above and below with the pair's number of decimals at which the alert triggers.
  const up = bounds.up?.rounded(digits, 'up').toString() ?? '0';
  const down = bounds.down?.rounded(digits, 'down').toString() ?? '0';
  return {
    ...pairValues,
    percent: formatDecimal(price.toString(), locale),
    up: formatPrice(up, locale, digits),
    down: formatPrice(down, locale, digits),
  };
}
