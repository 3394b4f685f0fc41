import type { Decimal } from '@exchange/core/decimal.ts';
import type { Offer, ProductOnSale, SaleStatus, Schedule } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';

/**
 * The terms of an earn product, which operators set; amounts are in units of the coin `asset`, with decimals.
 */
export interface EarnTerms extends Omit<Offer, 'period'> {
  readonly name: TextByLocale;
  /** The source of the product's earnings, as users read it, in every language. */
  readonly source: TextByLocale;
  readonly asset: AssetCode;
  readonly agreementVersion: string;
}

/**
 * An earn product with its current terms: a fixed-term one, which yields interest, or a mining one, which
 * yields mining income.
 */
export type EarnProduct<Terms extends EarnTerms> = Terms & { readonly id: string; readonly version: number };

/**
 * The fields that orders of finance (fixed-term) and mining products have in common. Each kind adds its own terms,
 * which are fixed at the purchase.
 */
export interface EarnOrder {
  readonly id: string;
  readonly owner: UserId;
  readonly product: string;
  readonly asset: AssetCode;
  readonly principal: Decimal;
  readonly boughtAt: Instant;
  readonly startAt: Instant;
  readonly endAt: Instant;
}

/** An earn product as a user or a visitor sees it. */
export interface EarnOffered<Terms extends EarnTerms> {
  readonly product: EarnProduct<Terms>;
  readonly status: SaleStatus;
  readonly remaining: Decimal;
  /**
   * The amount in the product's coin that the user may still buy under the product's limit per user, at least
   * zero; for a visitor the whole limit. The product's remaining capacity may be less.
   */
  readonly userRemaining: Decimal;
  readonly isCovered: boolean;
  readonly digits: number;
  readonly logo: string;
}

/** An earn product with the earnings that an amount would yield if it were bought now. */
export interface EarnDetail<Terms extends EarnTerms> {
  readonly offered: EarnOffered<Terms>;
  readonly amount: Decimal;
  readonly schedule: Schedule;
}

/** Extracts the data of an earn product against which a purchase is checked. */
export function onSale(
  { asset, startAmount, opensAt, closesAt }: EarnTerms,
  digits: number,
  { remaining, isCovered }: Pick<ProductOnSale, 'remaining' | 'isCovered'>,
): ProductOnSale {
  return { asset, digits, startAmount, opensAt, closesAt, remaining, isCovered };
}

/** True if the product's current terms equal `terms`. */
export function hasTerms<Terms extends EarnTerms>(product: EarnProduct<Terms>, terms: Terms): boolean {
  const { id: _, version: __, ...current } = product;
  return sortedText(current) === sortedText(terms);
}

function sortedText(terms: object): string {
  const entries = Object.entries(terms).filter(([, value]) => value !== undefined);
  return JSON.stringify(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
