import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { daysEarned, interestOf, offerProblem } from '@exchange/core/finance.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { creditedAt, daysToCredit, type MiningTerms } from '@exchange/core/mining.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { EarnDetail, EarnOffered, EarnOrder, EarnProduct, EarnTerms } from '../earn/index.ts';

/** Version of the agreement on mining products that buyers of new products accept. */
export const AGREEMENT_VERSION: string = AGREEMENT_VERSIONS.mining;

export type ByLocale = TextByLocale;

/**
 * The terms of a mining product, which operators set; amounts are in units of the coin `asset`, with
 * decimals.
 */
export interface ProductTerms extends EarnTerms, MiningTerms {}

export type Product = EarnProduct<ProductTerms>;
export type Offered = EarnOffered<ProductTerms>;
export type Detail = EarnDetail<ProductTerms>;

/** An order of a mining product, with the terms that were fixed at the purchase. */
export interface MiningOrder extends EarnOrder, MiningTerms {
  readonly dailyIncome: Decimal;
  readonly daysCredited: number;
  readonly redeemedAt: Instant | undefined;
}

/** The income of a mining order that was already credited to its owner, in units of its coin. */
export function creditedOf({ principal, dailyRate, daysCredited }: MiningOrder): Decimal {
  return interestOf(principal, dailyRate, daysCredited);
}

/** The income of a mining order for its whole cycle, in units of its coin. */
export function totalOf({ principal, dailyRate, cycle }: MiningOrder): Decimal {
  return interestOf(principal, dailyRate, cycle);
}

/**
 * Time at which the next day's income of a mining order is credited (00:10 UTC after the day); undefined if all days of
 * the cycle are credited.
 */
export function nextCredit({ startAt, cycle, daysCredited }: MiningOrder): Instant | undefined {
  return daysCredited === cycle ? undefined : creditedAt(startAt, daysCredited + 1);
}

/**
 * True if `day` (the first day of the cycle is 1) is the next day of a mining order to credit, and its income is due at
 * `now`.
 */
export function isDue({ startAt, cycle, daysCredited }: MiningOrder, day: number, now: Instant): boolean {
  return day === daysCredited + 1 && day <= daysToCredit(startAt, cycle, now);
}

/** Number of days of the cycle for which a mining order has not earned income yet, including the current day. */
export function daysLeftOf({ startAt, cycle }: MiningOrder, now: Instant): number {
  return cycle - daysEarned(startAt, cycle, now);
}

/** The refusal when a mining product's terms cannot be published; undefined when they can. */
export function termsProblem(terms: ProductTerms, digits: number): Refusal | undefined {
  return offerProblem({ ...terms, period: terms.cycle }, digits, 'cycle');
}
