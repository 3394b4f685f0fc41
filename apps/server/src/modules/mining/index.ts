import type { ProductManifest } from '../../platform/app-module.ts';
import type { EarnDeps } from '../earn/index.ts';
import type { MoneyModule } from '../ledger/index.ts';
import { miningCommands, miningReplay } from './commands.ts';
import { seedMining } from './demo.ts';
import { miningChanged } from './feed.ts';
import { miningJobs } from './jobs.ts';
import { miningOperations } from './operations.ts';
import { miningRoutes } from './routes.ts';
import { miningHolds } from './repository.ts';
import { Mining } from './service.ts';
import { miningMessages } from './words/messages.ts';
import { miningRecords } from './records-repository.ts';

/**
 * mining: products that pay a daily income. A purchase locks an amount for a cycle of whole days; the income of each
 * day is credited once, at 00:10 UTC of the next day. After the cycle the owner can redeem the principal at any time.
 * The row of an order contains all terms that the order needs, as they were at the purchase.
 */

/** Declaration of the module mining for audit, reconciliation, checkpoints and replay. */
export const miningMoney: MoneyModule = {
  name: 'mining',
  tables: ['mining_product', 'mining_product_version', 'mining_agreement', 'mining_order', 'mining_income'],
  holds: miningHolds,
  replay: miningReplay,
};

/** Creates the module; nothing runs before its start. */
export function createMining(deps: EarnDeps) {
  const commands = miningCommands(deps.ledger, deps.coins);
  deps.sequencer.register(Object.values(commands));
  const mining = new Mining({ ...deps, commands });
  const jobs = miningJobs({ ...deps, commands });
  jobs.define(deps.jobs);
  return {
    name: 'mining',
    privateEvents: [miningChanged],
    messages: miningMessages,
    mining,
    jobs,
    routes: miningRoutes(mining, jobs),
    operations: miningOperations(mining, deps.ledger, deps.market),
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    seed: (demo) => seedMining(mining, () => jobs.settle(), demo),
    reserves: () => mining.reserves(),
    dueLiabilities: (untilDay) => mining.dueLiabilities(untilDay),
    health: () => jobs.health(),
    onSale: () => mining.onSale(),
    records: [miningRecords(deps.database.reader)],
    openCounts: (user) => mining.openCounts(user),
  } satisfies ProductManifest;
}
