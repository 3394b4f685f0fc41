import type { ProductManifest } from '../../platform/app-module.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import type { Messages } from '../messages/index.ts';
import type { MoneyModule } from '../ledger/index.ts';
import { fundCommands, fundReplay } from './commands.ts';
import { seedFunds } from './demo.ts';
import { fundChanged, publishValues, serveValues } from './feed.ts';
import { FundJobs } from './jobs.ts';
import { fundOperations } from './operations.ts';
import { fundRoutes } from './routes.ts';
import { fundHolds } from './repository.ts';
import { Funds, type FundParts } from './service.ts';
import { FundWatch } from './watch.ts';
import { fundMessages } from './words/messages.ts';
import { fundRecords } from './records-repository.ts';

/**
 * fund: leveraged positions in baskets of coins that have an index. Purchases, and sales without a limit price, execute
 * at the first unit value after their acceptance. A position with too little equity is liquidated at the first unit
 * value that requires it, also at one that is read from the index tape after a restart. The row of a position contains
 * all terms that the position needs.
 */
export type { Funds } from './service.ts';

/** Declaration of the module fund for audit, reconciliation, checkpoints and replay. */
export const fundMoney: MoneyModule = {
  name: 'fund',
  tables: ['fund_product', 'fund_product_version', 'fund_position', 'fund_sell', 'fund_cost'],
  holds: fundHolds,
  replay: fundReplay,
};

/** Creates the module; nothing runs before its start. */
export function createFund(
  deps: Omit<FundParts, 'commands' | 'database' | 'sequencer' | 'market' | 'assets' | 'watch'> & {
    readonly assets: Assets;
    readonly database: Database;
    readonly events: Events;
    readonly feed: Feed;
    readonly jobs: Jobs;
    readonly bulkheads: Bulkheads;
    readonly log: Log;
    readonly mail: Mail;
    readonly market: Market;
    readonly sequencer: Sequencer;
    readonly identity: Pick<Identity, 'addressees'>;
    readonly messages: Pick<Messages, 'send' | 'announce' | 'words'>;
  },
) {
  const { assets, database, feed, ledger, market, sequencer } = deps;
  const commands = fundCommands({ ledger, pairs: assets.pairs, coins: assets.coins });
  sequencer.register(Object.values(commands));
  const watch: FundWatch = new FundWatch({
    ...deps,
    commands,
    publish: (values) => publishValues(feed, values),
    notify: () => void jobs.publishNotices(),
  });
  const jobs: FundJobs = new FundJobs({
    ...deps,
    commands,
    chargeUntil: () => watch.judgedUntil ?? deps.clock.now(),
    storeCandles: () => watch.store(),
  });
  const funds = new Funds({ ...deps, commands, watch });
  jobs.define(deps.jobs);
  serveValues(feed, () => watch.latest);
  return {
    name: 'fund',
    privateEvents: [fundChanged],
    messages: fundMessages,
    funds,
    jobs,
    watch,
    routes: fundRoutes(funds),
    operations: fundOperations(funds, { ledger, market }),
    start: async () => {
      await watch.start();
      jobs.start();
    },
    stop: async () => {
      await watch.stop();
      await jobs.stop();
    },
    seed: (demo) => seedFunds({ funds, database, market, settle: () => jobs.settle() }, demo),
    reserves: () => funds.reserves(),
    exposures: () => funds.exposures(),
    health: async () => {
      const since = await jobs.lateSince();
      const facts = { late: since === undefined ? 'none' : `since ${new Date(since).toISOString()}` };
      return since === undefined
        ? { isUp: true, facts }
        : { isUp: false, reason: `positions wait for a value or for money ${facts.late}`, facts };
    },
    onSale: () => funds.onSale(),
    records: [fundRecords(deps.database.reader)],
    openCounts: (user) => funds.openCounts(user),
  } satisfies ProductManifest;
}
