import * as z from 'zod/mini';
import {
  coin,
  decimalText,
  flag,
  flagNumber,
  id,
  instantMs,
  positiveDecimal,
  termsVersionField,
  text,
} from './codecs.ts';
import { pagingFields } from './paging.ts';
import { tradePasswordField } from './step-up.ts';

/** Fields shared by the calls of fixed-term finance and mining. */

/** Request fields of a list of products. */
export const productsFields = {
  currency: z.optional(coin),
  status: z.optional(z.enum(['0', '1', '2', '3'], 'l.field_choice')),
  ...pagingFields,
};

/** State of a product's sale. */
export const saleFields = {
  /** Total capacity, and its remainder. */
  limit: decimalText,
  remaining: decimalText,
  /** Amount that the caller can still buy; for a visitor, the limit of a new user. */
  userRemaining: decimalText,
  /** Decimals of amounts. */
  digits: z.int(),
  /** 0 soon, 1 on sale, 2 sold out, 3 ended. */
  status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** 0 while the interest of the next days is not funded; nobody can buy then. */
  selling: flagNumber,
};

/** Description of a purchase; its amount is locked immediately. */
export const purchase = {
  access: { who: 'user', verified: true, tradePassword: true },
  charge: { limit: 'transfer', weight: 1 },
  idempotent: true,
  fields: {
    id,
    amount: positiveDecimal,
    /** Accepts the agreement of the given version. */
    agree: flag,
    agreementVersion: text(20),
    ...termsVersionField,
    ...tradePasswordField,
  },
  data: z.object({
    orderId: z.string(),
    startTime: instantMs,
    endTime: instantMs,
    expectProfit: decimalText,
  }),
} as const;

/** Sums over all orders of the caller, in USDT at the index. */
export const orderTotals = z.object({
  locked: decimalText,
  earned: decimalText,
  arriving: decimalText,
});

/** Earnings of an order on one day. */
export const dayOfOrder = z.object({
  orderId: z.string(),
  name: z.string(),
  currency: z.string(),
  /** 00:00 UTC of the earning day. */
  date: instantMs,
  /** Day of the order's term, counted from 1. */
  day: z.int(),
  principal: decimalText,
  rate: decimalText,
  amount: decimalText,
  /** Total earnings of the order up to and including this day. */
  cumulative: decimalText,
});
