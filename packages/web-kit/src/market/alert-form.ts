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
  isCross,
  TIMER_NAMES,
  type AlertBounds,
  type AlertCondition,
  type AlertOrderType,
  type AlertPause,
  type AlertSource,
  type AlertWindow,
  type AverageKind,
} from '@exchange/core/price-alert.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { addAlert, Alert } from '@exchange/wire/watchlist.ts';
import type { CallFields } from '../api/client.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { decimalProblem } from '../form/decimal-text.ts';

/** Values of the price alert form. Texts are plain decimals or empty. */
export interface AlertForm {
  /** The watched price. */
  readonly source: AlertSource;
  readonly condition: AlertCondition;
  /** Target price of an alert with condition `gte` or `lte`, in the quote coin. */
  readonly price: string;
  /** Percentage of an alert with condition `pct` or `move`: 5 is 5 %. */
  readonly percent: string;
  /** Time within which the price of an alert with condition `move` has to move. */
  readonly windowMinutes: `${AlertWindow}`;
  /** The moving average of a crossing: kind, number of candles, and their interval. */
  readonly average: AverageKind;
  readonly averagePeriod: string;
  readonly averageTimer: CandleTimer;
  /** Whether the alert stays active after it has triggered. */
  readonly repeat: boolean;
  /** Least time between two notifications of an alert that repeats. */
  readonly pauseMinutes: `${AlertPause}`;
  readonly inbox: boolean;
  readonly mail: boolean;
  /** Whether an order is placed when the alert triggers; the alert then does not repeat. */
  readonly hasOrder: boolean;
  readonly side: Side;
  readonly orderType: AlertOrderType;
  /** Limit price, in the quote coin; unused for a market order. */
  readonly orderPrice: string;
  /** Amount of the order, in the base coin. */
  readonly orderAmount: string;
}

/** The pair and its market data that the price alert form needs. */
export interface AlertContext {
  readonly pair: Pick<Pair, 'symbol' | 'base' | 'quote' | 'priceDigits'>;
  /** The pair with its limits for orders; undefined where no order can be prepared. */
  readonly tradable?: (Pair & { readonly filters: PairFilters }) | undefined;
  /** The watched price now: the last price, or the index. */
  readonly last?: Decimal | undefined;
}

type ConditionName = 'Gte' | 'Lte' | 'Pct' | 'Move' | 'CrossUp' | 'CrossDown';

