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

const LEFT = houseAddress('quota');
const SOLD = houseAddress('sold');

/** What is offered: amounts of it are of `asset`. */
interface Offered {
  readonly id: string;
  readonly asset: AssetCode;
  /** What is sold in all, ever. */
  readonly capacity: Decimal;
}

/** A purchase as far as it uses up what there is. */
interface Used {
  readonly owner: UserId;
  readonly product: string;
  readonly principal: Decimal;
}

/** What is left of a product's offers, and of what each person may have of one; kept as balances that nothing takes below zero. */
export class Quotas {
  private readonly ledger: Ledger;
  private readonly product: Product;

  constructor(ledger: Ledger, product: Product) {
    this.ledger = ledger;
    this.product = product;
  }

  /** What of an offer is left. */
  remaining(offer: string): Decimal {
    return this.ledger.balance(LEFT, quotaAsset('capacity', offer));
  }

  /** What a person has running of an offer. */
  used(user: UserId, offer: string): Decimal {
    return this.ledger.balance(userAddress(user, this.product, 'locked'), quotaAsset('limit', offer));
  }

  /** What a person has running of each offer, by its name, as stored: for screens. */
  async storedUse(reader: Reader, user: UserId): Promise<(offer: string) => Decimal> {
    const balances = await storedBalances(reader, user, this.product, 'locked');
    return (offer) => balances.get(quotaAsset('limit', offer)) ?? Decimal.zero;
  }

  /** What would be left of an offer with another capacity than before; a refusal where more of it is sold already. */
  leftOf({ id, asset, capacity }: Offered, before: Decimal): Result<Decimal, Refusal> {
    const remaining = this.remaining(id);
    const left = remaining.plus(capacity.minus(before));
    if (!left.isNegative()) return accepted(left);
    const about = { field: 'capacity', limit: before.minus(remaining).toString(), unit: asset };
    return refused(refusal('belowMinimum', 'l.finance_sold_below', { ...about, value: capacity.toString() }));
  }

  /** Brings what is sold of an offer to its capacity; refuses less than is sold already. */
  publish(step: Step, kind: EntryKind, offer: Offered, before: Decimal): void {
    const asset = quotaAsset('capacity', offer.id);
    const outside = worldAddress(asset, 'quota');
    const left = this.leftOf(offer, before);
    if (!left.ok) throw new Refused(left.refusal);
    const more = offer.capacity.minus(before);
    if (more.isZero()) return;
    const [source, destination] = more.isPositive() ? [outside, LEFT] : [LEFT, outside];
    this.ledger.post(step, kind, offer.id, [{ source, destination, asset, amount: more.absolute() }]);
  }

  /** What a purchase takes: so much of the offer, and of the share that its maximum gives the person. */
  taken({ owner, product, principal: amount }: Used, maximum: Decimal): Posting[] {
    const [capacity, share] = [quotaAsset('capacity', product), quotaAsset('limit', product)];
    const outside = worldAddress(share, 'quota');
    const [free, bound] = this.sharesOf(owner);
    const present = {
      available: this.ledger.balance(free, share),
      locked: this.ledger.balance(bound, share),
    };
    const { given, taken } = quotaChange(present, maximum);
    const all: Posting[] = [
      { source: outside, destination: free, asset: share, amount: given },
      { source: free, destination: outside, asset: share, amount: taken },
      { source: free, destination: bound, asset: share, amount },
      { source: LEFT, destination: SOLD, asset: capacity, amount },
    ];
    return all.filter((posting) => posting.amount.isPositive());
  }

  /** What is given back when a purchase is over: the person's share. */
  givenBack({ owner, product, principal: amount }: Used): Posting {
    const [destination, source] = this.sharesOf(owner);
    return { source, destination, asset: quotaAsset('limit', product), amount };
  }

  private sharesOf(user: UserId) {
    return [userAddress(user, this.product, 'available'), userAddress(user, this.product, 'locked')] as const;
  }
}

/** What changes of a person's quota when it is brought to the maximum; what is in use stays theirs. */
function quotaChange(
  { available, locked }: { readonly available: Decimal; readonly locked: Decimal },
  maximum: Decimal,
): { readonly given: Decimal; readonly taken: Decimal } {
  const all = available.plus(locked);
  if (!all.isMore(maximum)) return { given: maximum.minus(all), taken: Decimal.zero };
  return { given: Decimal.zero, taken: least(available, all.minus(maximum)) };
}
