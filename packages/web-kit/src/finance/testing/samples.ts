import { DAY_MS } from '@exchange/core/time.ts';
import type { Holding, IncomeDay, Product } from '../shapes.ts';

export const NOW = Date.UTC(2026, 10, 23, 10);
const MIDNIGHT = Date.UTC(2026, 10, 24);

/** Test data: an earn product of 30 days in USDT with daily payments. */
export const PRODUCT: Product = {
  id: 'p1',
  name: 'USDT 30 days',
  currency: 'USDT',
  logo: '',
  period: 30,
  digits: 8,
  dailyRate: '0.0002',
  apr: '0.073',
  startAmount: '100',
  maxAmount: '1000',
  userRemaining: '1000',
  limit: '5000',
  remaining: '4000',
  status: 1,
  selling: 1,
  payMode: 2,
  manual: 0,
  source: 'Lent to market makers.',
  startTime: NOW - DAY_MS,
  version: 1,
  agreementVersion: 'v1',
};

/** Test data: an order of `PRODUCT` with twelve days of paid interest. */
export const HOLDING: Holding = {
  id: 'o1',
  productId: 'p1',
  name: 'USDT 30 days',
  currency: 'USDT',
  logo: '',
  amount: '2500',
  dailyRate: '0.0002',
  period: 30,
  payMode: 2,
  profit: '6',
  paidProfit: '6',
  owedProfit: '0',
  totalProfit: '15',
  dailyProfit: '0.5',
  surplusDays: 18,
  status: 1,
  withdrawable: 0,
  buyTime: MIDNIGHT - 13 * DAY_MS - 1,
  startTime: MIDNIGHT - 13 * DAY_MS,
  endTime: MIDNIGHT + 17 * DAY_MS,
  nextPayTime: MIDNIGHT,
};

export const INCOME: IncomeDay = {
  orderId: 'o1',
  name: 'USDT 30 days',
  currency: 'USDT',
  date: MIDNIGHT - 2 * DAY_MS,
  day: 12,
  principal: '2500',
  rate: '0.0002',
  amount: '0.5',
  cumulative: '6',
};

/** A response with all rows on a single page. */
export function pageOf<Row>(list: readonly Row[]) {
  return { list, sum: list.length, totalRow: list.length, pageNo: 1, pageSize: 100 };
}

export const TOTALS = { locked: '2500', earned: '6', arriving: '3.5' };
