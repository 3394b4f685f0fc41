import { Decimal } from '@exchange/core/decimal.ts';
import { PAY_MODE } from '@exchange/wire/finance.ts';
import type { Holding } from './shapes.ts';

/** What is credited at an order's next payment, in its coin: the principal comes with the last. */
export function nextCredit(order: Holding): Decimal {
  const isLast = order.nextPayTime === undefined || order.nextPayTime >= order.endTime;
  if (!isLast) return Decimal.parse(order.dailyProfit);
  const interest = order.payMode === PAY_MODE.daily ? order.dailyProfit : order.totalProfit;
  return Decimal.parse(order.amount).plus(Decimal.parse(interest));
}

/** Principal and interest of an order that were not credited yet, once it has matured. */
export function stillToCome({ amount, totalProfit, paidProfit }: Holding): Decimal {
  return Decimal.parse(amount).plus(Decimal.parse(totalProfit)).minus(Decimal.parse(paidProfit));
}
