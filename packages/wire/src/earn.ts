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

/** Fields shared by the endpoints of fixed-term finance and mining; amounts are in the product's coin. */

/** Request fields of a list of earn products. */
export const productsFields = {
  currency: z.optional(coin),
  status: z.optional(z.enum(['0', '1', '2', '3'], 'l.field_choice')),
  ...pagingFields,
};

/** Response fields about the sale of an earn product. */
export const saleFields = {
  /** Total capacity of the product, and its remainder. */
  limit: decimalText,
  remaining: decimalText,
  /**
   * The product's `maxAmount` less the caller's running orders, at least 0; for a visitor `maxAmount`. It can
   * exceed `remaining`.
   */
  userRemaining: decimalText,
  /** Decimals of amounts in the product's coin. */
  digits: z.int(),
  /** Sale status: 0 soon, 1 on sale, 2 sold out, 3 ended. */
  status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /**
   * 1 while the account that pays the earnings covers the next seven days of all running orders of the coin
   * and of a smallest purchase; otherwise 0, and purchases are refused. Independent of `status`.
   */
  selling: flagNumber,
};

/** Rules, fields and response of an endpoint that purchases a product; the amount is locked immediately. */
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

/**
 * Sums over the caller's orders of fixed-term finance or of mining, in USDT at the index price: locked
 * principal, earnings so far, and payments due within 7 days.
 */
export const orderTotals = z.object({
  locked: decimalText,
  earned: decimalText,
  arriving: decimalText,
});

/** Earnings of an earn order on one day. */
export const dayOfOrder = z.object({
  orderId: z.string(),
  name: z.string(),
  currency: z.string(),
  /** 00:00 UTC of the day for which the earnings are paid. */
  date: instantMs,
  /** Day of the earn order's term, counted from 1. */
  day: z.int(),
  principal: decimalText,
  rate: decimalText,
  amount: decimalText,
  /** Total earnings of the earn order up to and including this day. */
  cumulative: decimalText,
});
