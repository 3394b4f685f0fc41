import { Decimal } from '@exchange/core/decimal.ts';
import { scheduleOf } from '@exchange/core/finance.ts';
import {
  buyFinance,
  financeIncome,
  financeOrderDetail,
  financeOrders,
  financeProducts,
  PAY_MODE,
  withdrawFinance,
} from '@exchange/wire/finance.ts';
import { call } from '../api/client.ts';
import { everyPage } from '../api/every-page.ts';
import { type EarnKind, withIdempotencyKey, earnUpdates } from './earn-kind.ts';
import type { Holding } from './shapes.ts';

/** Fixed-term products, described for the shared earn screens. */
export const FINANCE_KIND: EarnKind = {
  part: 'finance',
  ...earnUpdates('finance'),
  tabs: ['hosting', 'completed'],
  products: (signal) => everyPage((page) => call(financeProducts, page, { signal })),
  order: (id, signal) => call(financeOrderDetail, { id }, { signal }),
  orders: ({ tab, ...page }, signal) =>
    call(
      financeOrders,
      { ...page, ...(tab === undefined ? {} : { status: tab === 'hosting' ? '1' : '2' }) },
      signal === undefined ? {} : { signal },
    ),
  income: (orderId, page, signal) => call(financeIncome, { orderId, ...page }, { signal }),
  buy: withIdempotencyKey(buyFinance, () => FINANCE_KIND.refetch()),
  redeem: withIdempotencyKey(withdrawFinance, () => FINANCE_KIND.refetch()),
  tabOf: ({ status }) => (status === 1 ? 'hosting' : 'completed'),
  schedule: ({ period, dailyRate, payMode }, amount, boughtAt) =>
    scheduleOf(
      {
        period,
        dailyRate: Decimal.parse(dailyRate),
        payMode: payMode === PAY_MODE.daily ? 'daily' : 'maturity',
      },
      amount,
      boughtAt,
    ),
  nextCredit,
  redeemableAmount,
};

/**
 * The amount credited at a fixed-term order's next payment, in its coin; the last payment includes the
 * principal.
 */
export function nextCredit(order: Holding): Decimal {
  const isLast = order.nextPayTime === undefined || order.nextPayTime >= order.endTime;
  if (!isLast) return Decimal.parse(order.dailyProfit);
  const interest = order.payMode === PAY_MODE.daily ? order.dailyProfit : order.totalProfit;
  return Decimal.parse(order.amount).plus(Decimal.parse(interest));
}

/**
 * Returns the amount in the order's coin that the user receives by redeeming a matured order: the principal
 * and the unpaid interest.
 */
export function redeemableAmount({ amount, totalProfit, paidProfit }: Holding): Decimal {
  return Decimal.parse(amount).plus(Decimal.parse(totalProfit)).minus(Decimal.parse(paidProfit));
}
