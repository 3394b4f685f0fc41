import type { Decimal } from '@exchange/core/decimal.ts';
import {
  RECURRING_COINS_MAX,
  recurringCoinsProblem,
  RecurringTimes,
  type RecurringFrequency,
  type RecurringSchedule,
} from '@exchange/core/recurring.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import type { createRecurring } from '@exchange/wire/recurring.ts';
import type { CallFields } from '../api/client.ts';
import { typedAmount } from '../form/decimal-text.ts';

/** A coin to buy; its share is the typed percentage of the paid amount. */
interface FormCoin {
  readonly coin: string;
  readonly share: string;
}

/** Values of the form of a recurring buy, as typed. */
export interface RecurringForm {
  readonly currency: string;
  readonly amount: string;
  readonly coins: readonly FormCoin[];
  readonly frequency: RecurringFrequency;
  /** Day of the week as text; `1` is Monday. */
  readonly weekday: string;
  readonly monthDay: string;
  /** Time of day in the time zone `timeZone`, such as `09:30`. */
  readonly time: string;
  readonly timeZone: string;
}

export type RecurringPayload = CallFields<typeof createRecurring>;

/** Returns the initial values of the form: a daily buy of BTC for USDT at 09:00 in `timeZone`. */
export function initialRecurring(timeZone: string): RecurringForm {
  return {
    currency: 'USDT',
    amount: '',
    coins: [{ coin: 'BTC', share: '100' }],
    frequency: 'day',
    weekday: '1',
    monthDay: '1',
    time: '09:00',
    timeZone,
  };
}

/**
 * The problems of the form of a recurring buy by field; an empty object if the form can be sent. `digits` is the number
 * of decimals of the paid coin.
 */
export function recurringProblems(
  { currency, amount, coins, time }: RecurringForm,
  digits: number,
): { readonly [Field in keyof RecurringForm]?: Refusal } {
  const typed = typedAmount('amount', amount, digits);
  const amountProblem = !typed.ok
    ? typed.refusal
    : typed.value.isPositive()
      ? undefined
      : refusal('invalidField', 'l.field_positive', { field: 'amount' });
  const coinsProblem = recurringCoinsProblem(
    currency,
    coins.map(({ coin, share }) => ({ asset: coin, share: wholeShare(share) })),
  );
  const timeProblem =
    minuteOf(time) === undefined ? refusal('invalidField', 'l.field_required', { field: 'time' }) : undefined;
  return {
    ...(amountProblem && { amount: amountProblem }),
    ...(coinsProblem && { coins: coinsProblem }),
    ...(timeProblem && { time: timeProblem }),
  };
}

/** Returns the request fields that create a recurring buy with the form's values. */
export function recurringPayload(form: RecurringForm): RecurringPayload {
  const { currency, amount, coins, frequency, weekday, monthDay, time, timeZone } = form;
  return {
    currency,
    amount,
    coins: coins.map(({ coin, share }) => `${coin}:${share}`).join(','),
    frequency,
    ...(frequency === 'week' && { weekday }),
    ...(frequency === 'month' && { monthDay }),
    time,
    timeZone,
  };
}

/**
 * The next `count` times of the form's schedule after `now`, in milliseconds UTC; an empty list while the time
 * is incomplete.
 */
export function nextTimes(form: RecurringForm, now: number, count: number): readonly number[] {
  const schedule = scheduleOf(form);
  if (schedule === undefined) return [];
  const times = new RecurringTimes(schedule);
  const found: number[] = [];
  let last = instant(Math.floor(now));
  while (found.length < count) {
    last = times.next(last);
    found.push(last);
  }
  return found;
}

/**
 * Returns the coins of the form of a recurring buy with one more coin, with the shares split evenly;
 * unchanged if the form already has the maximum number of coins.
 */
export function withCoin(coins: readonly FormCoin[], coin: string): readonly FormCoin[] {
  return coins.length >= RECURRING_COINS_MAX ? coins : evenly([...coins, { coin, share: '0' }]);
}

/**
 * Removes a coin from the form and splits the shares of the remaining coins evenly; the last coin cannot be removed.
 */
export function withoutCoin(coins: readonly FormCoin[], coin: string): readonly FormCoin[] {
  return coins.length <= 1 ? coins : evenly(coins.filter((row) => row.coin !== coin));
}

/**
 * Returns the coins with equal shares in whole percent; if 100 is not divisible by their number, the first coins get
 * one percent more.
 */
function evenly(coins: readonly FormCoin[]): readonly FormCoin[] {
  const each = Math.floor(100 / coins.length);
  const rest = 100 - each * coins.length;
  return coins.map(({ coin }, index) => ({ coin, share: String(each + (index < rest ? 1 : 0)) }));
}

/**
 * Parses a typed share in whole percent. Returns 0 if the text is not a whole number; the form refuses a share of 0.
 */
function wholeShare(text: string): number {
  return /^\d{1,3}$/.test(text) ? Number(text) : 0;
}

function scheduleOf({
  frequency,
  weekday,
  monthDay,
  time,
  timeZone,
}: RecurringForm): RecurringSchedule | undefined {
  const minute = minuteOf(time);
  if (minute === undefined) return undefined;
  return {
    frequency,
    weekday: Number(weekday),
    monthDay: Number(monthDay),
    minute,
    timeZone,
  };
}

/** Converts a time of day such as `09:30` to minutes after midnight; undefined while the typed time is incomplete. */
function minuteOf(time: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2]);
}

/** Returns `amount` minus `base`, as a fraction of `base`; undefined unless `base` is positive. */
export function relativeDifference(amount: Decimal, base: Decimal): string | undefined {
  return base.isPositive() ? amount.minus(base).over(base, 'down', 6).toString() : undefined;
}
