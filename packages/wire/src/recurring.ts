import { RECURRING_COINS_MAX, RECURRING_FREQUENCIES, RECURRING_SKIPS } from '@exchange/core/recurring.ts';
import * as z from 'zod/mini';
import { coin, decimalText, flag, id, instantMs, positiveDecimal, text, whole } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const change: Charge = { limit: 'transfer', weight: 1 };

/** Coins with their shares in percent, such as `BTC:60,ETH:40`. */
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

/** A time of day, such as `09:30`, as minutes after midnight. */
const timeOfDay = z.pipe(
  z.string('l.field_required').check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'l.field_invalid')),
  z.transform((value: string) => Number(value.slice(0, 2)) * 60 + Number(value.slice(3))),
);

const planCoin = z.object({
  currency: z.string(),
  /** Share of the plan's amount, in percent. */
  share: z.int(),
  buys: z.int(),
  /** Total amount paid by all buys, in the plan's coin. */
  paid: decimalText,
  /** Total amount received by all buys, after fees. */
  received: decimalText,
  /** Amounts paid and received at the first buy, for a comparison with a single buy. */
  firstPaid: decimalText,
  firstReceived: decimalText,
});

const plan = z.object({
  id: z.string(),
  /** The coin that is paid, from the spot balance. */
  currency: z.string(),
  amount: decimalText,
  coins: z.array(planCoin),
  frequency: z.enum(RECURRING_FREQUENCIES),
  /** Day of the week of a weekly plan; 1 is Monday. */
  weekday: z.optional(z.int()),
  /** Day of the month of a monthly plan; a shorter month uses its last day. */
  monthDay: z.optional(z.int()),
  time: z.string(),
  timeZone: z.string(),
  status: z.enum(['active', 'paused', 'ended']),
  /** Time of the plan's next buy; 0 if none is planned. */
  nextTime: z.int(),
  /** Number of processed buys in which no coin was bought; times that were missed do not count. */
  skipped: z.int(),
  createTime: instantMs,
  /** Time at which the plan ended; 0 while it has not ended. */
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
    /** Required for weekly plans; 1 is Monday. */
    weekday: z.optional(whole(1, 7)),
    /** Required for monthly plans; a shorter month uses its last day. */
    monthDay: z.optional(whole(1, 31)),
    /** Time of day in the time zone. */
    time: timeOfDay,
    /** IANA name, such as `Europe/Berlin`. */
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
      /** Scheduled time of the buy, and the time when it was processed. */
      time: instantMs,
      executeTime: instantMs,
      /**
       * Number of earlier scheduled times that passed without a buy, because the exchange was not available
       * or waited for a price.
       */
      missed: z.int(),
      coins: z.array(
        z.object({
          currency: z.string(),
          /** Amount that was paid for the coin; for a skipped coin, the amount that would have been paid. */
          amount: decimalText,
          /** Amount received after the fee; 0 for a skipped coin. */
          received: decimalText,
          /** Id of the conversion that bought the coin; absent for a skipped coin. */
          exchangeId: z.optional(z.string()),
          /** Why the coin was not bought; absent for a bought coin. */
          skipped: z.optional(z.enum(RECURRING_SKIPS)),
        }),
      ),
    }),
  ),
});
