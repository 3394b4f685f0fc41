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

/**
 * This file contains the fields that the endpoints of fixed-term products and of mining products share.
 * Amounts are in units of the product's coin, except those of `orderTotals`, which are in USDT.
 */

/**
 * Request fields of the lists of earn products: the coin and the sale status of the listed products, and the
 * paging.
 */
export const productsFields = {
  currency: z.optional(coin),
  status: z.optional(z.enum(['0', '1', '2', '3'], 'l.field_choice')),
  ...pagingFields,
};

/** Response fields about the sale of an earn product. */
export const saleFields = {
  /**
   * Maximum sum of all sales of the product since it exists, in the product's coin; `remaining` is the part
   * that has not been sold.
   */
  limit: decimalText,
  remaining: decimalText,
  /**
   * The product's `maxAmount` less the amount of the caller's running orders of the product, in the product's
   * coin, at least 0; for a visitor `maxAmount`. Can be more than `remaining`.
   */
  userRemaining: decimalText,
  /** Number of decimals of amounts in the product's coin. */
  digits: z.int(),
  /** Status of the sale: 0 not begun, 1 on sale, 2 sold out, 3 ended. */
  status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /**
   * 1 if the account from which the earnings are paid covers the next seven days of all running orders of the coin and
   * of a minimum purchase. Otherwise 0, and purchases are refused, whatever `status` is.
   */
  selling: flagNumber,
};

/**
 * Access rules, fields and response of an endpoint that purchases a product. The purchase immediately locks the paid
 * amount.
 */
export const purchase = {
  access: { who: 'user', verified: true, tradePassword: true },
  charge: { limit: 'transfer', weight: 1 },
  idempotent: true,
  fields: {
    id,
    amount: positiveDecimal,
    /** True if the user accepts the agreement in the version `agreementVersion`. Otherwise the purchase is refused. */
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
 * Sums over the caller's orders, either of fixed-term products or of mining products, in USDT at the index price: the
 * locked principal, the earnings so far, and the principal and earnings that are due by now or become due within the
 * next 7 × 24 hours and are not paid yet. A coin without a price counts as zero.
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
  /** Beginning (00:00 UTC) of the day for which the earnings are paid. */
  date: instantMs,
  /** Number of this day within the term of the order; the first day is 1. */
  day: z.int(),
  principal: decimalText,
  rate: decimalText,
  amount: decimalText,
  /** Total earnings of the order until the end of this day, in units of the coin `currency`. */
  cumulative: decimalText,
});
