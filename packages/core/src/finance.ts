import { Decimal, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS, later, startOfDay, type Instant } from './time.ts';

/**
 * When an earn order pays its interest: in one sum at maturity, or at the end of each UTC day of its term.
 */
export type PayMode = 'maturity' | 'daily';
/** Sale status of an earn product: not yet on sale, on sale, sold out, or ended. */
export type SaleStatus = 'soon' | 'onSale' | 'soldOut' | 'ended';

/** Number of decimals to which interest is rounded down. */
const INTEREST_PLACES = 8;
/**
 * A purchase is refused unless the account that pays the interest holds enough for this many days of interest
 * of all running orders of the coin and of the new order. Also the number of days whose payments count as
 * arriving in the totals of a user's orders.
 */
export const COVERED_DAYS = 7;
const PERIOD_MAX = 366;
const DAYS_OF_A_YEAR = Decimal.ofWhole(365);

/**
 * The terms by which an earn order earns interest. An order keeps the terms that were valid at its purchase.
 */
export interface FinanceTerms {
  /** Term of an earn order in whole days. */
  readonly period: number;
  /** Interest per day as a fraction: 0.0002 is 0.02 %. */
  readonly dailyRate: Decimal;
  readonly payMode: PayMode;
}

/** Properties of an earn product that determine whether users can buy it. Amounts are in the coin `asset`. */
export interface ProductOnSale {
  readonly asset: AssetCode;
  readonly digits: number;
  readonly startAmount: Decimal;
  readonly remaining: Decimal;
  readonly opensAt: Instant;
  /** Time at which the sale ends; undefined for a sale without an end. */
  readonly closesAt: Instant | undefined;
  /**
   * True if the account that pays the interest holds enough for the next `COVERED_DAYS` days of interest of
   * all running orders of the coin and of this purchase; in the list of products, of the smallest purchase
   * instead.
   */
  readonly isCovered: boolean;
}

/** Returns the simple interest of one day in the coin of the principal, rounded down to 8 decimals. */
export function dailyInterest(principal: Decimal, dailyRate: Decimal): Decimal {
  return principal.times(dailyRate, 'down', INTEREST_PLACES);
}

/** Returns the rate of simple interest for 365 days, as a fraction. */
export function yearlyRate(dailyRate: Decimal): Decimal {
  return dailyRate.times(DAYS_OF_A_YEAR, 'down');
}

/**
 * Returns the simple interest of `days` days in the coin of the principal: the rounded interest of one day
 * (`dailyInterest`) times `days`.
 */
export function interestOf(principal: Decimal, dailyRate: Decimal, days: number): Decimal {
  return Decimal.ofAtoms(dailyInterest(principal, dailyRate).atoms * BigInt(days));
}

/**
 * Returns the time span in which an order earns interest: from 00:00 UTC of the day after its purchase (`startAt`)
 * until its maturity (`endAt`).
 */
export function termOf(boughtAt: Instant, period: number): { startAt: Instant; endAt: Instant } {
  const startAt = later(startOfDay(boughtAt), DAY_MS);
  return { startAt, endAt: later(startAt, period * DAY_MS) };
}

/** Returns the number of whole days for which an order has earned interest by `now`, at most the period. */
export function daysEarned(startAt: Instant, period: number, now: Instant): number {
  return Math.min(period, Math.max(0, Math.floor((now - startAt) / DAY_MS)));
}

/**
 * Returns the number of days until the maturity `endAt` of an order. A day that has begun counts as a whole
 * one. Returns 0 from the maturity on.
 */
export function daysLeft(endAt: Instant, now: Instant): number {
  return Math.max(0, Math.ceil((endAt - now) / DAY_MS));
}

/** Returns the instant at which day `day` of an order's term ends. The first day has the number 1. */
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
  /**
   * Payments in chronological order: one per day, or a single one for an earn order that pays its interest at maturity.
   * The last payment of an earn order includes the principal. Payments of a mining order never include it.
   */
  readonly payments: readonly Payment[];
}

/**
 * Computes all payments of an earn order with the principal `amount` that is bought at `boughtAt`: the
 * interest every day or in one sum at maturity (`payMode`), and the principal at maturity. All amounts are in
 * the coin of the principal.
 */
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

