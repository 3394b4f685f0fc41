import type { Submission } from '../../platform/sequencer/submission.ts';
import { COVERED_DAYS } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { MiningStatus } from '@exchange/core/mining.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import { type AskedPage, COUNT_ONLY, mapPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import { Earn, type EarnParts } from '../earn/index.ts';
import type { MiningCommands } from './commands.ts';
import type { MiningOrder, ProductTerms } from './domain.ts';
import { MINING } from './kind.ts';
import { incomeOf, ordersOf, totalsOf } from './records-repository.ts';
import { orderOfOrigin, ordersByIds } from './repository.ts';

export interface MiningParts extends EarnParts<ProductTerms> {
  readonly commands: MiningCommands;
}

/** The use cases of mining products, in addition to those in `Earn`. */
export class Mining extends Earn<ProductTerms> {
  private readonly miningParts: MiningParts;

  constructor(parts: MiningParts) {
    super(MINING, parts);
    this.miningParts = parts;
  }

  /**
   * Pays the principal of an order whose cycle has ended back to its owner. A second call for the same order
   * pays nothing and returns the first result. Refuses what the command `redeem` refuses.
   */
  redeem(owner: UserId, id: string, submission?: Submission) {
    return this.miningParts.sequencer.execute(
      this.miningParts.commands.redeem,
      { owner, id },
      { actor: owner, submission },
    );
  }

  /** Number of a user's mining orders whose cycle has not ended, with a label for operators. */
  async openCounts(owner: UserId) {
    const { orders } = await this.orders(owner, 'earning', COUNT_ONLY);
    return [{ product: 'Mining orders', open: orders.total }];
  }

  /**
   * A page of a user's mining orders (those with this status, or all if `status` is undefined) with the names
   * of their products, and the totals of all the user's mining orders in USDT at current prices, where a coin
   * without a price counts as zero; `arriving` covers the next `COVERED_DAYS` days.
   */
  async orders(owner: UserId, status: MiningStatus | undefined, page: AskedPage) {
    const { reader } = this.miningParts.database;
    const now = this.miningParts.clock.now();
    const [orderPage, totals] = await Promise.all([
      ordersOf(reader, owner, status, { ...rowsOfPage(page), now }),
      totalsOf(reader, owner, later(now, COVERED_DAYS * DAY_MS)),
    ]);
    const namesOf = await this.names(orderPage.list);
    const orders = mapPage(orderPage, (order) => ({ order, ...namesOf(order) }));
    return { orders, totals: this.worthOf(totals), now };
  }

  /**
   * The user's mining order with this id, with the name of its product. Refuses with `l.not_found` if the order does
   * not exist or belongs to another user.
   */
  async order(owner: UserId, id: string) {
    const [order] = await ordersByIds(this.miningParts.database.reader, [id]);
    if (order?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
    const namesOf = await this.names([order]);
    return { order, ...namesOf(order), now: this.miningParts.clock.now() };
  }

  /** A page of a user's credited mining income by day, newest first, for one order or for all orders. */
  async income(owner: UserId, orderId: string | undefined, page: AskedPage) {
    const incomes = await incomeOf(this.miningParts.database.reader, owner, orderId, rowsOfPage(page));
    const namesOf = await this.names(incomes.list.map(({ order }) => order));
    return mapPage(incomes, (income) => ({ income, ...namesOf(income.order) }));
  }

  /**
   * The order with this `origin`, the unique key of an order that the exchange placed itself; undefined if
   * there is none.
   */
  findByOrigin(origin: string): Promise<MiningOrder | undefined> {
    return orderOfOrigin(this.miningParts.database.reader, origin);
  }
}