/** Translation key of a sentence about a price alert (namespace `alerts`), with its parameters. */
export interface AlertSentence {
  readonly key:
    | `summary${ConditionName}`
    | `summaryIndex${'Gte' | 'Lte' | 'Pct' | 'Move'}`
    | `line${ConditionName}`
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

/** The number field of each condition, at which its errors are shown. */
const NUMBER_FIELDS = {
  gte: 'price',
  lte: 'price',
  pct: 'percent',
  move: 'percent',
  crossUp: 'averagePeriod',
  crossDown: 'averagePeriod',
} as const satisfies Record<AlertCondition, keyof AlertForm>;

/** Initial form: one-time, on the last price, by inbox; the price may come from a click in the chart. */
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
 * Sets the target price of an alert. `gte` becomes `lte`, or the reverse, where the target lies on the other side of
 * `last`, the watched price now; other conditions stay.
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

/** The price that an alert watches: crossings always watch candles of the last price. */
export function watchedSource({ condition, source }: AlertForm): AlertForm['source'] {
  return isCross(condition) ? 'last' : source;
}

/** Errors of the form by field. */
type AlertProblems = Partial<Record<keyof AlertForm, Refusal>>;

/**
 * Validation errors of the price alert form by field, by rules that the server shares; empty when valid.
 */
export function alertProblems(form: AlertForm, { pair, last, tradable }: AlertContext): AlertProblems {
  const field = NUMBER_FIELDS[form.condition];
  const problems: AlertProblems = {};
  const problem = conditionProblem(form, { pair, last });
  if (problem !== undefined) problems[field] = withField(problem, field);
  if (!form.inbox && !form.mail)
    problems.inbox = refusal('invalidField', 'l.field_required', { field: 'channels' });
  if (form.hasOrder) Object.assign(problems, orderProblems(form, tradable));
  return problems;
}

function conditionProblem(form: AlertForm, { pair, last }: AlertContext): Refusal | undefined {
  const { condition, source } = form;
  const field = NUMBER_FIELDS[condition];
  const number = Decimal.tryParse(form[field]);
  const mistyped = decimalProblem(field, form[field], isCross(condition) ? 0 : DECIMAL_PLACES);
  if (mistyped !== undefined) return mistyped;
  if (number === undefined)
    return refusal('invalidField', field === 'price' ? 'l.price_required' : 'l.field_required', { field });
  const average = { kind: form.average, period: Number(form.averagePeriod), timer: form.averageTimer };
  const windowMinutes = windowOf(form);
  const terms = isCross(condition)
    ? { condition, source: 'last' as const, price: Decimal.zero, average }
    : { condition, source, price: number, windowMinutes };
  return alertProblem(pair, terms, last);
}

/** The errors of an order's fields, compared with the price at which the alert triggers, if it has one. */
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

/** Translation key of the sentence that says when a repeating alert triggers again. */
export function repeatHintOf({ condition }: Pick<AlertForm, 'condition'>) {
  if (condition === 'pct') return 'repeatHintPct' as const;
  if (condition === 'move') return 'repeatHintMove' as const;
  return isCross(condition) ? ('repeatHintCross' as const) : ('repeatHint' as const);
}

/** Request fields that create the price alert. */
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
  const { condition, price, percent, windowMinutes, average, averagePeriod, averageTimer } = form;
  if (isCross(condition)) return { average, averagePeriod, averageTimer };
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
 * Sentence that summarises a price alert; undefined until a price, percentage or period is typed, and for condition
 * `pct` while the watched price is unknown.
 */
export function alertSummary(
  form: AlertForm,
  { pair, last }: AlertContext,
  locale: string,
): AlertSentence | undefined {
  const { condition } = form;
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
      average: { kind: form.average, period: form.averagePeriod, timer: form.averageTimer },
    },
    locale,
  );
  if (condition === 'crossUp' || condition === 'crossDown')
    return { key: `summary${NAMES[condition]}`, values };
  const name = NAMES[condition];
  return { key: form.source === 'index' ? `summaryIndex${name}` : `summary${name}`, values };
}

/** The condition of a price alert, short enough for a list row. */
export function alertLine(
  alert: Alert,
  pair: Pick<AlertContext['pair'], 'base' | 'quote' | 'priceDigits'>,
  locale: string,
): AlertSentence {
  const { condition, average, averagePeriod, averageTimer } = alert;
  const price = Decimal.parse(alert.price);
  const described = {
    pair,
    condition,
    price,
    bounds: alertBounds({ condition, price }, Decimal.parse(alert.from)),
    windowMinutes: ALERT_WINDOWS.find((minutes) => minutes === alert.windowMinutes),
    average: {
      kind: average === '' ? ('ma' as const) : average,
      period: String(averagePeriod),
      timer: CANDLE_TIMERS.find((timer) => timer === averageTimer) ?? '60min',
    },
  };
  return { key: `line${NAMES[condition]}`, values: valuesOf(described, locale) };
}

/** The order of a price alert in a few words. */
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

/** The order of a form in a few words; undefined without an order, and until its numbers are typed. */
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
  readonly average: { readonly kind: AverageKind; readonly period: string; readonly timer: CandleTimer };
}

function valuesOf(
  { pair, condition, price, bounds, windowMinutes, average }: DescribedAlert,
  locale: string,
): Record<string, string> {
  const digits = pair.priceDigits;
  const pairValues = { pair: `${pair.base}/${pair.quote}`, unit: pair.quote };
  if (isCross(condition))
    return {
      ...pairValues,
      average: averageName({ kind: average.kind, period: Number(average.period) }),
      interval: TIMER_NAMES[average.timer],
    };
  if (condition === 'move')
    return {
      ...pairValues,
      percent: formatDecimal(price.toString(), locale),
      window: windowMinutes === undefined ? '' : ALERT_WINDOW_NAMES[windowMinutes],
    };
  if (condition !== 'pct') return { ...pairValues, price: formatPrice(price.toString(), locale, digits) };
  // The first multiples of the tick size that trigger the alert.
  const up = bounds.up?.rounded(digits, 'up').toString() ?? '0';
  const down = bounds.down?.rounded(digits, 'down').toString() ?? '0';
  return {
    ...pairValues,
    percent: formatDecimal(price.toString(), locale),
    up: formatPrice(up, locale, digits),
    down: formatPrice(down, locale, digits),
  };
}
