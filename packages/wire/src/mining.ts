import * as z from 'zod/mini';
import { decimalText, id, instantMs, positiveDecimal } from './codecs.ts';
import { dayOfOrder, orderTotals, productsFields, purchase, saleOf } from './earn.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/** `status` of an order: 1 in progress (it earns), 2 to be redeemed, 3 redeemed. */
export const MINING_STATUS = { earning: 1, redeemable: 2, redeemed: 3 } as const;

const miningProduct = z.object({
  id: z.string(),
  /** In the caller's language. */
  name: z.string(),
  currency: z.string(),
  logo: z.string(),
  /** Fractions: 0.0002 is 0.02 %. The yearly one is simple, 365 days. */
  dailyRate: decimalText,
  apr: decimalText,
  /** Whole days that an order earns. */
  cycle: z.int(),
  /** The least of one purchase, and what one person may have running. */
  minAmount: decimalText,
  maxAmount: decimalText,
  ...saleOf,
  /** 0: no hash rate feeds it, its rate is fixed by the operator. */
  feedType: z.literal(0),
  /** Where the income comes from, in the caller's language. */
  source: z.string(),
  startTime: instantMs,
  /** When the sale ends; absent where it does not. */
  endTime: z.optional(instantMs),
  /** Grows with every change of the terms. */
  version: z.int(),
  agreementVersion: z.string(),
});

export const miningProducts = endpoint({
  path: '/pool/getList',
  summary: 'The mining products with their terms and what is left of them.',
  access: ANYONE,
  charge: publicRead(2),
  fields: productsFields,
  data: pageOf(miningProduct),
});

export const miningDetail = endpoint({
  path: '/pool/getDetail',
  summary: 'A mining product, and when an amount bought now would begin to earn and what is credited when.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { id, amount: z.optional(positiveDecimal) },
  data: z.extend(miningProduct, {
    /** For `amount`, or the least amount; the principal can be redeemed from `endTime`. */
    schedule: z.object({
      amount: decimalText,
      startTime: instantMs,
      endTime: instantMs,
      dailyIncome: decimalText,
      totalIncome: decimalText,
      credits: z.array(z.object({ time: instantMs, income: decimalText })),
    }),
  }),
});

export const buyMining = endpoint({
  path: '/pool/buy',
  summary: 'Buys a mining product: the amount is locked at once and earns from the next day, 00:00 UTC.',
  ...purchase,
});

const miningOrder = z.object({
  id: z.string(),
  productId: z.string(),
  name: z.string(),
  currency: z.string(),
  logo: z.string(),
  buyTime: instantMs,
  amount: decimalText,
  dailyRate: decimalText,
  cycle: z.int(),
  surplusDays: z.int(),
  /** Credited so far; per day; in all. */
  income: decimalText,
  dailyIncome: decimalText,
  totalIncome: decimalText,
  /** What can be redeemed now. */
  redeemAmount: decimalText,
  /** When it begins to earn, its cycle ends, and it was redeemed. */
  startTime: instantMs,
  endTime: instantMs,
  redeemTime: z.optional(instantMs),
  /** When income is credited next; absent where none is to come. */
  nextPayTime: z.optional(instantMs),
  status: z.union([z.literal(1), z.literal(2), z.literal(3)]),
});

export const miningOrders = endpoint({
  path: '/pool/getRecord',
  summary:
    'The own mining orders, newest first, and what they come to: locked, earned, arriving within 7 days.',
  access: USER,
  charge: signedInRead(2),
  fields: { status: z.optional(z.enum(['1', '2', '3'], 'l.field_choice')), ...pagingFields },
  data: z.extend(pageOf(miningOrder), {
    totals: orderTotals,
  }),
});

export const miningOrderDetail = endpoint({
  path: '/pool/getOrderDetail',
  summary: 'One of the own mining orders.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: miningOrder,
});

export const miningIncome = endpoint({
  path: '/pool/getIncomeRecord',
  summary: 'The income of the own mining orders day by day, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: { orderId: z.optional(id), ...pagingFields },
  data: pageOf(
    z.extend(dayOfOrder, {
      /** When it was credited. */
      creditTime: instantMs,
    }),
  ),
});

export const redeemMining = endpoint({
  path: '/pool/redeem',
  summary:
    'Returns the principal of an order whose cycle has ended, at once; a second time gives the same answer.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: { id },
  data: z.object({ amount: decimalText, redeemTime: instantMs }),
});

/** `mining`: snapshot `[]`, then each own order that was bought, has earned or was redeemed. */
export type MiningMessage = { orderId: string; productId: string; status: 1 | 2 | 3 }[];