/**
 * Returns the sale status of a product at `now`: `ended` from `closesAt` on, before that `soon` until `opensAt`, then
 * `soldOut` if less remains than the smallest purchase, otherwise `onSale`. Whether the interest is covered has no
 * effect on it.
 */
export function saleStatus(
  { opensAt, closesAt, remaining, startAmount }: Omit<ProductOnSale, 'asset' | 'digits' | 'isCovered'>,
  now: Instant,
): SaleStatus {
  if (closesAt !== undefined && now >= closesAt) return 'ended';
  if (now < opensAt) return 'soon';
  return remaining.isLess(startAmount) ? 'soldOut' : 'onSale';
}

/**
 * Returns a refusal if a purchase is not possible; otherwise undefined. Reasons: the product is not on sale or not
 * covered (`isCovered`), or the amount is not positive, has too many decimals, is below the smallest purchase, or
 * exceeds what remains for the user, of the product, or of the balance. Screens and server both use this check.
 */
export function purchaseProblem(
  product: ProductOnSale,
  amount: Decimal,
  { userRemaining, available }: { readonly userRemaining: Decimal; readonly available: Decimal },
  now: Instant,
): Refusal | undefined {
  const { asset, digits, startAmount, remaining } = product;
  const closed = closedProblem(product, now);
  if (closed !== undefined) return closed;
  const details = { field: 'amount', value: amount.toString(), unit: asset };
  if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (!amount.fits(digits))
    return refusal('invalidField', 'l.amount_decimals', { ...details, limit: String(digits) });
  if (amount.isLess(startAmount))
    return refusal('belowMinimum', 'l.amount_min', { ...details, limit: startAmount.toString() });
  if (amount.isMore(userRemaining))
    return refusal('aboveMaximum', 'l.finance_user_max', { ...details, limit: userRemaining.toString() });
  if (amount.isMore(remaining))
    return refusal('aboveMaximum', 'l.finance_product_max', { ...details, limit: remaining.toString() });
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

/**
 * Returns the maximum amount, in the product's coin, that a user can buy: the least of the available balance,
 * what remains of the user's limit, and what remains of the product.
 */
export function mostBuyable(limits: {
  readonly available: Decimal;
  readonly userRemaining: Decimal;
  readonly remaining: Decimal;
}): Decimal {
  return least(limits.available, least(limits.userRemaining, limits.remaining));
}

/**
 * Returns whether the interest account's balance (`funded`) covers seven days of interest: that of all running orders
 * of the asset (`runningInterest` per day) and that of a new order of `amount`, or the new order's whole term if it is
 * shorter. Running orders that mature sooner count for all seven days, which overstates the need.
 */
export function isCovered(
  funded: Decimal,
  runningInterest: Decimal,
  terms: Pick<FinanceTerms, 'period' | 'dailyRate'>,
  amount: Decimal,
): boolean {
  const newInterest = daysOf(dailyInterest(amount, terms.dailyRate), Math.min(COVERED_DAYS, terms.period));
  return !daysOf(runningInterest, COVERED_DAYS).plus(newInterest).isMore(funded);
}

/** Terms of an earn product as an operator publishes them; `code` identifies the product, amounts are in its asset. */
export interface Offer extends Pick<FinanceTerms, 'period' | 'dailyRate'> {
  readonly code: string;
  readonly startAmount: Decimal;
  /** Maximum sum of the principals of a user's running orders of the product, in the product's coin. */
  readonly maxAmount: Decimal;
  /** Maximum sum of all sales of the product since it exists, in the product's coin. */
  readonly capacity: Decimal;
  readonly opensAt: Instant;
  readonly closesAt: Instant | undefined;
}

/**
 * Returns a refusal for the first of the terms that is invalid by itself, or if the user's maximum is below
 * the smallest purchase, the smallest purchase earns no interest in a day, or the sale does not end after it
 * begins; otherwise undefined. The asset and the ceilings of the terms are not checked here. `periodField` is
 * the name of the form field for the product's term.
 */
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
    const details = { field, value: amount.toString() };
    if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', details);
    if (!amount.fits(digits))
      return refusal('invalidField', 'l.field_decimals', { ...details, limit: String(digits) });
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

/**
 * Returns a refusal if the terms change the asset of an existing offer; otherwise undefined. The asset cannot change,
 * because earlier sales were in it.
 */
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
