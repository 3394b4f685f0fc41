import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { recurringBuys, recurringPlans } from '@exchange/wire/recurring.ts';
import type { Buy, Plan } from './domain.ts';

type PlanRow = DataOf<typeof recurringPlans>['list'][number];
type BuyRow = DataOf<typeof recurringBuys>['list'][number];

export function presentPlan(plan: Plan): PlanRow {
  const { frequency, weekday, monthDay, minute, timeZone } = plan.schedule;
  return {
    id: plan.id,
    currency: plan.asset,
    amount: plan.amount.toString(),
    coins: plan.coins.map((coin) => ({
      currency: coin.asset,
      share: coin.share,
      buys: coin.buys,
      paid: coin.paid.toString(),
      received: coin.received.toString(),
      firstPaid: coin.firstPaid.toString(),
      firstReceived: coin.firstReceived.toString(),
    })),
    frequency,
    weekday,
    monthDay,
    time: `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`,
    timeZone,
    status: plan.status,
    nextTime: plan.nextAt ?? 0,
    skipped: plan.skipped,
    createTime: plan.createdAt,
    endTime: plan.endedAt ?? 0,
  };
}

export function presentBuy(buy: Buy): BuyRow {
  return {
    id: buy.id,
    planId: buy.plan,
    currency: buy.asset,
    time: buy.scheduledAt,
    executeTime: buy.executedAt,
    missed: buy.missed,
    coins: buy.coins.map(({ asset, amount, received, exchange, skipped }) => ({
      currency: asset,
      amount: amount.toString(),
      received: received.toString(),
      exchangeId: exchange,
      skipped,
    })),
  };
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
