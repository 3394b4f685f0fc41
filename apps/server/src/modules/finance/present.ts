import { daysLeft, yearlyRate, type Schedule } from '@exchange/core/finance.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { textIn, type Locale } from '@exchange/core/locale.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  HOSTING_STATUS,
  PAY_MODE,
  PRODUCT_STATUS,
  type financeDetail,
  type financeIncome,
  type financeOrders,
  type financeProducts,
} from '@exchange/wire/finance.ts';
import {
  AGREEMENT_VERSION,
  accruedOf,
  isWithdrawable,
  nextPayment,
  owedOf,
  paidOf,
  totalOf,
  type ByLocale,
  type Detail,
  type FinanceOrder,
  type Offered,
} from './domain.ts';
import type { Income } from './records-repository.ts';

type ProductRow = DataOf<typeof financeProducts>['list'][number];
type OrderRow = DataOf<typeof financeOrders>['list'][number];
type IncomeRow = DataOf<typeof financeIncome>['list'][number];

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
    period: product.period,
    dailyRate: product.dailyRate.toString(),
    apr: yearlyRate(product.dailyRate).toString(),
    startAmount: product.startAmount.toString(),
    maxAmount: product.maxAmount.toString(),
    limit: product.capacity.toString(),
    remaining: remaining.toString(),
    userRemaining: userRemaining.toString(),
    digits,
    status: PRODUCT_STATUS[status],

    selling: offered.isCovered ? 1 : 0,
    payMode: PAY_MODE[product.payMode],
    manual: product.isManual ? 1 : 0,
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
): DataOf<typeof financeDetail>['schedule'] {
  return {
    amount: amount.toString(),
    startTime: schedule.startAt,
    endTime: schedule.endAt,
    dailyProfit: schedule.daily.toString(),
    totalProfit: schedule.total.toString(),
    payments: schedule.payments.map(({ at, interest, principal }) => ({
      time: at,
      profit: interest.toString(),
      principal: principal.toString(),
    })),
  };
}

export function presentOrder(
  order: FinanceOrder,
  { name, logo }: Named,
  locale: Locale,
  now: Instant,
): OrderRow {
  const next = nextPayment(order);
  return {
    id: order.id,
    productId: order.product,
    name: textIn(name, locale),
    currency: order.asset,
    logo,
    amount: order.principal.toString(),
    dailyRate: order.dailyRate.toString(),
    period: order.period,
    payMode: PAY_MODE[order.payMode],
    profit: accruedOf(order).toString(),
    owedProfit: owedOf(order).toString(),
    paidProfit: paidOf(order).toString(),
    totalProfit: totalOf(order).toString(),
    dailyProfit: order.dailyInterest.toString(),
    surplusDays: daysLeft(order.endAt, now),
    buyTime: order.boughtAt,
    startTime: order.startAt,
    endTime: order.endAt,
    ...(order.closedAt === undefined ? {} : { closeTime: order.closedAt }),
    ...(next === undefined ? {} : { nextPayTime: next }),
    status: HOSTING_STATUS[order.status],
    withdrawable: isWithdrawable(order, now) ? 1 : 0,
  };
}

export function presentIncome(
  { order, day, earnedOn, amount, cumulative }: Income,
  { name }: Named,
  locale: Locale,
): IncomeRow {
  return {
    orderId: order.id,
    name: textIn(name, locale),
    currency: order.asset,
    date: earnedOn,
    day,
    principal: order.principal.toString(),
    rate: order.dailyRate.toString(),

    amount: amount.toString(),
    cumulative: cumulative.toString(),
    paid: order.payMode === 'daily' ? 1 : 0,
  };
}
