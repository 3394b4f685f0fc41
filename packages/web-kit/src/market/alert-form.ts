import { Decimal, DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import {
  alertBounds,
  alertProblem,
  type AlertBounds,
  type AlertCondition,
  type AlertPause,
  type AlertSource,
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
  /** Percentage of an alert with condition `pct`: 5 is 5 %. */
  readonly percent: string;
  /** Whether the alert stays active after it has triggered. */
  readonly repeat: boolean;
  /** Least time between two notifications of an alert that repeats. */
  readonly pauseMinutes: `${AlertPause}`;
  readonly inbox: boolean;
  readonly mail: boolean;
}

/** The pair and its market data that the price alert form needs. */
export interface AlertContext {
  readonly pair: Pick<Pair, 'symbol' | 'base' | 'quote' | 'priceDigits'>;
  /** The watched price now: the last price, or the index. */
  readonly last?: Decimal | undefined;
}

/** Translation key of a sentence about a price alert (namespace `alerts`), with its parameters. */
export interface AlertSentence {
  readonly key: `summary${'' | 'Index'}${ConditionName}` | `line${ConditionName}`;
  readonly values: Readonly<Record<string, string>>;
}

export type AlertPayload = CallFields<typeof addAlert>;
type ConditionName = 'Gte' | 'Lte' | 'Pct';

const NAMES: Readonly<Record<AlertCondition, ConditionName>> = { gte: 'Gte', lte: 'Lte', pct: 'Pct' };

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
  } as const;
  return withAlertPrice(form, price, last);
}

/**
 * Sets the target price of an alert; the condition follows from the last price. A percentage alert stays one.
 */
export function withAlertPrice(form: AlertForm, price: string, last: Decimal | undefined): AlertForm {
  const parsed = Decimal.tryParse(price);
  if (form.condition === 'pct' || parsed === undefined || last === undefined || parsed.equals(last))
    return { ...form, price };
  return { ...form, price, condition: parsed.isMore(last) ? 'gte' : 'lte' };
}

/**
 * Validation errors of the price alert form by field, identical to the server's refusals; empty when valid.
 */
export function alertProblems(
  form: AlertForm,
  { pair, last }: AlertContext,
): { readonly [Field in keyof AlertForm]?: Refusal } {
  const field = form.condition === 'pct' ? 'percent' : 'price';
  const price = Decimal.tryParse(form[field]);
  const mistyped = decimalProblem(field, form[field], DECIMAL_PLACES);
  const problem =
    mistyped !== undefined
      ? mistyped
      : price === undefined
        ? form.condition === 'pct'
          ? refusal('invalidField', 'l.field_required', { field })
          : refusal('invalidField', 'l.price_required', { field })
        : alertProblem(pair, { condition: form.condition, price, source: form.source }, last);
  const hasChannel = form.inbox || form.mail;
  return {
    ...(problem && { [field]: { ...problem, parameters: { ...problem.parameters, field } } }),
    ...(!hasChannel && { inbox: refusal('invalidField', 'l.field_required', { field: 'channels' }) }),
  };
}

/** Request fields that create the price alert. */
export function alertPayload(form: AlertForm, { pair }: Pick<AlertContext, 'pair'>): AlertPayload {
  const channels = [...(form.inbox ? ['inbox'] : []), ...(form.mail ? ['mail'] : [])];
  return {
    symbol: pair.symbol,
    source: form.source,
    condition: form.condition,
    price: form.condition === 'pct' ? form.percent : form.price,
    repeat: form.repeat ? '1' : '0',
    pauseMinutes: form.pauseMinutes,
    channels: channels.join(','),
  };
}

/** Sentence that summarises a price alert; undefined until a price or percentage is typed. */
export function alertSummary(
  form: AlertForm,
  { pair, last }: AlertContext,
  locale: string,
): AlertSentence | undefined {
  const { condition } = form;
  const price = Decimal.tryParse(condition === 'pct' ? form.percent : form.price);
  if (price === undefined || !price.isPositive()) return undefined;
  if (condition === 'pct' && last === undefined) return undefined;
  const basePrice = last ?? price;
  const described = { pair, condition, price, bounds: alertBounds({ condition, price }, basePrice) };
  const source = form.source === 'index' ? 'Index' : '';
  return { key: `summary${source}${NAMES[condition]}`, values: valuesOf(described, locale) };
}

/** The condition of a price alert, short enough for a list row. */
export function alertLine(
  alert: Alert,
  pair: Pick<AlertContext['pair'], 'base' | 'quote' | 'priceDigits'>,
  locale: string,
): AlertSentence {
  const { condition } = alert;
  const price = Decimal.parse(alert.price);
  const bounds = alertBounds({ condition, price }, Decimal.parse(alert.from));
  return { key: `line${NAMES[condition]}`, values: valuesOf({ pair, condition, price, bounds }, locale) };
}

interface DescribedAlert {
  readonly pair: Pick<AlertContext['pair'], 'base' | 'quote' | 'priceDigits'>;
  readonly condition: AlertCondition;
  readonly price: Decimal;
  readonly bounds: AlertBounds;
}

function valuesOf(
  { pair, condition, price, bounds }: DescribedAlert,
  locale: string,
): Record<string, string> {
  const digits = pair.priceDigits;
  const pairValues = { pair: `${pair.base}/${pair.quote}`, unit: pair.quote };
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
