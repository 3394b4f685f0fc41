import * as z from 'zod/mini';
import { decimalText, flagNumber, id, instantMs, positiveDecimal } from './codecs.ts';
import { dayOfOrder, orderTotals, productsFields, purchase, saleOf } from './earn.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/** `status` of a product: 0 soon, 1 on sale, 2 sold out, 3 ended. */
export const PRODUCT_STATUS = { soon: 0, onSale: 1, soldOut: 2, ended: 3 } as const;
/** `payMode`: 1 all interest at maturity, 2 every day for the day before. */
export const PAY_MODE = { maturity: 1, daily: 2 } as const;
/** `status` of an order: 1 hosting, 2 completed. */
export const HOSTING_STATUS = { hosting: 1, completed: 2 } as const;

const payMode = z.union([z.literal(1), z.literal(2)]);

export const financeProduct = z.object({
  id: z.string(),
  /** In the caller's language. */
  name: z.string(),
  currency: z.string(),
  logo: z.string(),
  /** Whole days. */
  period: z.int(),
  /** Fractions: 0.0002 is 0.02 %. The yearly one is simple interest, 365 days. */
  dailyRate: decimalText,
  apr: decimalText,
  /** The least of one purchase. */
  startAmount: decimalText,
  /** What one person may have running. */
  maxAmount: decimalText,
  ...saleOf,
  payMode,
  /** 1: whoever bought it withdraws it after maturity; 0: it is paid out by itself. */
  manual: flagNumber,
  /** Where the interest comes from, in the caller's language. */
  source: z.string(),
  /** When the sale opens. */
  startTime: instantMs,
  /** When the sale ends; absent where it does not. */
  endTime: z.optional(instantMs),
  /** Grows with every change of the terms. */
  version: z.int(),
  agreementVersion: z.string(),
});

export const financeProducts = endpoint({
  path: '/finance/getList',
  summary: 'The fixed-term products with their terms and what is left of them.',
  access: ANYONE,
  charge: publicRead(2),
  fields: productsFields,
  data: pageOf(financeProduct),
});

export const financeDetail = endpoint({
  path: '/finance/getDetail',
  summary: 'A product, and when an amount bought now would begin to earn, be paid and mature.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { id, amount: z.optional(positiveDecimal) },
  data: z.extend(financeProduct, {
    /** For `amount`, or the least amount. */
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
  /** Earned so far; what of it has been paid; what will have been earned in all. */
  profit: decimalText,
  paidProfit: decimalText,
  /** Interest that a completed order has earned and that is not paid yet: it follows as soon as it is funded. */
  owedProfit: decimalText,
  totalProfit: decimalText,
  dailyProfit: decimalText,
  surplusDays: z.int(),
  /** When it was bought, begins to earn, matures, and was paid out. */
  buyTime: instantMs,
  startTime: instantMs,
  endTime: instantMs,
  closeTime: z.optional(instantMs),
  /** When interest is paid next; absent where nothing more is paid. */
  nextPayTime: z.optional(instantMs),
  status: z.union([z.literal(1), z.literal(2)]),
  /** 1 where it has matured and waits to be withdrawn. */
  withdrawable: flagNumber,
});

export const financeOrders = endpoint({
  path: '/finance/getRecord',
  summary: 'The own orders, newest first, and what they come to: locked, earned, arriving within 7 days.',
  access: USER,
  charge: signedInRead(2),
  fields: { status: z.optional(z.enum(['1', '2'], 'l.field_choice')), ...pagingFields },
  data: z.extend(pageOf(financeOrder), {
    totals: orderTotals,
  }),
});

export const financeOrderDetail = endpoint({
  path: '/finance/getOrderDetail',
  summary: 'One of the own fixed-term orders.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: financeOrder,
});

export const financeIncome = endpoint({
  path: '/finance/getIncomeRecord',
  summary: 'The interest of the own orders day by day, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: { orderId: z.optional(id), ...pagingFields },
  data: pageOf(
    z.extend(dayOfOrder, {
      /** 1 where it was paid on its own, 0 where it is paid at maturity. */
      paid: flagNumber,
    }),
  ),
});

export const withdrawFinance = endpoint({
  path: '/finance/withdraw',
  summary:
    'Pays out a matured order, where that has not happened by itself; a second time gives the same answer.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: { id },
  data: z.object({ amount: decimalText, profit: decimalText }),
});

/** `finance`: snapshot `[]`, then each own order that was bought, has earned or was paid out. */
export type FinanceMessage = { orderId: string; productId: string; status: 1 | 2 }[];
