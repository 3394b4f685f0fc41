import { Decimal } from '@exchange/core/decimal.ts';
import { mostBuyable, purchaseProblem, type ProductOnSale, type Schedule } from '@exchange/core/finance.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { typedAmount } from '../form/decimal-text.ts';
import type { Product } from './shapes.ts';

/** What somebody fills in to buy; the trade password is asked for by the form around it. */
export interface PurchaseForm {
  /** Plain decimal text, empty, or what was typed that is no number. */
  readonly amount: string;
  readonly agree: boolean;
}

export const INITIAL_PURCHASE: PurchaseForm = { amount: '', agree: false };

/** What the purchase stands on: it may change while the form is open. */
export interface PurchaseMoment {
  readonly product: Product;
  /** In the product's coin; undefined until known. */
  readonly available: Decimal | undefined;
  /** The server's time. */
  readonly now: Instant;
}

export type PurchaseProblems = { readonly [Field in keyof PurchaseForm]?: Refusal };

/** Why the form cannot be sent, by field. */
export function purchaseProblems(form: PurchaseForm, moment: PurchaseMoment): PurchaseProblems {
  const amount = amountProblem(form.amount, moment);
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(form.agree ? {} : { agree: refusal('invalidField', 'l.agree_required', { field: 'agree' }) }),
  };
}

function amountProblem(text: string, { product, available, now }: PurchaseMoment): Refusal | undefined {
  const typed = typedAmount('amount', text, product.digits);
  if (!typed.ok) return typed.refusal;
  const amount = typed.value;
  const limits = {
    userRemaining: Decimal.parse(product.userRemaining),
    // What is not known yet refuses nothing here; the exchange knows it.
    available: available ?? amount,
  };
  return purchaseProblem(onSale(product), amount, limits, now);
}

/** What can be bought at most, whatever the balance: what is left for the person, and of the product. */
export function mostOf({ userRemaining, remaining }: Product): Decimal {
  const own = Decimal.parse(userRemaining);
  return mostBuyable({ available: own, userRemaining: own, remaining: Decimal.parse(remaining) });
}

/**
 * A share (in percent) of what is available, cut to the coin's places and to what can be bought at most, as plain
 * text; undefined until the balance is known.
 */
export function shareOfAvailable(
  percent: number,
  { product, available }: Omit<PurchaseMoment, 'now'>,
): string | undefined {
  if (available === undefined) return undefined;
  return mostBuyable({
    available: available.times(Decimal.ofScaled(BigInt(percent), 2), 'down', product.digits),
    userRemaining: Decimal.parse(product.userRemaining),
    remaining: Decimal.parse(product.remaining),
  }).toString();
}

/** What an amount would bring, and when. */
export interface PurchaseResult extends Schedule {
  readonly principal: Decimal;
  /** Principal and interest. */
  readonly back: Decimal;
}

/** What buying for the amount typed would bring, at this moment; undefined where it is no amount. */
export function purchaseResult(
  { amount }: PurchaseForm,
  { product, now }: PurchaseMoment,
  schedule: (product: Product, amount: Decimal, boughtAt: Instant) => Schedule,
): PurchaseResult | undefined {
  const principal = Decimal.tryParse(amount);
  if (principal?.isPositive() !== true || !principal.fits(product.digits)) return undefined;
  const brought = schedule(product, principal, now);
  return { principal, back: principal.plus(brought.total), ...brought };
}

function onSale(product: Product): ProductOnSale {
  return {
    asset: product.currency,
    digits: product.digits,
    startAmount: Decimal.parse(product.startAmount),
    remaining: Decimal.parse(product.remaining),
    opensAt: instant(product.startTime),
    closesAt: product.endTime === undefined ? undefined : instant(product.endTime),
    isCovered: product.selling === 1,
  };
}
