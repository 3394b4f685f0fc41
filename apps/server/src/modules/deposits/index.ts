import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Identity } from '../identity/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Messages } from '../messages/index.ts';
import { depositCommands } from './commands.ts';
import { seedDeposits } from './demo.ts';
import { feedDeposits } from './feed.ts';
import { DepositJobs } from './jobs.ts';
import { depositRoutes } from './routes.ts';
import { Deposits, type DepositParts } from './service.ts';

/**
 * deposits: coins that come in. Everybody has an address per network; what a channel finds there is kept once, shown
 * with its confirmations, and credited once when it has as many as the network asks for.
 */
export { depositsReplay } from './commands.ts';

/** The module as the house puts it together. */
export interface DepositsModule {
  readonly name: 'deposits';
  readonly deposits: Deposits;
  readonly jobs: DepositJobs;
  readonly routes: readonly Route[];
  start(): void;
  stop(): Promise<void>;
  health(): ComponentHealth;
  /** Fills a demo. */
  seed(demo: Demo): Promise<void>;
}

/** Builds the module; nothing is read or written before its start. */
export function createDeposits(
  deps: Omit<DepositParts, 'database'> & {
    readonly mode: 'demo' | 'live';
    readonly database: Database;
    readonly events: Events;
    readonly feed: Feed;
    readonly jobs: Jobs;
    readonly ledger: Ledger;
    readonly log: Log;
    readonly sequencer: Sequencer;
    readonly identity: Pick<Identity, 'addressees'>;
    readonly messages: Pick<Messages, 'send' | 'announce'>;
  },
): DepositsModule {
  const { sequencer, chains } = deps;
  const commands = depositCommands(deps.ledger);
  sequencer.register(Object.values(commands));
  const deposits = new Deposits(deps);
  const jobs = new DepositJobs({ ...deps, commands });
  jobs.define(deps.jobs);
  feedDeposits(deps.events, deps.feed);
  return {
    name: 'deposits',
    ...{ deposits, jobs, routes: depositRoutes(deposits, deps.mode) },
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    seed: (demo) => seedDeposits(deposits, demo),
    health: () => ({ isUp: true, facts: { channel: chains.channel } }),
  };
}
