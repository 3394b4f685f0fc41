import * as z from 'zod/mini';
import {
  coin,
  decimalText,
  flag,
  flagNumber,
  id,
  instantMs,
  positiveDecimal,
  termsShown,
  text,
} from './codecs.ts';
import { pagingFields } from './paging.ts';
import { tradePasswordField } from './step-up.ts';

/** What the calls of fixed-term finance and of mining have in common. */

/** Of a list of products. */
export const productsFields = {
  currency: z.optional(coin),
  status: z.optional(z.enum(['0', '1', '2', '3'], 'l.field_choice')),
  ...pagingFields,
};

/** Of a product: how far its sale is. */
export const saleOf = {
  /** What there is in all, and what is left of it. */
  limit: decimalText,
  remaining: decimalText,
  /** What the caller may still buy; of a visitor, as much as anybody. */
  userRemaining: decimalText,
  /** Digits of amounts. */
  digits: z.int(),
  /** 0 soon, 1 on sale, 2 sold out, 3 ended. */
  status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** 0 while the house has not funded what the next days earn: nobody can buy. */
  selling: flagNumber,
};

/** Of a purchase, whose amount is locked at once. */
export const purchase = {
  access: { who: 'user', verified: true, tradePassword: true },
  charge: { limit: 'transfer', weight: 1 },
  idempotent: true,
  fields: {
    id,
    amount: positiveDecimal,
    /** The agreement of this version is accepted. */
    agree: flag,
    agreementVersion: text(20),
    ...termsShown,
    ...tradePasswordField,
  },
  data: z.object({
    orderId: z.string(),
    startTime: instantMs,
    endTime: instantMs,
    expectProfit: decimalText,
  }),
} as const;

/** Of all own orders, in USDT at the index. */
export const orderTotals = z.object({
  locked: decimalText,
  earned: decimalText,
  arriving: decimalText,
});

/** What an order has earned in one day. */
export const dayOfOrder = z.object({
  orderId: z.string(),
  name: z.string(),
  currency: z.string(),
  /** 00:00 UTC of the day that was earned. */
  date: instantMs,
  /** Which day of the order, from 1. */
  day: z.int(),
  principal: decimalText,
  rate: decimalText,
  amount: decimalText,
  /** Earned with this order up to this day. */
  cumulative: decimalText,
});
