import * as z from 'zod/mini';
import { decimalText, id, instantMs, positiveDecimal } from './codecs.ts';
import { dayOfOrder, orderTotals, productsFields, purchase, saleFields } from './earn.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/** `status` of an order: 1 earning, 2 can be redeemed, 3 redeemed. */
export const MINING_STATUS = { earning: 1, redeemable: 2, redeemed: 3 } as const;

const miningProduct = z.object({
  id: z.string(),
  name: z.string(),
  currency: z.string(),
  logo: z.string(),
  /**
   * Income rate per day as a fraction: 0.0002 is 0.02 %. `apr` is the rate per year, without compound interest, for 365
   * days.
   */
  dailyRate: decimalText,
  apr: decimalText,
  /** Number of whole days for which an order earns income. */
  cycle: z.int(),
  /**
   * Minimum amount of a purchase; `maxAmount` is the maximum total amount of a user's running orders of the product.
   * Both are in units of the coin `currency`.
   */
  minAmount: decimalText,
  maxAmount: decimalText,
  ...saleFields,
  /** Always 0: the operator sets the income rate, which does not depend on a hash rate. */
  feedType: z.literal(0),
  /** Text that says where the income comes from, in the language of the caller. */
  source: z.string(),
  startTime: instantMs,
  /** Time at which the sale of the product ends; absent if it has no end. */
  endTime: z.optional(instantMs),
  /** Version number of the product's terms; each change of the terms increases it. */
  version: z.int(),
  agreementVersion: z.string(),
});

export const miningProducts = endpoint({
  path: '/pool/getList',
  summary: 'The mining products with their terms and remaining amounts.',
  access: ANYONE,
  charge: publicRead(2),
  fields: productsFields,
  data: pageOf(miningProduct),
});

export const miningDetail = endpoint({
  path: '/pool/getDetail',
  summary: 'A mining product, and the schedule of an amount bought now: start and credits.',
  access: ANYONE,
  charge: publicRead(2),
  fields: { id, amount: z.optional(positiveDecimal) },
  data: z.extend(miningProduct, {
    /**
     * Amount, cycle, income and single credits of an order that is bought now: for the requested `amount`,
     * or, if the request contains none, for the minimum purchase. The principal can be redeemed from
     * `endTime`.
     */
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
  /**
   * Income of the order that was credited so far, in the coin of the order. `dailyIncome` is the income per
   * day, `totalIncome` that of the whole cycle.
   */
  income: decimalText,
  dailyIncome: decimalText,
  totalIncome: decimalText,
  /**
   * Principal of the order that the user can redeem now, in units of the coin `currency`; 0 before the end of
   * the cycle and after the redemption.
   */
  redeemAmount: decimalText,
  /**
   * Start of the order's first day with income. `endTime` is the end of the cycle, `redeemTime` the time of the
   * redemption (absent before it).
   */
  startTime: instantMs,
  endTime: instantMs,
  redeemTime: z.optional(instantMs),
  /** Time at which income is credited next; absent if no more is credited. */
  nextPayTime: z.optional(instantMs),
  status: z.union([z.literal(1), z.literal(2), z.literal(3)]),
});

export const miningOrders = endpoint({
  path: '/pool/getRecord',
  summary: 'The caller’s mining orders, newest first, with totals: locked, earned, due within 7 days.',
  access: USER,
  charge: signedInRead(2),
  fields: { status: z.optional(z.enum(['1', '2', '3'], 'l.field_choice')), ...pagingFields },
  data: z.extend(pageOf(miningOrder), {
    totals: orderTotals,
  }),
});

export const miningOrderDetail = endpoint({
  path: '/pool/getOrderDetail',
  summary: 'One of the caller’s mining orders.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: miningOrder,
});

export const miningIncome = endpoint({
  path: '/pool/getIncomeRecord',
  summary: 'The daily income of the caller’s mining orders, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: { orderId: z.optional(id), ...pagingFields },
  data: pageOf(
    z.extend(dayOfOrder, {
      /** Time at which the income of the day is credited. */
      creditTime: instantMs,
    }),
  ),
});

export const redeemMining = endpoint({
  path: '/pool/redeem',
  summary:
    'Returns the principal of an order whose cycle has ended, immediately; a repeated request gets the same answer.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: { id },
  data: z.object({ amount: decimalText, redeemTime: instantMs }),
});

/**
 * Topic `mining`: the snapshot is `[]`; an update contains each order of the user that was bought, earned income or was
 * redeemed.
 */
export type MiningMessage = { orderId: string; productId: string; status: 1 | 2 | 3 }[];
