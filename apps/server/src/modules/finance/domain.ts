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

/** The version of the agreement that new products refer to. */
export const AGREEMENT_VERSION: string = AGREEMENT_VERSIONS.finance;

export type ByLocale = TextByLocale;

/** The terms of a product that operators set; amounts are in `asset`. */
export interface ProductTerms extends EarnTerms, FinanceTerms {
  /** Whether owners withdraw the principal themselves after maturity. */
  readonly isManual: boolean;
}

export type Product = EarnProduct<ProductTerms>;
export type Offered = EarnOffered<ProductTerms>;
export type Detail = EarnDetail<ProductTerms>;

/** An order with the terms fixed at purchase. */
export interface FinanceOrder extends EarnOrder, FinanceTerms {
  readonly dailyInterest: Decimal;
  readonly isManual: boolean;
  readonly daysAccrued: number;
  readonly status: 'hosting' | 'completed';
  readonly closedAt: Instant | undefined;
}

/** Interest of a fixed-term order that is accrued so far. */
export function accruedOf({ dailyInterest, daysAccrued }: FinanceOrder): Decimal {
  return daysOf(dailyInterest, daysAccrued);
}

/** Total interest of a fixed-term order at maturity. */
export function totalOf({ dailyInterest, period }: FinanceOrder): Decimal {
  return daysOf(dailyInterest, period);
}

/** The interest of a finance order that was already paid to its owner. */
export function paidOf(order: FinanceOrder): Decimal {
  return order.payMode === 'daily' || order.status === 'completed' ? accruedOf(order) : Decimal.zero;
}

/**
 * Interest of a completed order that is not accrued yet, because it could not be paid; zero for a running
 * order.
 */
export function owedOf(order: FinanceOrder): Decimal {
  return order.status === 'completed' ? totalOf(order).minus(accruedOf(order)) : Decimal.zero;
}

/**
 * The time of a running order's next payment: of a day's interest, or else the end of the order. Undefined for a
 * completed order, even if it is still owed interest.
 */
export function nextPayment(order: FinanceOrder): Instant | undefined {
  if (order.status === 'completed') return undefined;
  if (order.payMode === 'maturity' || order.daysAccrued === order.period) return order.endAt;
  return earnedAt(order.startAt, order.daysAccrued + 1);
}

/** Whether a finance order has matured and its principal is not paid yet. */
export function isWithdrawable({ status, endAt }: FinanceOrder, now: Instant): boolean {
  return status === 'hosting' && now >= endAt;
}

/** The number of days that a finance order has earned and that are not credited yet. */
export function daysDue({ startAt, period, daysAccrued }: FinanceOrder, now: Instant): number {
  return daysEarned(startAt, period, now) - daysAccrued;
}

/** The refusal when a finance product's terms cannot be published; undefined when they can. */
export function termsProblem(terms: ProductTerms, digits: number): Refusal | undefined {
  return offerProblem(terms, digits, 'period');
}

/** Parses the stored form of a pay mode. */
export function payModeOf(text: string): PayMode {
  if (text !== 'maturity' && text !== 'daily') throw new RangeError(`no pay mode: ${text}`);
  return text;
}

function daysOf(daily: Decimal, days: number): Decimal {
  return Decimal.ofAtoms(daily.atoms * BigInt(days));
}
