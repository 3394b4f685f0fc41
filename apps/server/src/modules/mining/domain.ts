import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import {
  daysEarned,
  interestOf,
  offerProblem,
  type Offer,
  type ProductOnSale,
} from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { creditedAt, daysToCredit, type MiningTerms } from '@exchange/core/mining.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';

/** The agreement's text that a new product refers to. */
export const AGREEMENT_VERSION: string = AGREEMENT_VERSIONS.mining;

export type ByLocale = TextByLocale;

/** What an operator sets of a product; amounts in `asset`. */
export interface ProductTerms extends MiningTerms, Omit<Offer, 'period'> {
  readonly name: ByLocale;
  /** Where the income comes from. */
  readonly source: ByLocale;
  readonly asset: AssetCode;
  readonly agreementVersion: string;
}

export interface Product extends ProductTerms {
  readonly id: string;
  readonly version: number;
}

/** An order with the terms that were frozen in it. */
export interface MiningOrder extends MiningTerms {
  readonly id: string;
  readonly owner: UserId;
  readonly product: string;
  readonly asset: AssetCode;
  readonly principal: Decimal;
  readonly dailyIncome: Decimal;
  readonly boughtAt: Instant;
  readonly startAt: Instant;
  readonly endAt: Instant;
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

/** What a purchase is checked against. */
export function onSale(
  { asset, startAmount, opensAt, closesAt }: ProductTerms,
  digits: number,
  { remaining, isCovered }: { readonly remaining: Decimal; readonly isCovered: boolean },
): ProductOnSale {
  return { asset, digits, startAmount, opensAt, closesAt, remaining, isCovered };
}

/** Why terms cannot be published, or undefined. */
export function termsProblem(terms: ProductTerms, digits: number): Refusal | undefined {
  return offerProblem({ ...terms, period: terms.cycle }, digits, 'cycle');
}
