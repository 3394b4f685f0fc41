import type { ProductManifest } from '../../platform/app-module.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Ledger, MoneyModule } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { Messages } from '../messages/index.ts';
import { subscriptionCommands, subscriptionReplay } from './commands.ts';
import { seedSubscription } from './demo.ts';
import { subscriptionChanged } from './feed.ts';
import { SubscriptionJobs } from './jobs.ts';
import { subscriptionOperations } from './operations.ts';
import { subscriptionRoutes } from './routes.ts';
import { subscriptionRecords, subscriptionHolds } from './repository.ts';
import { Subscription, type SubscriptionParts } from './service.ts';
import { subscriptionMessages } from './words/messages.ts';

/**
 * subscription: sales of new tokens against commitments. After a sale, the exchange publishes a file of all commitments
 * and announces its hash. From this file the tokens are allocated in proportion to the commitments, up to a maximum per
 * user. Then each participant is settled, and the tokens are released over time after a lock.
 */
export { TOKEN_TRADERS } from './demo.ts';

/** Declaration of the module subscription for audit, reconciliation, checkpoints and replay. */
export const subscriptionMoney: MoneyModule = {
  name: 'subscription',
  tables: [
    'subscription_project',
    'subscription_project_version',
    'subscription_agreement',
    'subscription_commitment',
  ],
  holds: subscriptionHolds,
  replay: subscriptionReplay,
};

interface Deps extends Omit<
  SubscriptionParts,
  'advance' | 'assets' | 'commands' | 'database' | 'ledger' | 'sequencer'
> {
  readonly assets: Pick<Assets, 'findCoin' | 'logo' | 'requireCoin' | 'list'>;
  readonly database: Database;
  readonly sequencer: Sequencer;
  readonly ledger: Ledger;
  readonly events: Events;
  readonly feed: Feed;
  readonly jobs: Jobs;
  readonly bulkheads: Bulkheads;
  readonly log: Log;
  readonly identity: Pick<Identity, 'addressees'>;
  readonly market: Pick<Market, 'reference'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/** Builds the module. Nothing runs before its start. */
export function createSubscription(deps: Deps) {
  const commands = subscriptionCommands(deps.ledger);
  deps.sequencer.register(Object.values(commands));
  const jobs = new SubscriptionJobs({ ...deps, commands });
  const subscription = new Subscription({ ...deps, commands, advance: (code) => jobs.retry(code) });
  jobs.define(deps.jobs);
  return {
    name: 'subscription',
    messages: subscriptionMessages,
    privateEvents: [subscriptionChanged],
    subscription,
    jobs,
    routes: subscriptionRoutes(subscription),
    operations: subscriptionOperations(subscription, deps.market),
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    // In the demo, sales that ended in the past allocate tokens at once, without the minute that usually passes after
    // the announcement of the commitments' hash.
    seed: (demo) => seedSubscription(subscription, () => jobs.executeDue(0), demo),
    onSale: () => subscription.onSale(),
    records: [subscriptionRecords(deps.database.reader)],
    openCounts: (user) => subscription.openCounts(user),
  } satisfies ProductManifest;
}
