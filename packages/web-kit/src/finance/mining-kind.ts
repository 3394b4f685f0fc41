import { Decimal } from '@exchange/core/decimal.ts';
import { incomeSchedule } from '@exchange/core/mining.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  buyMining,
  miningIncome,
  miningOrderDetail,
  miningOrders,
  miningProducts,
  redeemMining,
} from '@exchange/wire/mining.ts';
import { call } from '../api/client.ts';
import { everyPage } from '../api/every-page.ts';
import { withIdempotencyKey, type EarnKind, earnUpdates } from './earn-kind.ts';
import type { Holding, HoldingTab, Product } from './shapes.ts';

const TABS: readonly HoldingTab[] = ['hosting', 'redeemable', 'completed'];

/**
 * Mining products, described for the shared earn screens: they pay interest daily, and the user redeems the principal
 * after the term.
 */
export const MINING_KIND: EarnKind = {
  part: 'mining',
  ...earnUpdates('mining'),
  tabs: TABS,
  products: async (signal) =>
    (await everyPage((page) => call(miningProducts, page, { signal }))).map(productOf),
  order: async (id, signal) => holdingOf(await call(miningOrderDetail, { id }, { signal })),
  orders: async ({ tab, ...page }, signal) => {
    const status = tab === undefined ? {} : { status: STATUS[tab] };
    const response = await call(miningOrders, { ...page, ...status }, signal === undefined ? {} : { signal });
    return { ...response, list: response.list.map(holdingOf) };
  },
  income: (orderId, page, signal) => call(miningIncome, { orderId, ...page }, { signal }),
  buy: withIdempotencyKey(buyMining, () => MINING_KIND.refetch()),
  redeem: withIdempotencyKey(redeemMining, () => MINING_KIND.refetch()),
  tabOf: ({ status }) => TABS[status - 1]!,
  schedule: ({ period, dailyRate }, amount, boughtAt) =>
    incomeSchedule({ cycle: period, dailyRate: Decimal.parse(dailyRate) }, amount, boughtAt),
  nextCredit: ({ dailyProfit }) => Decimal.parse(dailyProfit),
  redeemableAmount: ({ amount }) => Decimal.parse(amount),
};

const STATUS = { hosting: '1', redeemable: '2', completed: '3' } as const;

/** Converts a mining product to the shared product shape. */
export function productOf(miningProduct: DataOf<typeof miningProducts>['list'][number]): Product {
  const { cycle: period, minAmount: startAmount, feedType: _, ...common } = miningProduct;
  return { ...common, period, startAmount, payMode: 2, manual: 1 };
}

function holdingOf(miningOrder: DataOf<typeof miningOrders>['list'][number]): Holding {
  const {
    cycle: period,
    income,
    dailyIncome,
    totalIncome,
    redeemAmount: _,
    redeemTime,
    ...common
  } = miningOrder;
  return {
    ...common,
    period,
    payMode: 2,
    profit: income,
    paidProfit: income,
    totalProfit: totalIncome,
    owedProfit: '0',
    dailyProfit: dailyIncome,
    withdrawable: common.status === 2 ? 1 : 0,
    ...(redeemTime === undefined ? {} : { closeTime: redeemTime }),
  };
}
