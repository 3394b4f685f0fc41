import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { houseAddress, Quotas, userAddress, type Ledger } from '../ledger/index.ts';
import { accruedOf, type FinanceOrder } from './domain.ts';
import { creditDays } from './repository.ts';

/**
 * House accounts of finance: `interest` pays the interest. For products paid at maturity, earned
 * interest moves to `accrued` every day, so the balance of `interest` covers only interest not
 * earned yet.
 */
const ACCOUNTS = { interest: houseAddress('interest'), accrued: houseAddress('accrued') };

const spotOf = (user: UserId) => userAddress(user, 'spot', 'available');
const lockedOf = (user: UserId) => userAddress(user, 'finance', 'locked');

/** The interest of an order for a number of days. */
function interestFor({ dailyInterest }: FinanceOrder, days: number): Decimal {
  return Decimal.ofAtoms(dailyInterest.atoms * BigInt(days));
}

/** Posts ledger entries of fixed-term finance products. */
export class FinancePosts {
  private readonly quotas: Quotas;
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
    this.quotas = new Quotas(ledger, 'finance');
  }

  /** Locks the principal and counts it against the product's capacity and the user's limit. */
  purchase(step: SqlStep, order: FinanceOrder, maximum: Decimal): void {
    const { owner, asset, principal: amount } = order;
    this.ledger.post(step, 'finance.bought', order.id, [
      ...this.quotas.purchasePostings(order, maximum),
      { source: spotOf(owner), destination: lockedOf(owner), asset, amount },
    ]);
  }

  /**
   * Accrues the interest of the next days of orders and stores the days. Interest that is paid daily, or owed
   * on a completed order, is paid to the owner at once. Returns the changed orders; skips those whose
   * interest cannot be paid now.
   */
  async accrue(
    step: SqlStep,
    due: readonly { readonly order: FinanceOrder; readonly days: number }[],
  ): Promise<FinanceOrder[]> {
    const available = new Map<string, Decimal>();
    const accrued = new Map<string, Decimal[]>();
    const credited = due.filter(({ order, days }) => {
      const { asset } = order;
      if (this.ledger.isHalted(asset)) return false;
      const funded = available.get(asset) ?? this.ledger.balance(ACCOUNTS.interest, asset);
      const amount = interestFor(order, days);
      if (amount.isMore(funded)) return false;
      available.set(asset, funded.minus(amount));
      if (amount.isZero()) return true;
      // Interest that is paid daily, or still owed on a completed order, goes directly to the order's owner. Other interest
      // moves to the accrued account.
      if (order.payMode === 'daily' || order.status === 'completed') {
        const posting = { source: ACCOUNTS.interest, destination: spotOf(order.owner), asset, amount };
        this.ledger.post(step, 'finance.paid', order.id, [posting]);
      } else accrued.set(asset, [...(accrued.get(asset) ?? []), amount]);
      return true;
    });
    for (const [asset, amounts] of accrued) {
      const posting = {
        source: ACCOUNTS.interest,
        destination: ACCOUNTS.accrued,
        asset,
        amount: sum(amounts),
      };
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

  /**
   * Returns the principal, frees the user's limit, and pays the accrued interest; interest that is not accrued yet
   * stays owed.
   */
  maturity(step: SqlStep, order: FinanceOrder): void {
    const { owner, asset, principal } = order;
    this.ledger.post(step, 'finance.matured', order.id, [
      { source: lockedOf(owner), destination: spotOf(owner), asset, amount: principal },
      this.quotas.releasePosting(order),
    ]);
    const amount = order.payMode === 'maturity' ? accruedOf(order) : Decimal.zero;
    if (!amount.isPositive()) return;
    this.ledger.post(step, 'finance.paid', order.id, [
      { source: ACCOUNTS.accrued, destination: spotOf(owner), asset, amount },
    ]);
  }
}
