import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { houseAddress, Quotas, userAddress, type Ledger } from '../ledger/index.ts';
import { accruedOf, type FinanceOrder } from './domain.ts';
import { creditDays } from './repository.ts';

/**
 * Interest is paid from `interest`. What is paid at maturity moves to `accrued` day by day as it is earned, so that what
 * is left in `interest` is free for what is still to be earned.
 */
const HOUSE = { interest: houseAddress('interest'), accrued: houseAddress('accrued') };

const spotOf = (user: UserId) => userAddress(user, 'spot', 'available');
const lockedOf = (user: UserId) => userAddress(user, 'finance', 'locked');

/** What an order earns in so many days. */
function interestFor({ dailyInterest: daily }: FinanceOrder, days: number): Decimal {
  return Decimal.ofAtoms(daily.atoms * BigInt(days));
}

/** What finance moves, in postings. */
export class FinancePosts {
  private readonly quotas: Quotas;
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
    this.quotas = new Quotas(ledger, 'finance');
  }

  /** Locks the principal, takes it off what is left of the product, and uses that much of the person's share. */
  purchase(step: SqlStep, order: FinanceOrder, maximum: Decimal): void {
    const { owner: buyer, asset, principal: amount } = order;
    this.ledger.post(step, 'finance.bought', order.id, [
      ...this.quotas.taken(order, maximum),
      { source: spotOf(buyer), destination: lockedOf(buyer), asset, amount },
    ]);
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
      // What is still owed behind maturity goes to its owner at once.
      if (order.payMode === 'daily' || order.status === 'completed') {
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

  /** Returns the principal and the person's share, and pays what interest was set aside until now; the rest stays owed. */
  maturity(step: SqlStep, order: FinanceOrder): void {
    const { owner: of, asset, principal } = order;
    this.ledger.post(step, 'finance.matured', order.id, [
      { source: lockedOf(of), destination: spotOf(of), asset, amount: principal },
      this.quotas.givenBack(order),
    ]);
    const amount = order.payMode === 'maturity' ? accruedOf(order) : Decimal.zero;
    if (!amount.isPositive()) return;
    this.ledger.post(step, 'finance.paid', order.id, [
      { source: HOUSE.accrued, destination: spotOf(of), asset, amount },
    ]);
  }
}
