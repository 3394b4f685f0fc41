import type { ProductManifest } from '../../platform/app-module.ts';
import type { EarnDeps } from '../earn/index.ts';
import type { MoneyModule } from '../ledger/index.ts';
import { financeCommands, financeReplay } from './commands.ts';
import { seedFinance } from './demo.ts';
import { financeChanged } from './feed.ts';
import { financeJobs } from './jobs.ts';
import { financeOperations } from './operations.ts';
import { financeRoutes } from './routes.ts';
import { financeHolds } from './repository.ts';
import { Finance } from './service.ts';
import { financeMessages } from './words/messages.ts';
import { financeRecords } from './records-repository.ts';

/**
 * finance: products with a fixed term. A purchase locks an amount for whole days. A job accrues each day's interest
 * once, pays it daily or at the end of the term, and pays out matured orders, except those whose owners have to request
 * the payout. The row of an order contains all terms that the order needs, as they were at the purchase.
 */

/** Declaration of the module finance for audit, reconciliation, checkpoints and replay. */
export const financeMoney: MoneyModule = {
  name: 'finance',
  tables: [
    'finance_product',
    'finance_product_version',
    'finance_agreement',
    'finance_order',
    'finance_income',
  ],
  holds: financeHolds,
  replay: financeReplay,
};

/** Creates the module; nothing runs before its start. */
export function createFinance(deps: EarnDeps) {
  const commands = financeCommands(deps.ledger, deps.coins);
  deps.sequencer.register(Object.values(commands));
  const finance = new Finance({ ...deps, commands });
  const jobs = financeJobs({ ...deps, commands });
  jobs.define(deps.jobs);
  return {
    name: 'finance',
    privateEvents: [financeChanged],
    messages: financeMessages,
    finance,
    jobs,
    routes: financeRoutes(finance, jobs),
    operations: financeOperations(finance, deps.ledger, deps.market),
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    seed: (demo) => seedFinance(finance, () => jobs.settle(), demo),
    reserves: () => finance.reserves(),
    dueLiabilities: (untilDay) => finance.dueLiabilities(untilDay),
    health: () => jobs.health(),
    onSale: () => finance.onSale(),
    records: [financeRecords(deps.database.reader)],
    openCounts: (user) => finance.openCounts(user),
  } satisfies ProductManifest;
}
