import { Decimal } from './decimal.ts';
import { dailyInterest, interestOf, termOf, type Schedule } from './finance.ts';
import { DAY_MS, later, MINUTE_MS, type Instant } from './time.ts';

/** The income of a day is credited so long after its end, at 00:10 UTC. */
const CREDITED_AFTER_MS = 10 * MINUTE_MS;

/** What an order earns by: frozen in it when it is bought. */
export interface MiningTerms {
  /** Whole days. */
  readonly cycle: number;
  /** A fraction per day: 0.0002 is 0.02 %. */
  readonly dailyRate: Decimal;
}

/** How far an order is: it earns, its principal waits to be redeemed, or has been. */
export type MiningStatus = 'earning' | 'redeemable' | 'redeemed';

/** When the income of the day of this number, counted from 1, is credited: 00:10 UTC of the day after. */
export function creditedAt(startAt: Instant, day: number): Instant {
  return later(startAt, day * DAY_MS + CREDITED_AFTER_MS);
}

/** How many days' income is to have been credited by now, at most the cycle. */
export function daysToCredit(startAt: Instant, cycle: number, now: Instant): number {
  const days = Math.floor((now - startAt - CREDITED_AFTER_MS) / DAY_MS);
  return Math.min(cycle, Math.max(0, days));
}

/** How far an order is at a moment; its cycle ends at 00:00 UTC after the last day. */
export function miningStatus(
  { endAt, redeemedAt }: { readonly endAt: Instant; readonly redeemedAt: Instant | undefined },
  now: Instant,
): MiningStatus {
  if (redeemedAt !== undefined) return 'redeemed';
  return now < endAt ? 'earning' : 'redeemable';
}

/** What an amount bought at this moment will earn, and when each day of it is credited; the principal is not among it. */
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
