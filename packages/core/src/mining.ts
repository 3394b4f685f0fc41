import { Decimal } from './decimal.ts';
import { dailyInterest, interestOf, termOf, type Schedule } from './finance.ts';
import { DAY_MS, later, MINUTE_MS, type Instant } from './time.ts';

/** Milliseconds after the end of a UTC day, until 00:10 UTC, after which the day's income is credited. */
const CREDITED_AFTER_MS = 10 * MINUTE_MS;

/** The terms by which a mining order earns income. An order keeps the terms that were valid at its purchase. */
export interface MiningTerms {
  /** Length of a mining cycle in whole days. */
  readonly cycle: number;
  /** Income per day as a fraction: 0.0002 is 0.02 %. */
  readonly dailyRate: Decimal;
}

/**
 * Status of a mining order: it earns income (`earning`), its cycle has ended and its principal can be redeemed
 * (`redeemable`), or its principal was redeemed (`redeemed`).
 */
export type MiningStatus = 'earning' | 'redeemable' | 'redeemed';

/**
 * Returns the time at which the income of day `day` of the cycle is credited: 00:10 UTC of the next day. The first day
 * has the number 1.
 */
export function creditedAt(startAt: Instant, day: number): Instant {
  return later(startAt, day * DAY_MS + CREDITED_AFTER_MS);
}

/** Returns the number of days of the cycle whose income is due by `now`, at most the whole cycle. */
export function daysToCredit(startAt: Instant, cycle: number, now: Instant): number {
  const days = Math.floor((now - startAt - CREDITED_AFTER_MS) / DAY_MS);
  return Math.min(cycle, Math.max(0, days));
}

/** Returns the status of a mining order at `now`. Its cycle ends at 00:00 UTC after the last day. */
export function miningStatus(
  { endAt, redeemedAt }: { readonly endAt: Instant; readonly redeemedAt: Instant | undefined },
  now: Instant,
): MiningStatus {
  if (redeemedAt !== undefined) return 'redeemed';
  return now < endAt ? 'earning' : 'redeemable';
}

/**
 * Computes the daily credits of income, in the order's coin, for a mining order of `amount` bought at
 * `boughtAt`. The credits do not include the principal.
 */
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
