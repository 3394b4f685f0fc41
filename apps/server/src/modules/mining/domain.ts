import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { daysEarned, interestOf, offerProblem } from '@exchange/core/finance.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { creditedAt, daysToCredit, type MiningTerms } from '@exchange/core/mining.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { EarnDetail, EarnOffered, EarnOrder, EarnProduct, EarnTerms } from '../earn/index.ts';

/** The agreement's text that a new product refers to. */
export const AGREEMENT_VERSION: string = AGREEMENT_VERSIONS.mining;

export type ByLocale = TextByLocale;

/** What an operator sets of a product; amounts in `asset`. */
export interface ProductTerms extends EarnTerms, MiningTerms {}

export type Product = EarnProduct<ProductTerms>;
export type Offered = EarnOffered<ProductTerms>;
export type Detail = EarnDetail<ProductTerms>;

/** An order with the terms that were frozen in it. */
export interface MiningOrder extends EarnOrder, MiningTerms {
  readonly dailyIncome: Decimal;
  readonly daysCredited: number;
  readonly redeemedAt: Instant | undefined;
}

/** What of an order's income is in its owner's hands. */
export function creditedOf({ principal, dailyRate, daysCredited }: MiningOrder): Decimal {
  return interestOf(principal, dailyRate, daysCredited);
}

/** What its cycle brings in all. */
export function totalOf({ principal, dailyRate, cycle }: MiningOrder): Decimal {
  return interestOf(principal, dailyRate, cycle);
}

/** When income is credited next; undefined where none is to come. */
export function nextCredit({ startAt, cycle, daysCredited }: MiningOrder): Instant | undefined {
  return daysCredited === cycle ? undefined : creditedAt(startAt, daysCredited + 1);
}

/** Whether the income of a day, counted from 1, is the next to be credited and is due. */
export function isDue({ startAt, cycle, daysCredited }: MiningOrder, day: number, now: Instant): boolean {
  return day === daysCredited + 1 && day <= daysToCredit(startAt, cycle, now);
}

/** The days of its cycle that an order still has to earn, the one that has begun included. */
export function daysLeftOf({ startAt, cycle }: MiningOrder, now: Instant): number {
  return cycle - daysEarned(startAt, cycle, now);
}

/** Why terms cannot be published, or undefined. */
export function termsProblem(terms: ProductTerms, digits: number): Refusal | undefined {
  return offerProblem({ ...terms, period: terms.cycle }, digits, 'cycle');
}
