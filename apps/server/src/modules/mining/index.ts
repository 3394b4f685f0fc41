import type { Operation } from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Reserve } from '../../platform/health/reserves.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Coin } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Messages } from '../messages/index.ts';
import { miningCommands } from './commands.ts';
import { seedMining } from './demo.ts';
import { feedMining } from './feed.ts';
import { MiningJobs } from './jobs.ts';
import { miningOperations } from './operations.ts';
import { miningRoutes } from './routes.ts';
import { Mining, type MiningParts } from './service.ts';

/**
 * mining: an amount is locked for a cycle of whole days and earns a daily income, credited at 00:10 UTC for the day
 * before. After the cycle its principal can be redeemed at any time. What an order needs is frozen in its row.
 */
export { miningReplay } from './commands.ts';
export { miningHolds } from './repository.ts';

interface Deps extends Omit<MiningParts, 'commands' | 'database' | 'sequencer'> {
  readonly database: Database;
  readonly sequencer: Sequencer;
  readonly events: Events;
  readonly feed: Feed;
  readonly jobs: Jobs;
  readonly log: Log;
  readonly coins: readonly Coin[];
  readonly identity: Pick<Identity, 'addressees'>;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
}

/** The module as the house puts it together. */
export interface MiningModule {
  readonly name: 'mining';
  readonly mining: Mining;
  readonly jobs: MiningJobs;
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  start(): void;
  stop(): Promise<void>;
  health(): Promise<ComponentHealth>;
  reserves(): Promise<readonly Reserve[]>;
  /** Fills a demo. */
  seed(demo: Demo): Promise<void>;
}

/** Builds the module; nothing is read or written before its start. */
export function createMining(deps: Deps): MiningModule {
  const commands = miningCommands(deps.ledger, deps.coins);
  deps.sequencer.register(Object.values(commands));
  const mining = new Mining({ ...deps, commands });
  const jobs = new MiningJobs({ ...deps, commands });
  jobs.define(deps.jobs);
  feedMining(deps.events, deps.feed);
  return {
    name: 'mining',
    ...{ mining, jobs, routes: miningRoutes(mining, jobs), operations: miningOperations(mining) },
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    seed: (demo) => seedMining(mining, () => jobs.settle(), demo),
    reserves: () => mining.reserves(),
    health: async () => {
      const since = await jobs.lateSince();
      const facts = { late: since === undefined ? 'none' : `since ${new Date(since).toISOString()}` };
      return since === undefined
        ? { isUp: true, facts }
        : { isUp: false, reason: `mining orders wait for their income ${facts.late}`, facts };
    },
  };
}
