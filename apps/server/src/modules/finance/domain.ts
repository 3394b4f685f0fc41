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

/** The agreement's text that a new product refers to. */
export const AGREEMENT_VERSION: string = AGREEMENT_VERSIONS.finance;

export type ByLocale = TextByLocale;

/** What an operator sets of a product; amounts in `asset`. */
export interface ProductTerms extends EarnTerms, FinanceTerms {
  /** Whether owners withdraw after maturity themselves. */
  readonly isManual: boolean;
}

export type Product = EarnProduct<ProductTerms>;
export type Offered = EarnOffered<ProductTerms>;
export type Detail = EarnDetail<ProductTerms>;

/** An order with the terms that were frozen in it. */
export interface FinanceOrder extends EarnOrder, FinanceTerms {
  readonly dailyInterest: Decimal;
  readonly isManual: boolean;
  readonly daysAccrued: number;
  readonly status: 'hosting' | 'completed';
  readonly closedAt: Instant | undefined;
}

/** What an order has earned up to the last day that was credited. */
export function accruedOf({ dailyInterest: daily, daysAccrued }: FinanceOrder): Decimal {
  return daysOf(daily, daysAccrued);
}

/** What it will have earned at maturity. */
export function totalOf({ dailyInterest: daily, period }: FinanceOrder): Decimal {
  return daysOf(daily, period);
}

/** What of it is in its owner's hands. */
export function paidOf(order: FinanceOrder): Decimal {
  return order.payMode === 'daily' || order.status === 'completed' ? accruedOf(order) : Decimal.zero;
}

/** What has been earned and is still owed after the principal was paid. */
export function owedOf(order: FinanceOrder): Decimal {
  return order.status === 'completed' ? totalOf(order).minus(accruedOf(order)) : Decimal.zero;
}

/** When interest is paid next; undefined where none is paid any more. */
export function nextPayment(order: FinanceOrder): Instant | undefined {
  if (order.status === 'completed') return undefined;
  if (order.payMode === 'maturity' || order.daysAccrued === order.period) return order.endAt;
  return earnedAt(order.startAt, order.daysAccrued + 1);
}

/** Whether it has matured and waits for its owner. */
export function isWithdrawable({ status, endAt }: FinanceOrder, now: Instant): boolean {
  return status === 'hosting' && now >= endAt;
}

/** How many days have been earned that were not credited. */
export function daysDue({ startAt, period, daysAccrued }: FinanceOrder, now: Instant): number {
  return daysEarned(startAt, period, now) - daysAccrued;
}

/** Why terms cannot be published, or undefined. */
export function termsProblem(terms: ProductTerms, digits: number): Refusal | undefined {
  return offerProblem(terms, digits, 'period');
}

/** Reads a pay mode as it is stored. */
export function payModeOf(text: string): PayMode {
  if (text !== 'maturity' && text !== 'daily') throw new RangeError(`no pay mode: ${text}`);
  return text;
}

function daysOf(daily: Decimal, days: number): Decimal {
  return Decimal.ofAtoms(daily.atoms * BigInt(days));
}
