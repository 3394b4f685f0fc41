import { Decimal, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS, later, startOfDay, type Instant } from './time.ts';

/** When interest is paid: all of it at maturity, or every day for the day before. */
export type PayMode = 'maturity' | 'daily';
/** Whether a product can be bought: not yet, now, no more of it is left, or no longer. */
export type SaleStatus = 'soon' | 'onSale' | 'soldOut' | 'ended';

/** Interest is cut to so many decimals. */
const INTEREST_PLACES = 8;
/** While the house cannot pay the interest of so many days, no more is sold. */
export const COVERED_DAYS = 7;
const PERIOD_MAX = 366;
const DAYS_OF_A_YEAR = Decimal.ofWhole(365);

/** What an order earns by: frozen in it when it is bought. */
export interface FinanceTerms {
  /** Whole days. */
  readonly period: number;
  /** A fraction per day: 0.0002 is 0.02 %. */
  readonly dailyRate: Decimal;
  readonly payMode: PayMode;
}

/** A product as far as its sale goes; amounts in `asset`. */
export interface ProductOnSale {
  readonly asset: AssetCode;
  readonly digits: number;
  readonly startAmount: Decimal;
  readonly remaining: Decimal;
  readonly opensAt: Instant;
  /** When its sale ended or will end; undefined for one without an end. */
  readonly closesAt: Instant | undefined;
  /** Whether the house can pay the interest of the next days, this sale's included. */
  readonly isCovered: boolean;
}

/** Interest of one day: simple, cut to 8 decimals. */
export function dailyInterest(principal: Decimal, dailyRate: Decimal): Decimal {
  return principal.times(dailyRate, 'down', INTEREST_PLACES);
}

/** The yearly rate of simple interest, as a fraction. */
export function yearlyRate(dailyRate: Decimal): Decimal {
  return dailyRate.times(DAYS_OF_A_YEAR, 'down');
}

/** Interest of so many days in all. */
export function interestOf(principal: Decimal, dailyRate: Decimal, days: number): Decimal {
  return Decimal.ofAtoms(dailyInterest(principal, dailyRate).atoms * BigInt(days));
}

/** When an order bought at this moment begins to earn, 00:00 UTC of the next day, and when it matures. */
export function termOf(boughtAt: Instant, period: number): { startAt: Instant; endAt: Instant } {
  const startAt = later(startOfDay(boughtAt), DAY_MS);
  return { startAt, endAt: later(startAt, period * DAY_MS) };
}

/** How many whole days have been earned by now, at most the period. */
export function daysEarned(startAt: Instant, period: number, now: Instant): number {
  return Math.min(period, Math.max(0, Math.floor((now - startAt) / DAY_MS)));
}

/** Days until maturity, the one that has begun included; 0 from then on. */
export function daysLeft(endAt: Instant, now: Instant): number {
  return Math.max(0, Math.ceil((endAt - now) / DAY_MS));
}

/** When the day of this number, counted from 1, has been earned. */
export function earnedAt(startAt: Instant, day: number): Instant {
  return later(startAt, day * DAY_MS);
}

export interface Payment {
  readonly at: Instant;
  readonly interest: Decimal;
  readonly principal: Decimal;
}

export interface Schedule {
  readonly startAt: Instant;
  readonly endAt: Instant;
  readonly daily: Decimal;
  readonly total: Decimal;
  /** Every payment in order; what is paid daily has one per day, and the last brings the principal. */
  readonly payments: readonly Payment[];
}

/** What an amount bought at this moment will earn, and when it is paid. */
export function scheduleOf(
  { period, dailyRate, payMode }: FinanceTerms,
  amount: Decimal,
  boughtAt: Instant,
): Schedule {
  const { startAt, endAt } = termOf(boughtAt, period);
  const daily = dailyInterest(amount, dailyRate);
  const total = interestOf(amount, dailyRate, period);
  const last: Payment = { at: endAt, interest: payMode === 'daily' ? daily : total, principal: amount };
  const before = payMode === 'daily' ? period - 1 : 0;
  const days = Array.from({ length: before }, (_, day) => ({
    at: earnedAt(startAt, day + 1),
    interest: daily,
    principal: Decimal.zero,
  }));
  return { startAt, endAt, daily, total, payments: [...days, last] };
}

/** Whether a product can be bought now; with less left than its least amount it is sold out. */
export function saleStatus(
  { opensAt, closesAt, remaining, startAmount }: Omit<ProductOnSale, 'asset' | 'digits' | 'isCovered'>,
  now: Instant,
): SaleStatus {
  if (closesAt !== undefined && now >= closesAt) return 'ended';
  if (now < opensAt) return 'soon';
  return remaining.isLess(startAmount) ? 'soldOut' : 'onSale';
}

