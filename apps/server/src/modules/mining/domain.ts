import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { daysEarned, interestOf, offerProblem } from '@exchange/core/finance.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { creditedAt, daysToCredit, type MiningTerms } from '@exchange/core/mining.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { EarnDetail, EarnOffered, EarnOrder, EarnProduct, EarnTerms } from '../earn/index.ts';

/** The version of the agreement that new products refer to. */
export const AGREEMENT_VERSION: string = AGREEMENT_VERSIONS.mining;

export type ByLocale = TextByLocale;

/** The terms of a product that operators set; amounts are in `asset`. */
export interface ProductTerms extends EarnTerms, MiningTerms {}

export type Product = EarnProduct<ProductTerms>;
export type Offered = EarnOffered<ProductTerms>;
export type Detail = EarnDetail<ProductTerms>;

/** An order with the terms fixed at purchase. */
export interface MiningOrder extends EarnOrder, MiningTerms {
  readonly dailyIncome: Decimal;
  readonly daysCredited: number;
  readonly redeemedAt: Instant | undefined;
}

/** The income of a mining order credited to the owner so far. */
export function creditedOf({ principal, dailyRate, daysCredited }: MiningOrder): Decimal {
  return interestOf(principal, dailyRate, daysCredited);
}

/** The income of a mining order's whole cycle. */
export function totalOf({ principal, dailyRate, cycle }: MiningOrder): Decimal {
  return interestOf(principal, dailyRate, cycle);
}

/** The time of a mining order's next credit; undefined after the last. */
export function nextCredit({ startAt, cycle, daysCredited }: MiningOrder): Instant | undefined {
  return daysCredited === cycle ? undefined : creditedAt(startAt, daysCredited + 1);
}

/**
 * Whether the income of `day` of a mining order, counted from 1, is the next to credit and is due.
 */
export function isDue({ startAt, cycle, daysCredited }: MiningOrder, day: number, now: Instant): boolean {
  return day === daysCredited + 1 && day <= daysToCredit(startAt, cycle, now);
}

/** The days of the cycle that the order has still to earn, including the current one. */
export function daysLeftOf({ startAt, cycle }: MiningOrder, now: Instant): number {
  return cycle - daysEarned(startAt, cycle, now);
}

/** The refusal when a mining product's terms cannot be published; undefined when they can. */
export function termsProblem(terms: ProductTerms, digits: number): Refusal | undefined {
  return offerProblem({ ...terms, period: terms.cycle }, digits, 'cycle');
}
