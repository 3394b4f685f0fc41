import { RECURRING_COINS_MAX, RECURRING_FREQUENCIES, RECURRING_SKIPS } from '@exchange/core/recurring.ts';
import * as z from 'zod/mini';
import { coin, decimalText, flag, id, instantMs, positiveDecimal, text, whole } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const change: Charge = { limit: 'transfer', weight: 1 };

/** Coins of the plan with their shares in percent, which must add up to 100, such as `BTC:60,ETH:40`. */
const coins = z.pipe(
  z
    .string('l.field_required')
    .check(
      z.minLength(1, 'l.field_required'),
      z.maxLength(RECURRING_COINS_MAX * 15, 'l.field_too_long'),
      z.regex(/^[A-Za-z0-9]{2,10}:\d{1,3}(?:,[A-Za-z0-9]{2,10}:\d{1,3})*$/, 'l.field_invalid'),
    ),
  z.transform((value: string) =>
    value.split(',').map((part) => {
      const [asset = '', share = ''] = part.split(':');
      return { asset: asset.toUpperCase(), share: Number(share) };
    }),
  ),
);

/**
 * Schema of a time of day, such as `09:30`, in 24-hour format; converts it to minutes after midnight and
 * refuses any other format.
 */
const timeOfDay = z.pipe(
  z.string('l.field_required').check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'l.field_invalid')),
  z.transform((value: string) => Number(value.slice(0, 2)) * 60 + Number(value.slice(3))),
);

const planCoin = z.object({
  currency: z.string(),
  /** Share of the coin in the plan's amount, in percent. */
  share: z.int(),
  buys: z.int(),
  /** Total amount paid for this coin by all buys, in the coin that the plan pays with. */
  paid: decimalText,
  /** Total amount of this coin received by all buys, after fees. */
  received: decimalText,
  /**
   * Amount of the paid coin that the plan's first buy of the coin cost; `firstReceived` is the received
   * amount of the coin. With both, the plan can be compared with a single buy.
   */
  firstPaid: decimalText,
  firstReceived: decimalText,
});

const plan = z.object({
  id: z.string(),
  /** The coin with which the plan pays, from the user's spot balance. */
  currency: z.string(),
  amount: decimalText,
  coins: z.array(planCoin),
  frequency: z.enum(RECURRING_FREQUENCIES),
  /** Day of the week on which a weekly plan buys; 1 is Monday. Absent for other plans. */
  weekday: z.optional(z.int()),
  /**
   * Day of the month on which a monthly plan buys; in a month without this day, it buys on the last day.
   * Absent for other plans.
   */
  monthDay: z.optional(z.int()),
  time: z.string(),
  timeZone: z.string(),
  status: z.enum(['active', 'paused', 'ended']),
  /** Time in milliseconds UTC of the plan's next buy; 0 while the plan is paused, and after its end. */
  nextTime: z.int(),
  /**
   * Number of the plan's buys in which every coin was skipped; does not count scheduled times that passed without a
   * buy.
   */
  skipped: z.int(),
  createTime: instantMs,
  /** Time in milliseconds UTC at which the plan ended; 0 while it has not ended. */
  endTime: z.int(),
});

export const recurringPlans = endpoint({
  path: '/recurring/getList',
  summary: 'The caller’s recurring buys that have not ended, newest first; with `ended`, those that have.',
  access: USER,
  charge: signedInRead(1),
  fields: { ended: z._default(flag, false), ...pagingFields },
  data: pageOf(plan),
});

export const createRecurring = endpoint({
  path: '/recurring/create',
  summary:
    'Creates a recurring buy: pays `amount` of `currency` from the spot balance at every scheduled time and buys `coins` with it, at the rate of an instant exchange at that time.',
  access: { who: 'user', verified: true },
  charge: change,
  idempotent: true,
  fields: {
    currency: coin,
    amount: positiveDecimal,
    coins,
    frequency: z.enum(RECURRING_FREQUENCIES, 'l.field_choice'),
    /** Day of the week for weekly plans, for which the field is mandatory; 1 is Monday. */
    weekday: z.optional(whole(1, 7)),
    /**
     * Day of the month for monthly plans, for which the field is mandatory; in a month without this day, the last day
     * counts.
     */
    monthDay: z.optional(whole(1, 31)),
    /** Time of day of each buy, such as `09:30`, in the time zone `timeZone`. */
    time: timeOfDay,
    /** IANA name of a time zone, such as `Europe/Berlin`. */
    timeZone: text(64),
  },
  data: plan,
});

const planChange = { access: USER, charge: change, fields: { id }, data: plan };

export const pauseRecurring = endpoint({
  path: '/recurring/pause',
  summary: 'Pauses a recurring buy: it buys nothing until it is resumed.',
  ...planChange,
});

export const resumeRecurring = endpoint({
  path: '/recurring/resume',
  summary: 'Resumes a paused recurring buy at its next time.',
  ...planChange,
  access: { who: 'user', verified: true },
});

export const endRecurring = endpoint({
  path: '/recurring/end',
  summary: 'Ends a recurring buy for good.',
  ...planChange,
});

export const recurringBuys = endpoint({
  path: '/recurring/getBuys',
  summary: 'What the caller’s recurring buys have bought and skipped, newest first; optionally of one.',
  access: USER,
  charge: signedInRead(1),
  fields: { id: z.optional(id), ...pagingFields },
  data: pageOf(
    z.object({
      id: z.string(),
      planId: z.string(),
      /** The coin with which the buy was paid. */
      currency: z.string(),
      /** Time for which the buy was scheduled; `executeTime` is the time at which it was executed. */
      time: instantMs,
      executeTime: instantMs,
      /**
       * Number of scheduled times since the previous buy at which the plan bought nothing, because the exchange did not
       * run or still waited for a price.
       */
      missed: z.int(),
      coins: z.array(
        z.object({
          currency: z.string(),
          /**
           * Amount paid for the coin, in the coin with which the buy was paid; for a skipped coin, the amount
           * that would have been paid.
           */
          amount: decimalText,
          /** Amount of the coin received, after the fee; 0 for a skipped coin. */
          received: decimalText,
          /** ID of the conversion that bought the coin; absent for a skipped coin. */
          exchangeId: z.optional(z.string()),
          /** Why the coin was not bought; absent for a bought coin. */
          skipped: z.optional(z.enum(RECURRING_SKIPS)),
        }),
      ),
    }),
  ),
});
