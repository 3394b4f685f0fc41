import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import {
  daysEarned,
  earnedAt,
  offerProblem,
  type FinanceTerms,
  type PayMode,
  type ProductOnSale,
} from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';

/** The agreement's text that a new product refers to. */
export const AGREEMENT_VERSION: string = AGREEMENT_VERSIONS.finance;

export type ByLocale = TextByLocale;

/** What an operator sets of a product; amounts in `asset`. */
export interface ProductTerms extends FinanceTerms {
  /** The product's natural key, e.g. `usdt-30`. */
  readonly code: string;
  readonly name: ByLocale;
  /** Where the interest comes from. */
  readonly source: ByLocale;
  readonly asset: AssetCode;
  /** The least of one purchase. */
  readonly startAmount: Decimal;
  /** What one person may have running. */
  readonly maxAmount: Decimal;
  /** What is sold in all, ever. */
  readonly capacity: Decimal;
  /** Whether owners withdraw after maturity themselves. */
  readonly isManual: boolean;
  readonly opensAt: Instant;
  readonly closesAt: Instant | undefined;
  readonly agreementVersion: string;
}

export interface Product extends ProductTerms {
  readonly id: string;
  readonly version: number;
}

/** An order with the terms that were frozen in it. */
export interface FinanceOrder extends FinanceTerms {
  readonly id: string;
  readonly owner: UserId;
  readonly product: string;
  readonly asset: AssetCode;
  readonly principal: Decimal;
  readonly dailyInterest: Decimal;
  readonly isManual: boolean;
  readonly boughtAt: Instant;
  readonly startAt: Instant;
  readonly endAt: Instant;
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

/** What a purchase is checked against. */
export function onSale(
  product: ProductTerms,
  digits: number,
  { remaining, isCovered }: { readonly remaining: Decimal; readonly isCovered: boolean },
): ProductOnSale {
  const { asset, startAmount, opensAt, closesAt } = product;
  return { asset, digits, startAmount, opensAt, closesAt, remaining, isCovered };
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
