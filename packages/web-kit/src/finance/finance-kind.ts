import { Decimal } from '@exchange/core/decimal.ts';
import { scheduleOf } from '@exchange/core/finance.ts';
import {
  buyFinance,
  financeIncome,
  financeOrders,
  financeProducts,
  PAY_MODE,
  withdrawFinance,
} from '@exchange/wire/finance.ts';
import { call } from '../api/client.ts';
import { PAGE_SIZE } from '../api/list-state.tsx';
import type { EarnKind } from './earn-kind.ts';
import { nextCredit, stillToCome } from './holding.ts';
import { earnUpdates } from './live.ts';
import { keyed } from './deed.ts';

const PRODUCTS_MAX = 100;

/** Fixed-term products. */
export const FINANCE_KIND: EarnKind = {
  part: 'finance',
  ...earnUpdates('finance'),
  tabs: ['hosting', 'completed'],
  products: async (signal) => (await call(financeProducts, { pageSize: PRODUCTS_MAX }, { signal })).list,
  orders: ({ tab, ...page }, signal) =>
    call(
      financeOrders,
      { ...page, ...(tab === undefined ? {} : { status: tab === 'hosting' ? '1' : '2' }) },
      signal === undefined ? {} : { signal },
    ),
  income: (orderId, pageNo, signal) =>
    call(financeIncome, { orderId, pageNo, pageSize: PAGE_SIZE }, { signal }),
  buy: keyed(buyFinance, () => FINANCE_KIND.ask()),
  moveOut: keyed(withdrawFinance, () => FINANCE_KIND.ask()),
  tabOf: ({ status }) => (status === 1 ? 'hosting' : 'completed'),
  schedule: ({ period, dailyRate, payMode }, amount, boughtAt) =>
    scheduleOf(
      {
        ...{ period, dailyRate: Decimal.parse(dailyRate) },
        payMode: payMode === PAY_MODE.daily ? 'daily' : 'maturity',
      },
      amount,
      boughtAt,
    ),
  ...{ nextCredit, stillToCome },
};
