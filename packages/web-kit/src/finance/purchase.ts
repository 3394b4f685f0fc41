import { Decimal } from '@exchange/core/decimal.ts';
import { mostBuyable, purchaseProblem, type ProductOnSale, type Schedule } from '@exchange/core/finance.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { typedAmount } from '../form/decimal-text.ts';
import type { Product } from './shapes.ts';

/** Values of the purchase form. They do not include the trade password, which `ConfirmForm` collects. */
export interface PurchaseForm {
  /** Amount as plain decimal text; empty, or typed text that is no valid number. */
  readonly amount: string;
  readonly agree: boolean;
}

export const INITIAL_PURCHASE: PurchaseForm = { amount: '', agree: false };

/** Data against which a purchase is validated; they may change while the form is open. */
export interface PurchaseContext {
  readonly product: Product;
  /** The user's available balance in the product's coin; undefined for visitors and until loaded. */
  readonly available: Decimal | undefined;
  /** Current time by the server's clock. */
  readonly now: Instant;
}

export type PurchaseProblems = { readonly [Field in keyof PurchaseForm]?: Refusal };

/** Returns the validation errors of the purchase form by field. */
export function purchaseProblems(form: PurchaseForm, moment: PurchaseContext): PurchaseProblems {
  const amount = amountProblem(form.amount, moment);
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(form.agree ? {} : { agree: refusal('invalidField', 'l.agree_required', { field: 'agree' }) }),
  };
}

function amountProblem(text: string, { product, available, now }: PurchaseContext): Refusal | undefined {
  const typed = typedAmount('amount', text, product.digits);
  if (!typed.ok) return typed.refusal;
  const amount = typed.value;
  const limits = {
    userRemaining: Decimal.parse(product.userRemaining),
    // While the balance is not loaded, the form does not limit the amount by the balance. The server checks the
    // balance.
    available: available ?? amount,
  };
  return purchaseProblem(onSale(product), amount, limits, now);
}

/**
 * The maximum amount of a purchase, in the product's coin, regardless of the balance: the lower of the user's
 * remaining limit and the product's remaining supply.
 */
export function maxPurchaseOf({ userRemaining, remaining }: Product): Decimal {
  const userLimit = Decimal.parse(userRemaining);
  return mostBuyable({ available: userLimit, userRemaining: userLimit, remaining: Decimal.parse(remaining) });
}

/**
 * Returns a percentage of the available balance as plain text, truncated to the coin's decimals and limited to the
 * lower of the user's remaining limit and the product's remaining supply; undefined until the balance has loaded.
 */
export function shareOfAvailable(
  percent: number,
  { product, available }: Omit<PurchaseContext, 'now'>,
): string | undefined {
  if (available === undefined) return undefined;
  return mostBuyable({
    available: available.times(Decimal.ofScaled(BigInt(percent), 2), 'down', product.digits),
    userRemaining: Decimal.parse(product.userRemaining),
    remaining: Decimal.parse(product.remaining),
  }).toString();
}

/** The expected payments to the user after a purchase of an earn product, with their dates. */
export interface PurchaseResult extends Schedule {
  readonly principal: Decimal;
  /** Principal plus all interest, i.e. the total amount in the product's coin that the user receives. */
  readonly back: Decimal;
}

/**
 * The result of a purchase of the typed amount at the current time; undefined unless the amount is a positive
 * number with at most the decimals of the product's coin. The limits of the purchase are not checked here.
 */
export function purchaseResult(
  { amount }: PurchaseForm,
  { product, now }: PurchaseContext,
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
