import type { Submission } from '../../platform/sequencer/submission.ts';
import { COVERED_DAYS } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import { type AskedPage, mapPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import { Earn, type EarnParts } from '../earn/index.ts';
import type { FinanceCommands } from './commands.ts';
import type { FinanceOrder, ProductTerms } from './domain.ts';
import { FINANCE } from './kind.ts';
import { incomeOf, ordersOf, totalsOf } from './records-repository.ts';
import { orderOfOrigin, ordersByIds } from './repository.ts';

export interface FinanceParts extends EarnParts<ProductTerms> {
  readonly commands: FinanceCommands;
}

/** One method per use case of fixed-term finance, beside those that every kind has. */
export class Finance extends Earn<ProductTerms> {
  private readonly own: FinanceParts;

  constructor(parts: FinanceParts) {
    super(FINANCE, parts);
    this.own = parts;
  }

  /** Pays out a matured order to its owner; once more gives the same answer. */
  withdraw(owner: UserId, id: string, submission?: Submission) {
    return this.own.sequencer.execute(
      this.own.commands.withdraw,
      { owner, id },
      { actor: owner, submission },
    );
  }

  /** A user's orders with their products, and what all of them come to in USDT. */
  async orders(owner: UserId, status: FinanceOrder['status'] | undefined, page: AskedPage) {
    const { reader } = this.own.database;
    const now = this.own.clock.now();
    const [found, totals] = await Promise.all([
      ordersOf(reader, owner, status, rowsOfPage(page)),
      totalsOf(reader, owner, later(now, COVERED_DAYS * DAY_MS)),
    ]);
    const namesOf = await this.names(found.list);
    const orders = mapPage(found, (order) => ({ order, ...namesOf(order) }));
    return { orders, totals: this.worthOf(totals), now };
  }

  /** One of a user's orders with its product; refuses with `l.not_found` where it is not theirs. */
  async order(owner: UserId, id: string) {
    const [order] = await ordersByIds(this.own.database.reader, [id]);
    if (order?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
    const namesOf = await this.names([order]);
    return { order, ...namesOf(order), now: this.own.clock.now() };
  }

  /** A user's interest day by day. */
  async income(owner: UserId, orderId: string | undefined, page: AskedPage) {
    const found = await incomeOf(this.own.database.reader, owner, orderId, rowsOfPage(page));
    const namesOf = await this.names(found.list.map(({ order }) => order));
    return mapPage(found, (income) => ({ income, ...namesOf(income.order) }));
  }

  /** Whether the house has opened an order under this name. */
  async isOpened(origin: string): Promise<boolean> {
    return (await orderOfOrigin(this.own.database.reader, origin)) !== undefined;
  }
}
