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
import { financeCommands } from './commands.ts';
import { seedFinance } from './demo.ts';
import { feedFinance } from './feed.ts';
import { FinanceJobs } from './jobs.ts';
import { financeOperations } from './operations.ts';
import { financeRoutes } from './routes.ts';
import { Finance, type FinanceParts } from './service.ts';

/**
 * finance: fixed-term products. A purchase locks an amount for whole days; a job credits each day's interest once
 * and pays out what has matured. Everything a running order needs is frozen in its row when it is bought.
 */
export { financeReplay } from './commands.ts';
export { financeHolds } from './repository.ts';

interface Deps extends Omit<FinanceParts, 'commands' | 'database' | 'sequencer'> {
  readonly database: Database;
  readonly sequencer: Sequencer;
}

/** The module as the house puts it together. */
export interface FinanceModule {
  readonly name: 'finance';
  readonly finance: Finance;
  readonly jobs: FinanceJobs;
  readonly routes: readonly Route[];
  readonly operations: readonly Operation[];
  /** Begins at once with what came due while nothing ran. */
  start(): void;
  stop(): Promise<void>;
  health(): Promise<ComponentHealth>;
  reserves(): Promise<readonly Reserve[]>;
  /** Fills a demo. */
  seed(demo: Demo): Promise<void>;
}

/** Builds the module; nothing is read or written before its start. */
export function createFinance(
  deps: Deps & {
    readonly events: Events;
    readonly feed: Feed;
    readonly jobs: Jobs;
    readonly log: Log;
    readonly coins: readonly Coin[];
    readonly identity: Pick<Identity, 'addressees'>;
    readonly messages: Pick<Messages, 'send' | 'announce'>;
  },
): FinanceModule {
  const { clock, database, sequencer, events, feed, identity, messages, log } = deps;
  const commands = financeCommands(deps.ledger, deps.coins);
  sequencer.register(Object.values(commands));
  const finance = new Finance({ ...deps, commands });
  const jobs = new FinanceJobs({ clock, log, database, sequencer, commands, identity, messages });
  jobs.define(deps.jobs);
  feedFinance(events, feed);
  return {
    name: 'finance',
    ...{ finance, jobs, routes: financeRoutes(finance, jobs), operations: financeOperations(finance) },
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    seed: (demo) => seedFinance(finance, () => jobs.settle(), demo),
    reserves: () => finance.reserves(),
    health: async () => {
      const since = await jobs.lateSince();
      const facts = { late: since === undefined ? 'none' : `since ${new Date(since).toISOString()}` };
      return since === undefined
        ? { isUp: true, facts }
        : { isUp: false, reason: `orders wait for their interest or payment ${facts.late}`, facts };
    },
  };
}
