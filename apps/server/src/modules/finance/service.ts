import type { Submission } from '../../platform/sequencer/submission.ts';
import { COVERED_DAYS } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import { type AskedPage, COUNT_ONLY, mapPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import { Earn, type EarnParts } from '../earn/index.ts';
import type { FinanceCommands } from './commands.ts';
import type { FinanceOrder, ProductTerms } from './domain.ts';
import { FINANCE } from './kind.ts';
import { incomeOf, ordersOf, totalsOf } from './records-repository.ts';
import { orderOfOrigin, ordersByIds } from './repository.ts';

export interface FinanceParts extends EarnParts<ProductTerms> {
  readonly commands: FinanceCommands;
}

/** The use cases of fixed-term finance products, in addition to those in `Earn`. */
export class Finance extends Earn<ProductTerms> {
  private readonly financeParts: FinanceParts;

  constructor(parts: FinanceParts) {
    super(FINANCE, parts);
    this.financeParts = parts;
  }

  /**
   * Pays out a matured order to its owner. Refuses an unknown order, one of another user, and one that has
   * not matured. A second call for the same order pays nothing and returns the order's amounts.
   */
  withdraw(owner: UserId, id: string, submission?: Submission) {
    return this.financeParts.sequencer.execute(
      this.financeParts.commands.withdraw,
      { owner, id },
      { actor: owner, submission },
    );
  }

  /** Number of a user's fixed-term orders whose principal is not paid out yet, with a label for operators. */
  async openCounts(owner: UserId) {
    const { orders } = await this.orders(owner, 'hosting', COUNT_ONLY);
    return [{ product: 'Finance orders', open: orders.total }];
  }

  /**
   * A page of a user's orders with this status (with any if undefined), with the names of their products, and
   * the totals of all the user's orders in USDT.
   */
  async orders(owner: UserId, status: FinanceOrder['status'] | undefined, page: AskedPage) {
    const { reader } = this.financeParts.database;
    const now = this.financeParts.clock.now();
    const [orderPage, totals] = await Promise.all([
      ordersOf(reader, owner, status, rowsOfPage(page)),
      totalsOf(reader, owner, later(now, COVERED_DAYS * DAY_MS)),
    ]);
    const namesOf = await this.names(orderPage.list);
    const orders = mapPage(orderPage, (order) => ({ order, ...namesOf(order) }));
    return { orders, totals: this.worthOf(totals), now };
  }

  /**
   * The user's order with this id, with the name of its product. Refuses with `l.not_found` if the order does not exist
   * or belongs to another user.
   */
  async order(owner: UserId, id: string) {
    const [order] = await ordersByIds(this.financeParts.database.reader, [id]);
    if (order?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
    const namesOf = await this.names([order]);
    return { order, ...namesOf(order), now: this.financeParts.clock.now() };
  }

  /** A page of a user's interest on fixed-term products by day, newest first, for one order or for all orders. */
  async income(owner: UserId, orderId: string | undefined, page: AskedPage) {
    const incomes = await incomeOf(this.financeParts.database.reader, owner, orderId, rowsOfPage(page));
    const namesOf = await this.names(incomes.list.map(({ order }) => order));
    return mapPage(incomes, (income) => ({ income, ...namesOf(income.order) }));
  }

  /** True if an order with this `origin` exists, the unique key of an order that the exchange itself placed. */
  async isOpened(origin: string): Promise<boolean> {
    return (await orderOfOrigin(this.financeParts.database.reader, origin)) !== undefined;
  }
}
