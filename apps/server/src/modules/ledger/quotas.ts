import { Decimal, least } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { accepted, refused, type Result } from '@exchange/core/result.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import {
  houseAddress,
  quotaAsset,
  userAddress,
  worldAddress,
  type EntryKind,
  type Posting,
  type Product,
} from './domain.ts';
import type { Reader } from '../../platform/database/database.ts';
import { storedBalances } from './repository.ts';
import type { Ledger } from './service.ts';

const REMAINING = houseAddress('quota');
const SOLD = houseAddress('sold');

/** A product that is offered for sale; `capacity` is in units of the coin `asset`, with decimals. */
interface Offered {
  readonly id: string;
  readonly asset: AssetCode;
  /**
   * Maximum of the sum of all sales of the product, including those that have ended; in units of `asset`,
   * with decimals.
   */
  readonly capacity: Decimal;
}

/** The fields of a purchase that determine which quotas it uses up, and by how much. */
interface QuotaUse {
  readonly owner: UserId;
  readonly product: string;
  readonly principal: Decimal;
}

/**
 * Quotas: how much of each product is still for sale, and how much each user may still buy. They
 * are balances of pseudo-assets, which cannot become negative.
 */
export class Quotas {
  private readonly ledger: Ledger;
  private readonly product: Product;

  constructor(ledger: Ledger, product: Product) {
    this.ledger = ledger;
    this.product = product;
  }

  /** The amount of a product that can still be sold, in the product's coin. */
  remaining(offer: string): Decimal {
    return this.ledger.balance(REMAINING, quotaAsset('capacity', offer));
  }

  /**
   * The total amount of a user's running orders of a product, in the product's coin; read from memory, so the
   * user's balances must be loaded.
   */
  used(user: UserId, offer: string): Decimal {
    return this.ledger.balance(userAddress(user, this.product, 'locked'), quotaAsset('limit', offer));
  }

  /**
   * Reads the total amounts of a user's running orders from the database, for screens; returns a function
   * that returns the total for the id of a product, zero if there is none.
   */
  async storedUse(reader: Reader, user: UserId): Promise<(offer: string) => Decimal> {
    const balances = await storedBalances(reader, user, this.product, 'locked');
    return (offer) => balances.get(quotaAsset('limit', offer)) ?? Decimal.zero;
  }

  /**
   * The amount of a product that can still be sold after its capacity changed from `before` to the offered one. A
   * refusal if more than the new capacity is sold already.
   */
  remainingAfterChange({ id, asset, capacity }: Offered, before: Decimal): Result<Decimal, Refusal> {
    const remaining = this.remaining(id);
    const remainingAfter = remaining.plus(capacity.minus(before));
    if (!remainingAfter.isNegative()) return accepted(remainingAfter);
    const details = { field: 'capacity', limit: before.minus(remaining).toString(), unit: asset };
    return refused(
      refusal('belowMinimum', 'l.finance_sold_below', { ...details, value: capacity.toString() }),
    );
  }

  /**
   * Changes a product's remaining amount to match the new capacity; refuses a capacity below the
   * sold amount.
   */
  publish(step: Step, kind: EntryKind, offer: Offered, before: Decimal): void {
    const asset = quotaAsset('capacity', offer.id);
    const outside = worldAddress(asset, 'quota');
    const remainingAfter = this.remainingAfterChange(offer, before);
    if (!remainingAfter.ok) throw new Refused(remainingAfter.refusal);
    const increase = offer.capacity.minus(before);
    if (increase.isZero()) return;
    const [source, destination] = increase.isPositive() ? [outside, REMAINING] : [REMAINING, outside];
    this.ledger.post(step, kind, offer.id, [{ source, destination, asset, amount: increase.absolute() }]);
  }

  /**
   * Postings of a purchase: the first ones set the user's limit to `maximum`; the others reduce the amount of
   * the product that can still be sold and the amount that the user may still buy.
   */
  purchasePostings({ owner, product, principal: amount }: QuotaUse, maximum: Decimal): Posting[] {
    const [capacity, share] = [quotaAsset('capacity', product), quotaAsset('limit', product)];
    const outside = worldAddress(share, 'quota');
    const [available, locked] = this.sharesOf(owner);
    const current = {
      available: this.ledger.balance(available, share),
      locked: this.ledger.balance(locked, share),
    };
    const { granted, revoked } = quotaChange(current, maximum);
    const all: Posting[] = [
      { source: outside, destination: available, asset: share, amount: granted },
      { source: available, destination: outside, asset: share, amount: revoked },
      { source: available, destination: locked, asset: share, amount },
      { source: REMAINING, destination: SOLD, asset: capacity, amount },
    ];
    return all.filter((posting) => posting.amount.isPositive());
  }

  /** The posting that restores the amount that the user may still buy, when a purchase has ended. */
  releasePosting({ owner, product, principal: amount }: QuotaUse): Posting {
    const [destination, source] = this.sharesOf(owner);
    return { source, destination, asset: quotaAsset('limit', product), amount };
  }

  private sharesOf(user: UserId) {
    return [userAddress(user, this.product, 'available'), userAddress(user, this.product, 'locked')] as const;
  }
}

/**
 * The amounts by which the user's limit must be raised (`granted`) and lowered (`revoked`) so that its used
 * and available parts together equal `maximum`; at least one amount is zero. The limit is lowered at most by
 * its available part.
 */
function quotaChange(
  { available, locked }: { readonly available: Decimal; readonly locked: Decimal },
  maximum: Decimal,
): { readonly granted: Decimal; readonly revoked: Decimal } {
  const total = available.plus(locked);
  if (!total.isMore(maximum)) return { granted: maximum.minus(total), revoked: Decimal.zero };
  return { granted: Decimal.zero, revoked: least(available, total.minus(maximum)) };
}
