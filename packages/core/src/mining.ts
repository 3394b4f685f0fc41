import { Decimal } from './decimal.ts';
import { dailyInterest, interestOf, termOf, type Schedule } from './finance.ts';
import { DAY_MS, later, MINUTE_MS, type Instant } from './time.ts';

/** A day's income is credited this long after the day's end, at 00:10 UTC. */
const CREDITED_AFTER_MS = 10 * MINUTE_MS;

/** The terms of income; fixed for an order at its purchase. */
export interface MiningTerms {
  /** Length of a mining cycle in whole days. */
  readonly cycle: number;
  /** Income per day as a fraction: 0.0002 is 0.02 %. */
  readonly dailyRate: Decimal;
}

/** State of a mining order: earning in its cycle, principal ready to redeem, or redeemed. */
export type MiningStatus = 'earning' | 'redeemable' | 'redeemed';

/**
 * Time at which the income of day `day` of the cycle, counted from 1, is credited: 00:10 UTC of the next day.
 */
export function creditedAt(startAt: Instant, day: number): Instant {
  return later(startAt, day * DAY_MS + CREDITED_AFTER_MS);
}

/** Number of days whose income is due by `now`, at most the cycle. */
export function daysToCredit(startAt: Instant, cycle: number, now: Instant): number {
  const days = Math.floor((now - startAt - CREDITED_AFTER_MS) / DAY_MS);
  return Math.min(cycle, Math.max(0, days));
}

/** A cycle ends at 00:00 UTC after its last day. */
export function miningStatus(
  { endAt, redeemedAt }: { readonly endAt: Instant; readonly redeemedAt: Instant | undefined },
  now: Instant,
): MiningStatus {
  if (redeemedAt !== undefined) return 'redeemed';
  return now < endAt ? 'earning' : 'redeemable';
}

/** The daily credits of an order of `amount` that is bought at `boughtAt`, without the principal. */
export function incomeSchedule(
  { cycle, dailyRate }: MiningTerms,
  amount: Decimal,
  boughtAt: Instant,
): Schedule {
  const { startAt, endAt } = termOf(boughtAt, cycle);
  const daily = dailyInterest(amount, dailyRate);
  const payments = Array.from({ length: cycle }, (_, day) => ({
    at: creditedAt(startAt, day + 1),
    interest: daily,
    principal: Decimal.zero,
  }));
  return { startAt, endAt, daily, total: interestOf(amount, dailyRate, cycle), payments };
}
