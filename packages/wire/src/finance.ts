import * as z from 'zod/mini';
import { decimalText, flagNumber, id, instantMs, positiveDecimal } from './codecs.ts';
import { dayOfOrder, orderTotals, productsFields, purchase, saleFields } from './earn.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/** `status` of a product: 0 sale not begun, 1 on sale, 2 sold out, 3 sale ended. */
export const PRODUCT_STATUS = { soon: 0, onSale: 1, soldOut: 2, ended: 3 } as const;
/** `payMode`: 1 all interest is paid at maturity; 2 interest is paid daily, for the previous day. */
export const PAY_MODE = { maturity: 1, daily: 2 } as const;
/** `status` of a fixed-term order: 1 running, 2 completed. */
export const HOSTING_STATUS = { hosting: 1, completed: 2 } as const;

const payMode = z.union([z.literal(1), z.literal(2)]);

export const financeProduct = z.object({
  id: z.string(),
  name: z.string(),
  currency: z.string(),
  logo: z.string(),
  /** Term of the product in whole days. */
  period: z.int(),
  /**
   * Interest rate per day as a fraction: 0.0002 is 0.02 %. `apr` is the rate per year, without compound interest, for
   * 365 days.
   */
  dailyRate: decimalText,
  apr: decimalText,
  startAmount: decimalText,
  /** Maximum total amount of a user's running orders of the product, in units of the coin `currency`. */
  maxAmount: decimalText,
  ...saleFields,
  payMode,
  /** 1 if the user must redeem an order after its maturity; 0 if the order is paid out automatically. */
  manual: flagNumber,
  /** Text that says where the interest comes from, in the language of the caller. */
  source: z.string(),
  /** Time at which the sale of the product begins. */
  startTime: instantMs,
  /** Time at which the sale of the product ends; absent if it has no end. */
  endTime: z.optional(instantMs),
  /** Version number of the product's terms; each change of the terms increases it. */
  version: z.int(),
  agreementVersion: z.string(),
});

export const financeProducts = endpoint({
  path: '/finance/getList',
  summary: 'The fixed-term products with their terms and remaining amounts.',
  access: ANYONE,
  charge: publicRead(2),
  fields: productsFields,
  data: pageOf(financeProduct),
});

export const financeDetail = endpoint({
  path: '/finance/getDetail',
  summary: 'A product, and the schedule of an amount bought now: start, payments and maturity.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { id, amount: z.optional(positiveDecimal) },
  data: z.extend(financeProduct, {
    /**
     * Amount, term, interest and single payments of an order that is bought now: for the requested `amount`,
     * or, if the request contains none, for the minimum purchase.
     */
    schedule: z.object({
      amount: decimalText,
      startTime: instantMs,
      endTime: instantMs,
      dailyProfit: decimalText,
      totalProfit: decimalText,
      payments: z.array(z.object({ time: instantMs, profit: decimalText, principal: decimalText })),
    }),
  }),
});

export const buyFinance = endpoint({
  path: '/finance/buy',
  summary: 'Buys a fixed-term product: the amount is locked at once and earns from the next day, 00:00 UTC.',
  ...purchase,
});

export const financeOrder = z.object({
  id: z.string(),
  productId: z.string(),
  name: z.string(),
  currency: z.string(),
  logo: z.string(),
  amount: decimalText,
  dailyRate: decimalText,
  period: z.int(),
  payMode,
  /**
   * Interest that the order has earned so far, in the coin of the order; `paidProfit` is the paid part of it.
   */
  profit: decimalText,
  paidProfit: decimalText,
  /**
   * Interest of a completed order that was not paid, because the account from which interest is paid has too
   * little; in the coin of the order.
   */
  owedProfit: decimalText,
  totalProfit: decimalText,
  dailyProfit: decimalText,
  surplusDays: z.int(),
  /**
   * Time of the purchase. `startTime` is the start of the first day with interest, `endTime` the maturity, and
   * `closeTime` the payout (absent before it).
   */
  buyTime: instantMs,
  startTime: instantMs,
  endTime: instantMs,
  closeTime: z.optional(instantMs),
  /**
   * Time of the next payment of interest, or when all interest is paid, of the payment of the principal; absent when
   * the order is completed.
   */
  nextPayTime: z.optional(instantMs),
  status: z.union([z.literal(1), z.literal(2)]),
  /** 1 if the order has matured and the user can redeem it, otherwise 0. */
  withdrawable: flagNumber,
});

export const financeOrders = endpoint({
  path: '/finance/getRecord',
  summary: 'The caller’s orders, newest first, with totals: locked, earned, due within 7 days.',
  access: USER,
  charge: signedInRead(2),
  fields: { status: z.optional(z.enum(['1', '2'], 'l.field_choice')), ...pagingFields },
  data: z.extend(pageOf(financeOrder), {
    totals: orderTotals,
  }),
});

export const financeOrderDetail = endpoint({
  path: '/finance/getOrderDetail',
  summary: 'One of the caller’s fixed-term orders.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: financeOrder,
});

export const financeIncome = endpoint({
  path: '/finance/getIncomeRecord',
  summary: 'The daily interest of the caller’s orders, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: { orderId: z.optional(id), ...pagingFields },
  data: pageOf(
    z.extend(dayOfOrder, {
      /** 1 if the interest of the order is paid daily, 0 if it is paid at maturity. */
      paid: flagNumber,
    }),
  ),
});

export const withdrawFinance = endpoint({
  path: '/finance/withdraw',
  summary:
    'Pays out a matured order that was not paid out automatically; a repeated request gets the same answer.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: { id },
  data: z.object({ amount: decimalText, profit: decimalText }),
});

/**
 * Topic `finance`: the snapshot is `[]`; an update contains each order of the user that was bought, earned interest or
 * was paid out.
 */
export type FinanceMessage = { orderId: string; productId: string; status: 1 | 2 }[];
