import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import {
  houseAddress,
  quotaAsset,
  userAddress,
  worldAddress,
  type Ledger,
  type Posting,
} from '../ledger/index.ts';
import { accruedOf, quotaChange, type FinanceOrder, type Product } from './domain.ts';
import { creditDays } from './repository.ts';

/**
 * Interest is paid from `interest`. What is paid at maturity moves to `accrued` day by day as it is earned, so that what
 * is left in `interest` is free for what is still to be earned.
 */
export const HOUSE = {
  interest: houseAddress('interest'),
  accrued: houseAddress('accrued'),
  fees: houseAddress('fees'),
  quota: houseAddress('quota'),
  sold: houseAddress('sold'),
};

export const spotOf = (user: UserId) => userAddress(user, 'spot', 'available');
export const lockedOf = (user: UserId) => userAddress(user, 'finance', 'locked');
const shareOf = (user: UserId) => userAddress(user, 'finance', 'available');

/** What an order earns in so many days. */
export function interestFor({ dailyInterest: daily }: FinanceOrder, days: number): Decimal {
  return Decimal.ofAtoms(daily.atoms * BigInt(days));
}

/** What finance moves, in postings. */
export class FinancePosts {
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** Brings what is sold of a product to its capacity; refuses less than is sold already. */
  capacity(step: SqlStep, product: Product, before: Decimal): void {
    const asset = quotaAsset('capacity', product.id);
    const outside = worldAddress(asset, 'quota');
    const more = product.capacity.minus(before);
    const remaining = this.ledger.balance(HOUSE.quota, asset);
    if (more.negated().isMore(remaining)) {
      const about = { field: 'capacity', limit: before.minus(remaining).toString(), unit: product.asset };
      throw new Refused(
        refusal('belowMinimum', 'l.finance_sold_below', { ...about, value: product.capacity.toString() }),
      );
    }
    if (more.isZero()) return;
    const [source, destination] = more.isPositive() ? [outside, HOUSE.quota] : [HOUSE.quota, outside];
    this.ledger.post(step, 'finance.published', product.id, [
      { source, destination, asset, amount: more.absolute() },
    ]);
  }

  /** Locks the principal, takes it off what is left of the product, and uses that much of the person's share. */
  purchase(step: SqlStep, order: FinanceOrder, maximum: Decimal): void {
    const { owner: buyer, asset, principal: amount, product } = order;
    const [capacity, share] = [quotaAsset('capacity', product), quotaAsset('limit', product)];
    const outside = worldAddress(share, 'quota');
    const available = this.ledger.balance(shareOf(buyer), share);
    const locked = this.ledger.balance(lockedOf(buyer), share);
    const { given, taken } = quotaChange({ available, locked }, maximum);
    const all: Posting[] = [
      { source: outside, destination: shareOf(buyer), asset: share, amount: given },
      { source: shareOf(buyer), destination: outside, asset: share, amount: taken },
      { source: shareOf(buyer), destination: lockedOf(buyer), asset: share, amount },
      { source: HOUSE.quota, destination: HOUSE.sold, asset: capacity, amount },
      { source: spotOf(buyer), destination: lockedOf(buyer), asset, amount },
    ];
    this.ledger.post(
      step,
      'finance.bought',
      order.id,
      all.filter((posting) => posting.amount.isPositive()),
    );
  }

  /** Credits the next days of orders and stores them; gives those it credited, as they are after it. */
  async accrue(
    step: SqlStep,
    due: readonly { readonly order: FinanceOrder; readonly days: number }[],
  ): Promise<FinanceOrder[]> {
    const left = new Map<string, Decimal>();
    const kept = new Map<string, Decimal[]>();
    const credited = due.filter(({ order, days }) => {
      const { asset } = order;
      if (this.ledger.isHalted(asset)) return false;
      const funded = left.get(asset) ?? this.ledger.balance(HOUSE.interest, asset);
      const amount = interestFor(order, days);
      if (amount.isMore(funded)) return false;
      left.set(asset, funded.minus(amount));
      if (amount.isZero()) return true;
      if (order.payMode === 'daily') {
        const posting = { source: HOUSE.interest, destination: spotOf(order.owner), asset, amount };
        this.ledger.post(step, 'finance.paid', order.id, [posting]);
      } else kept.set(asset, [...(kept.get(asset) ?? []), amount]);
      return true;
    });
    for (const [asset, amounts] of kept) {
      const posting = { source: HOUSE.interest, destination: HOUSE.accrued, asset, amount: sum(amounts) };
      this.ledger.post(step, 'finance.accrued', null, [posting]);
    }
    if (credited.length > 0)
      await creditDays(
        step.sql,
        credited.map(({ order, days }) => ({ id: order.id, days })),
        step.now,
      );
    return credited.map(({ order, days }) => ({ ...order, daysAccrued: order.daysAccrued + days }));
  }

  /** Gives back the principal and the person's share, and what interest has been kept until now. */
  maturity(step: SqlStep, order: FinanceOrder): void {
    const { owner: of, asset, principal, product } = order;
    const share = quotaAsset('limit', product);
    this.ledger.post(step, 'finance.matured', order.id, [
      { source: lockedOf(of), destination: spotOf(of), asset, amount: principal },
      { source: lockedOf(of), destination: shareOf(of), asset: share, amount: principal },
    ]);
    const amount = order.payMode === 'maturity' ? accruedOf(order) : Decimal.zero;
    if (!amount.isPositive()) return;
    this.ledger.post(step, 'finance.paid', order.id, [
      { source: HOUSE.accrued, destination: spotOf(of), asset, amount },
    ]);
  }

  /** The refusal where the interest of an order cannot be paid now. */
  shortOf(order: FinanceOrder, days: number): Refused {
    const { asset } = order;
    if (this.ledger.isHalted(asset))
      return new Refused(refusal('maintenance', 'l.asset_halted', { unit: asset }));
    const limit = this.ledger.balance(HOUSE.interest, asset).toString();
    const value = interestFor(order, days).toString();
    return new Refused(refusal('closed', 'l.finance_interest_late', { limit, value, unit: asset }));
  }
}
