import type { Decimal } from '@exchange/core/decimal.ts';
import type { Offer, ProductOnSale, SaleStatus, Schedule } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';

/** What an operator sets of a product of every kind; amounts in `asset`. */
export interface EarnTerms extends Omit<Offer, 'period'> {
  readonly name: TextByLocale;
  /** Where what it earns comes from. */
  readonly source: TextByLocale;
  readonly asset: AssetCode;
  readonly agreementVersion: string;
}

/** A product with its present terms. */
export type EarnProduct<Terms extends EarnTerms> = Terms & { readonly id: string; readonly version: number };

/** What an order of every kind has; a kind adds the terms that are frozen in it. */
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

/** A product as somebody sees it. */
export interface EarnOffered<Terms extends EarnTerms> {
  readonly product: EarnProduct<Terms>;
  readonly status: SaleStatus;
  readonly remaining: Decimal;
  /** What the caller may still buy; for a visitor, as much as anybody. */
  readonly userRemaining: Decimal;
  readonly isCovered: boolean;
  readonly digits: number;
  readonly logo: string;
}

/** A product, and what an amount of it would earn if it were bought now. */
export interface EarnDetail<Terms extends EarnTerms> {
  readonly offered: EarnOffered<Terms>;
  readonly amount: Decimal;
  readonly schedule: Schedule;
}

/** What a purchase is checked against. */
export function onSale(
  { asset, startAmount, opensAt, closesAt }: EarnTerms,
  digits: number,
  { remaining, isCovered }: Pick<ProductOnSale, 'remaining' | 'isCovered'>,
): ProductOnSale {
  return { asset, digits, startAmount, opensAt, closesAt, remaining, isCovered };
}

/** Whether the terms of a product are these. */
export function hasTerms<Terms extends EarnTerms>(product: EarnProduct<Terms>, asked: Terms): boolean {
  const { id: _, version: __, ...present } = product;
  return sortedText(present) === sortedText(asked);
}

function sortedText(terms: object): string {
  const set = Object.entries(terms).filter(([, value]) => value !== undefined);
  return JSON.stringify(set.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
