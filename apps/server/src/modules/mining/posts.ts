import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { houseAddress, Quotas, userAddress, type Ledger } from '../ledger/index.ts';
import type { MiningOrder } from './domain.ts';
import { creditDay } from './repository.ts';

/** Account of the exchange that pays mining income; operators fund it from collected fees. */
const PAYER = houseAddress('mining');

const spotOf = (user: UserId) => userAddress(user, 'spot', 'available');
const lockedOf = (user: UserId) => userAddress(user, 'mining', 'locked');

/**
 * Posts the ledger entries of a mining order: for the purchase, for the income of each day, and for the
 * redemption.
 */
export class MiningPosts {
  private readonly quotas: Quotas;
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
    this.quotas = new Quotas(ledger, 'mining');
  }

  /** Locks the principal of a mining order, and counts it towards the product's capacity and the user's limit. */
  purchase(step: SqlStep, order: MiningOrder, maximum: Decimal): void {
    const { owner, asset, principal: amount } = order;
    this.ledger.post(step, 'mining.bought', order.id, [
      ...this.quotas.purchasePostings(order, maximum),
      { source: spotOf(owner), destination: lockedOf(owner), asset, amount },
    ]);
  }

  /**
   * Credits the next day's income of mining orders and stores the day as credited. Returns the credited orders in their
   * new state. Leaves out orders in halted coins, and those whose income exceeds the balance of the paying account.
   */
  async credit(step: SqlStep, due: readonly MiningOrder[]): Promise<MiningOrder[]> {
    const credited = due.filter(({ id, owner, asset, dailyIncome: amount }) => {
      const source = PAYER;
      if (this.ledger.isHalted(asset) || amount.isMore(this.ledger.balance(source, asset))) return false;
      if (amount.isPositive())
        this.ledger.post(step, 'mining.paid', id, [{ source, destination: spotOf(owner), asset, amount }]);
      return true;
    });
    if (credited.length > 0)
      await creditDay(
        step.sql,
        credited.map(({ id }) => id),
        step.now,
      );
    return credited.map((order) => ({ ...order, daysCredited: order.daysCredited + 1 }));
  }

  /**
   * Moves the principal of a mining order from the owner's locked to the available balance, and releases the part of
   * the user's limit that the order used.
   */
  redeem(step: SqlStep, order: MiningOrder): void {
    const { owner, asset, principal: amount } = order;
    this.ledger.post(step, 'mining.redeemed', order.id, [
      { source: lockedOf(owner), destination: spotOf(owner), asset, amount },
      this.quotas.releasePosting(order),
    ]);
  }
}