/** Why an amount cannot be bought, or undefined. Screens and the server ask the same. */
export function purchaseProblem(
  product: ProductOnSale,
  amount: Decimal,
  { userRemaining, available }: { readonly userRemaining: Decimal; readonly available: Decimal },
  now: Instant,
): Refusal | undefined {
  const { asset, digits, startAmount, remaining } = product;
  const closed = closedProblem(product, now);
  if (closed !== undefined) return closed;
  const about = { field: 'amount', value: amount.toString(), unit: asset };
  if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', about);
  if (!amount.fits(digits))
    return refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(digits) });
  if (amount.isLess(startAmount))
    return refusal('belowMinimum', 'l.amount_min', { ...about, limit: startAmount.toString() });
  if (amount.isMore(userRemaining))
    return refusal('aboveMaximum', 'l.finance_user_max', { ...about, limit: userRemaining.toString() });
  if (amount.isMore(remaining))
    return refusal('aboveMaximum', 'l.finance_product_max', { ...about, limit: remaining.toString() });
  return shortOf({ needed: amount, available, asset, field: 'amount' });
}

function closedProblem(product: ProductOnSale, now: Instant): Refusal | undefined {
  const status = saleStatus(product, now);
  if (status === 'soon')
    return refusal('closed', 'l.finance_soon', {
      startTime: String(product.opensAt),
      limit: String(product.opensAt),
    });
  if (status === 'ended') return refusal('closed', 'l.finance_ended');
  if (status === 'soldOut') {
    const { remaining, startAmount, asset } = product;
    return refusal('closed', 'l.finance_sold_out', {
      limit: startAmount.toString(),
      value: remaining.toString(),
      unit: asset,
    });
  }
  return product.isCovered ? undefined : refusal('closed', 'l.finance_not_selling');
}

/** The greatest amount that one person can buy now: the least of balance, own remainder and the product's. */
export function mostBuyable(limits: {
  readonly available: Decimal;
  readonly userRemaining: Decimal;
  readonly remaining: Decimal;
}): Decimal {
  return least(limits.available, least(limits.userRemaining, limits.remaining));
}

/**
 * Whether an interest account covers what the running orders of its asset earn in the next seven days, and what a new
 * one earns of its first. Orders that end sooner count in full: rather too much is kept ready than too little.
 */
export function isCovered(
  funded: Decimal,
  runningInterest: Decimal,
  terms: Pick<FinanceTerms, 'period' | 'dailyRate'>,
  amount: Decimal,
): boolean {
  const own = daysOf(dailyInterest(amount, terms.dailyRate), Math.min(COVERED_DAYS, terms.period));
  return !daysOf(runningInterest, COVERED_DAYS).plus(own).isMore(funded);
}

/** What an operator offers: `code` is its natural key, amounts are in its asset. */
export interface Offer extends Pick<FinanceTerms, 'period' | 'dailyRate'> {
  readonly code: string;
  /** The least of one purchase. */
  readonly startAmount: Decimal;
  /** What one person may have running. */
  readonly maxAmount: Decimal;
  /** What is sold in all, ever. */
  readonly capacity: Decimal;
  readonly opensAt: Instant;
  readonly closesAt: Instant | undefined;
}

/** Why an offer cannot be published, or undefined; `periodField` is what its term is called. */
export function offerProblem(
  terms: Offer,
  digits: number,
  periodField: 'period' | 'cycle',
): Refusal | undefined {
  const { code, period, dailyRate, startAmount, maxAmount, capacity, opensAt, closesAt } = terms;
  if (!/^[a-z0-9-]{1,40}$/.test(code)) return refusal('invalidField', 'l.field_invalid', { field: 'code' });
  if (!Number.isInteger(period) || period < 1)
    return refusal('belowMinimum', 'l.field_min', { field: periodField, limit: '1', value: String(period) });
  if (period > PERIOD_MAX) {
    const limit = String(PERIOD_MAX);
    return refusal('aboveMaximum', 'l.field_max', { field: periodField, limit, value: String(period) });
  }
  if (!dailyRate.isLess(Decimal.one))
    return refusal('aboveMaximum', 'l.field_max', {
      field: 'dailyRate',
      limit: '1',
      value: dailyRate.toString(),
    });
  for (const [field, amount] of Object.entries({ startAmount, maxAmount, capacity })) {
    const about = { field, value: amount.toString() };
    if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', about);
    if (!amount.fits(digits))
      return refusal('invalidField', 'l.field_decimals', { ...about, limit: String(digits) });
  }
  if (maxAmount.isLess(startAmount)) {
    const limit = startAmount.toString();
    return refusal('belowMinimum', 'l.field_min', { field: 'maxAmount', limit, value: maxAmount.toString() });
  }
  if (!dailyInterest(startAmount, dailyRate).isPositive()) {
    const limit = Decimal.ofScaled(1n, INTEREST_PLACES).over(dailyRate, 'up', digits).toString();
    return refusal('belowMinimum', 'l.field_min', {
      field: 'startAmount',
      limit,
      value: startAmount.toString(),
    });
  }
  return closesAt !== undefined && closesAt <= opensAt
    ? refusal('invalidField', 'l.field_invalid', { field: 'closesAt' })
    : undefined;
}

/** Why terms cannot be the next version of an offer, or undefined: what has been sold was sold in its coin. */
export function offerChangeProblem(
  present: { readonly asset: string } | undefined,
  { asset }: { readonly asset: string },
): Refusal | undefined {
  if (present === undefined || present.asset === asset) return undefined;
  return refusal('invalidField', 'l.field_invalid', { field: 'asset', value: asset });
}

function daysOf(daily: Decimal, days: number): Decimal {
  return Decimal.ofAtoms(daily.atoms * BigInt(days));
}
