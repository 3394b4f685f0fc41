import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { houseAddress, Quotas, userAddress, type Ledger } from '../ledger/index.ts';
import { accruedOf, type FinanceOrder } from './domain.ts';
import { creditDays } from './repository.ts';

/**
 * Accounts of the exchange for finance: `interest` pays the interest. For products that pay interest at maturity,
 * earned interest moves to `accrued` every day, so that the balance of `interest` covers only interest that is not
 * earned yet.
 */
const ACCOUNTS = { interest: houseAddress('interest'), accrued: houseAddress('accrued') };

const spotOf = (user: UserId) => userAddress(user, 'spot', 'available');
const lockedOf = (user: UserId) => userAddress(user, 'finance', 'locked');

/** The interest of a fixed-term order for a number of days, in units of its coin. */
function interestFor({ dailyInterest }: FinanceOrder, days: number): Decimal {
  return Decimal.ofAtoms(dailyInterest.atoms * BigInt(days));
}

/** Posts the ledger entries of fixed-term orders. */
export class FinancePosts {
  private readonly quotas: Quotas;
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
    this.quotas = new Quotas(ledger, 'finance');
  }

  /** Locks the principal of an order, and counts it towards the product's capacity and the user's limit. */
  purchase(step: SqlStep, order: FinanceOrder, maximum: Decimal): void {
    const { owner, asset, principal: amount } = order;
    this.ledger.post(step, 'finance.bought', order.id, [
      ...this.quotas.purchasePostings(order, maximum),
      { source: spotOf(owner), destination: lockedOf(owner), asset, amount },
    ]);
  }

  /**
   * Accrues the interest of the next days of orders and stores these days. Interest that is paid daily, or that is owed
   * on a completed order, is paid to the owner at once. Returns the changed orders; orders whose interest cannot be
   * paid now are left out.
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
      // Interest that is paid daily, or still owed on a completed order, is posted to the order's owner. Other interest
      // is posted to the account `accrued`.
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
   * Pays out an order at its maturity: returns the principal, releases the part of the user's limit that the order
   * used, and pays the accrued interest if interest is paid at maturity. Interest that is not accrued yet stays owed.
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
