import type { Operation } from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Messages } from '../messages/index.ts';
import { subscriptionCommands } from './commands.ts';
import { seedSubscription } from './demo.ts';
import { feedSubscription } from './feed.ts';
import { SubscriptionJobs } from './jobs.ts';
import { subscriptionOperations } from './operations.ts';
import { subscriptionRoutes } from './routes.ts';
import { Subscription, type SubscriptionParts } from './service.ts';

/**
 * subscription: new coins are sold against commitments. After a sale the tokens are divided by water-filling from a public
 * file whose hash was announced before, each participant is settled, and tokens are released after their lock.
 */
export { TOKEN_TRADERS } from './demo.ts';
export { subscriptionReplay } from './commands.ts';
export { subscriptionHolds } from './repository.ts';

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
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/** The module as the house puts it together. */
export interface SubscriptionModule {
  readonly name: 'subscription';
  readonly subscription: Subscription;
  readonly jobs: SubscriptionJobs;
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  start(): void;
  stop(): Promise<void>;
  /** Fills a demo. */
  seed(demo: Demo): Promise<void>;
}

/** Builds the module; nothing is read or written before its start. */
export function createSubscription(deps: Deps): SubscriptionModule {
  const commands = subscriptionCommands(deps.ledger);
  deps.sequencer.register(Object.values(commands));
  const jobs = new SubscriptionJobs({ ...deps, commands });
  const subscription = new Subscription({ ...deps, commands, advance: (code) => jobs.retry(code) });
  jobs.define(deps.jobs);
  feedSubscription(deps.events, deps.feed);
  return {
    name: 'subscription',
    subscription,
    jobs,
    routes: subscriptionRoutes(subscription),
    operations: subscriptionOperations(subscription),
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    // The demo's past sales have been announced for long.
    seed: (demo) => seedSubscription(subscription, () => jobs.advance(0), demo),
  };
}
