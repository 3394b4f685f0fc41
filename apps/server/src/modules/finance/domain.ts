import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import {
  daysEarned,
  earnedAt,
  offerProblem,
  type FinanceTerms,
  type PayMode,
} from '@exchange/core/finance.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { EarnDetail, EarnOffered, EarnOrder, EarnProduct, EarnTerms } from '../earn/index.ts';

/** Version of the agreement on fixed-term products that buyers of new products accept. */
export const AGREEMENT_VERSION: string = AGREEMENT_VERSIONS.finance;

export type ByLocale = TextByLocale;

/**
 * The terms of a fixed-term product, which operators set; amounts are in units of the coin `asset`, with
 * decimals.
 */
export interface ProductTerms extends EarnTerms, FinanceTerms {
  /**
   * True if the owner of an order has to request the payout after maturity; false if the order is paid out
   * automatically.
   */
  readonly isManual: boolean;
}

export type Product = EarnProduct<ProductTerms>;
export type Offered = EarnOffered<ProductTerms>;
export type Detail = EarnDetail<ProductTerms>;

/** An order of a fixed-term product, with the terms that were fixed at the purchase. */
export interface FinanceOrder extends EarnOrder, FinanceTerms {
  readonly dailyInterest: Decimal;
  readonly isManual: boolean;
  readonly daysAccrued: number;
  readonly status: 'hosting' | 'completed';
  readonly closedAt: Instant | undefined;
}

/** The interest of a fixed-term order that is accrued so far, in units of its coin. */
export function accruedOf({ dailyInterest, daysAccrued }: FinanceOrder): Decimal {
  return daysOf(dailyInterest, daysAccrued);
}

/** The total interest of a fixed-term order at maturity, in units of its coin. */
export function totalOf({ dailyInterest, period }: FinanceOrder): Decimal {
  return daysOf(dailyInterest, period);
}

/** The interest of a fixed-term order that was already paid to its owner, in units of its coin. */
export function paidOf(order: FinanceOrder): Decimal {
  return order.payMode === 'daily' || order.status === 'completed' ? accruedOf(order) : Decimal.zero;
}

/**
 * The interest of a completed order that is not accrued yet, because it could not be paid; zero for a running order,
 * although it may have unaccrued days too.
 */
export function owedOf(order: FinanceOrder): Decimal {
  return order.status === 'completed' ? totalOf(order).minus(accruedOf(order)) : Decimal.zero;
}

/**
 * Time of a running order's next payment: of the next day's interest if interest is paid daily and a day is left to
 * accrue, otherwise the end of the order. Undefined for a completed order, even if interest on it is still owed.
 */
export function nextPayment(order: FinanceOrder): Instant | undefined {
  if (order.status === 'completed') return undefined;
  if (order.payMode === 'maturity' || order.daysAccrued === order.period) return order.endAt;
  return earnedAt(order.startAt, order.daysAccrued + 1);
}

/** True if a fixed-term order has matured and its principal is not paid out yet. */
export function isWithdrawable({ status, endAt }: FinanceOrder, now: Instant): boolean {
  return status === 'hosting' && now >= endAt;
}

/** Number of days for which a fixed-term order has earned interest that is not accrued yet. */
export function daysDue({ startAt, period, daysAccrued }: FinanceOrder, now: Instant): number {
  return daysEarned(startAt, period, now) - daysAccrued;
}

/** The refusal when the terms of a fixed-term product cannot be published; undefined when they can. */
export function termsProblem(terms: ProductTerms, digits: number): Refusal | undefined {
  return offerProblem(terms, digits, 'period');
}

/** Parses the pay mode of a product as stored in the database; throws for any other text. */
export function payModeOf(text: string): PayMode {
  if (text !== 'maturity' && text !== 'daily') throw new RangeError(`no pay mode: ${text}`);
  return text;
}

function daysOf(daily: Decimal, days: number): Decimal {
  return Decimal.ofAtoms(daily.atoms * BigInt(days));
}
