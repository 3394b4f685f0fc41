import type { Decimal } from '@exchange/core/decimal.ts';
import { interestOf, yearlyRate, type Schedule } from '@exchange/core/finance.ts';
import { textIn, type Locale } from '@exchange/core/locale.ts';
import { miningStatus } from '@exchange/core/mining.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { PRODUCT_STATUS } from '@exchange/wire/finance.ts';
import {
  MINING_STATUS,
  type miningDetail,
  type miningIncome,
  type miningOrders,
  type miningProducts,
} from '@exchange/wire/mining.ts';
import {
  AGREEMENT_VERSION,
  creditedOf,
  daysLeftOf,
  nextCredit,
  totalOf,
  type ByLocale,
  type Detail,
  type MiningOrder,
  type Offered,
} from './domain.ts';
import type { Income } from './records-repository.ts';

type ProductRow = DataOf<typeof miningProducts>['list'][number];
type OrderRow = DataOf<typeof miningOrders>['list'][number];
type IncomeRow = DataOf<typeof miningIncome>['list'][number];

interface Named {
  readonly name: ByLocale;
  readonly logo: string;
}

export function presentProduct(offered: Offered, locale: Locale): ProductRow {
  const { product, status, remaining, userRemaining, digits, logo } = offered;
  return {
    id: product.id,
    name: textIn(product.name, locale),
    currency: product.asset,
    logo,
    cycle: product.cycle,
    dailyRate: product.dailyRate.toString(),
    apr: yearlyRate(product.dailyRate).toString(),
    minAmount: product.startAmount.toString(),
    maxAmount: product.maxAmount.toString(),
    limit: product.capacity.toString(),
    remaining: remaining.toString(),
    userRemaining: userRemaining.toString(),
    digits,
    status: PRODUCT_STATUS[status],
    selling: offered.isCovered ? 1 : 0,
    feedType: 0,
    source: textIn(product.source, locale),
    startTime: product.opensAt,
    ...(product.closesAt === undefined ? {} : { endTime: product.closesAt }),
    version: product.version,
    agreementVersion: AGREEMENT_VERSION,
  };
}

/** Presents terms that are not published yet as the product list would show them, with an example of the earnings. */
export function presentProposed({ offered, amount, schedule }: Detail, locale: Locale) {
  return { ...presentProduct(offered, locale), schedule: presentSchedule(amount, schedule) };
}

export function presentSchedule(
  amount: Decimal,
  schedule: Schedule,
): DataOf<typeof miningDetail>['schedule'] {
  return {
    amount: amount.toString(),
    startTime: schedule.startAt,
    endTime: schedule.endAt,
    dailyIncome: schedule.daily.toString(),
    totalIncome: schedule.total.toString(),
    credits: schedule.payments.map(({ at, interest }) => ({ time: at, income: interest.toString() })),
  };
}

export function presentOrder(
  order: MiningOrder,
  { name, logo }: Named,
  locale: Locale,
  now: Instant,
): OrderRow {
  const next = nextCredit(order);
  const status = miningStatus(order, now);
  return {
    id: order.id,
    productId: order.product,
    name: textIn(name, locale),
    currency: order.asset,
    logo,
    buyTime: order.boughtAt,
    amount: order.principal.toString(),
    cycle: order.cycle,
    dailyRate: order.dailyRate.toString(),
    surplusDays: daysLeftOf(order, now),
    income: creditedOf(order).toString(),
    dailyIncome: order.dailyIncome.toString(),
    totalIncome: totalOf(order).toString(),
    status: MINING_STATUS[status],
    redeemAmount: status === 'redeemable' ? order.principal.toString() : '0',
    startTime: order.startAt,
    endTime: order.endAt,
    ...(order.redeemedAt === undefined ? {} : { redeemTime: order.redeemedAt }),
    ...(next === undefined ? {} : { nextPayTime: next }),
  };
}

export function presentIncome(income: Income, { name }: Named, locale: Locale): IncomeRow {
  const { order, day } = income;
  return {
    orderId: order.id,
    name: textIn(name, locale),
    currency: order.asset,
    date: income.earnedOn,
    day,
    principal: order.principal.toString(),
    rate: order.dailyRate.toString(),
    amount: income.amount.toString(),
    creditTime: income.creditedAt,
    cumulative: interestOf(order.principal, order.dailyRate, day).toString(),
  };
}
