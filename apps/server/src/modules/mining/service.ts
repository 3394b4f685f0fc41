import type { Submission } from '../../platform/sequencer/submission.ts';
import { COVERED_DAYS } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { MiningStatus } from '@exchange/core/mining.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import { rowsOfPage } from '../../platform/database/paged-rows.ts';
import { Earn, type EarnParts } from '../earn/index.ts';
import type { MiningCommands } from './commands.ts';
import type { MiningOrder, ProductTerms } from './domain.ts';
import { MINING } from './kind.ts';
import { incomeOf, ordersOf, totalsOf } from './records-repository.ts';
import { orderOfOrigin } from './repository.ts';

export interface MiningParts extends EarnParts<ProductTerms> {
  readonly commands: MiningCommands;
}

interface Page {
  readonly pageNo: number;
  readonly pageSize: number;
}

/** One method per use case of mining, beside those that every kind has. */
export class Mining extends Earn<ProductTerms> {
  private readonly own: MiningParts;

  constructor(parts: MiningParts) {
    super(MINING, parts);
    this.own = parts;
  }

  /** Returns the principal of an order whose cycle has ended; once more gives the same answer. */
  redeem(owner: UserId, id: string, submission?: Submission) {
    return this.own.sequencer.execute(this.own.commands.redeem, { owner, id }, { actor: owner, submission });
  }

  /** A user's orders with their products, and what all of them come to in USDT. */
  async orders(owner: UserId, status: MiningStatus | undefined, page: Page) {
    const { reader } = this.own.database;
    const now = this.own.clock.now();
    const [{ list, total }, totals, namesOf] = await Promise.all([
      ordersOf(reader, owner, status, { ...rowsOfPage(page), now }),
      totalsOf(reader, owner, later(now, COVERED_DAYS * DAY_MS)),
      this.names(),
    ]);
    const rows = list.map((order) => ({ order, ...namesOf(order) }));
    return { list: rows, total, totals: this.worthOf(totals), now };
  }

  /** A user's income day by day. */
  async income(owner: UserId, orderId: string | undefined, page: Page) {
    const [{ list, total }, namesOf] = await Promise.all([
      incomeOf(this.own.database.reader, owner, orderId, rowsOfPage(page)),
      this.names(),
    ]);
    return { list: list.map((income) => ({ income, ...namesOf(income.order) })), total };
  }

  /** The order that the house has opened under this name. */
  opened(origin: string): Promise<MiningOrder | undefined> {
    return orderOfOrigin(this.own.database.reader, origin);
  }
}
