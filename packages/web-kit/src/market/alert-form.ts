import { Decimal, DECIMAL_PLACES } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import {
  alertBounds,
  alertProblem,
  type AlertBounds,
  type AlertCondition,
} from '@exchange/core/price-alert.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { addAlert, Alert } from '@exchange/wire/watchlist.ts';
import type { CallFields } from '../api/client.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { decimalProblem } from '../form/decimal-text.ts';

/** What a person has chosen for a price alert. Texts are plain decimals or empty. */
export interface AlertForm {
  readonly condition: AlertCondition;
  /** Of `gte` and `lte`, in the quote coin. */
  readonly price: string;
  /** Of `pct`: 5 is 5 %. */
  readonly percent: string;
  /** Whether it stays after it has fired. */
  readonly repeat: boolean;
  readonly inbox: boolean;
  readonly mail: boolean;
}

/** What the form knows of the pair and of the moment. */
export interface AlertMoment {
  readonly pair: Pick<Pair, 'symbol' | 'base' | 'quote' | 'priceDigits'>;
  readonly last?: Decimal | undefined;
}

/** A sentence of the namespace `alerts` and what fills it: `t(key, values)`. */
export interface AlertSentence {
  readonly key: `summary${Named}` | `line${Named}`;
  readonly values: Readonly<Record<string, string>>;
}

export type AlertPayload = CallFields<typeof addAlert>;
type Named = 'Gte' | 'Lte' | 'Pct';

const NAMES: Readonly<Record<AlertCondition, Named>> = { gte: 'Gte', lte: 'Lte', pct: 'Pct' };

/** A form to begin with: fires once, in the inbox; the price may come from where the person clicked. */
export function initialAlert(price = '', last?: Decimal): AlertForm {
  const form = { condition: 'gte', price, percent: '5', repeat: false, inbox: true, mail: false } as const;
  return withAlertPrice(form, price, last);
}

/** The form with a price, waiting from the side on which the last price is; a percentage stays one. */
export function withAlertPrice(form: AlertForm, price: string, last: Decimal | undefined): AlertForm {
  const parsed = Decimal.tryParse(price);
  if (form.condition === 'pct' || parsed === undefined || last === undefined || parsed.equals(last))
    return { ...form, price };
  return { ...form, price, condition: parsed.isMore(last) ? 'gte' : 'lte' };
}

/** The problems of the form by field, in the server's own sentences; none means that it can be sent. */
export function alertProblems(
  form: AlertForm,
  { pair, last }: AlertMoment,
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
        : alertProblem(pair, { condition: form.condition, price }, last);
  const hasChannel = form.inbox || form.mail;
  return {
    ...(problem && { [field]: { ...problem, parameters: { ...problem.parameters, field } } }),
    ...(!hasChannel && { inbox: refusal('invalidField', 'l.field_required', { field: 'channels' }) }),
  };
}

/** The fields of the call that sets the alert. */
export function alertPayload(form: AlertForm, { pair }: Pick<AlertMoment, 'pair'>): AlertPayload {
  const channels = [...(form.inbox ? ['inbox'] : []), ...(form.mail ? ['mail'] : [])];
  return {
    symbol: pair.symbol,
    condition: form.condition,
    price: form.condition === 'pct' ? form.percent : form.price,
    repeat: form.repeat ? '1' : '0',
    channels: channels.join(','),
  };
}

/** The whole consequence in one sentence; undefined until price or percentage is typed. */
export function alertSummary(
  form: AlertForm,
  { pair, last }: AlertMoment,
  locale: string,
): AlertSentence | undefined {
  const { condition } = form;
  const price = Decimal.tryParse(condition === 'pct' ? form.percent : form.price);
  if (price === undefined || !price.isPositive()) return undefined;
  if (condition === 'pct' && last === undefined) return undefined;
  const from = last ?? price;
  const described = { pair, condition, price, bounds: alertBounds({ condition, price }, from) };
  return { key: `summary${NAMES[condition]}`, values: valuesOf(described, locale) };
}

/** What an alert waits for, short enough for a row of a list. */
export function alertLine(
  alert: Alert,
  pair: Pick<AlertMoment['pair'], 'base' | 'quote' | 'priceDigits'>,
  locale: string,
): AlertSentence {
  const { condition } = alert;
  const price = Decimal.parse(alert.price);
  const bounds = alertBounds({ condition, price }, Decimal.parse(alert.from));
  return { key: `line${NAMES[condition]}`, values: valuesOf({ pair, condition, price, bounds }, locale) };
}

interface DescribedAlert {
  readonly pair: Pick<AlertMoment['pair'], 'base' | 'quote' | 'priceDigits'>;
  readonly condition: AlertCondition;
  readonly price: Decimal;
  readonly bounds: AlertBounds;
}

function valuesOf(
  { pair, condition, price, bounds }: DescribedAlert,
  locale: string,
): Record<string, string> {
  const digits = pair.priceDigits;
  const named = { pair: `${pair.base}/${pair.quote}`, unit: pair.quote };
  if (condition !== 'pct') return { ...named, price: formatPrice(price.toString(), locale, digits) };
  // The first prices on the grid that trigger it.
  const up = bounds.up?.rounded(digits, 'up').toString() ?? '0';
  const down = bounds.down?.rounded(digits, 'down').toString() ?? '0';
  return {
    ...named,
    percent: formatDecimal(price.toString(), locale),
    up: formatPrice(up, locale, digits),
    down: formatPrice(down, locale, digits),
  };
}
