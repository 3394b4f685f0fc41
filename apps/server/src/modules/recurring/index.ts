import type { ProductManifest } from '../../platform/app-module.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Identity } from '../identity/index.ts';
import type { Ledger, MoneyModule } from '../ledger/index.ts';
import type { Messages } from '../messages/index.ts';
import { recurringCommands, recurringReplay } from './commands.ts';
import { seedRecurring } from './demo.ts';
import { RecurringJobs } from './jobs.ts';
import { recurringRoutes } from './routes.ts';
import { Recurring, type RecurringParts } from './service.ts';
import { recurringMessages } from './words/messages.ts';

/**
 * recurring: plans that buy one or more coins with a fixed amount every day, week or month, by instant conversions at
 * the public rate. Each scheduled buy time of a plan is processed at most once; a coin that cannot be bought is
 * skipped, and the plan's owner is notified of the reason.
 */

/** Declaration of the module recurring for audit, reconciliation, checkpoints and replay. */
export const recurringMoney: MoneyModule = {
  name: 'recurring',
  tables: ['recurring_plan', 'recurring_plan_coin', 'recurring_buy', 'recurring_buy_coin'],
  replay: recurringReplay,
};

/** Creates the module of recurring buys. No plan is executed before the module is started. */
export function createRecurring(
  deps: Omit<RecurringParts, 'commands' | 'sequencer'> & {
    readonly bulkheads: Bulkheads;
    readonly identity: Pick<Identity, 'addressees' | 'prepare'>;
    readonly jobs: Jobs;
    readonly ledger: Ledger;
    readonly log: Log;
    readonly messages: Pick<Messages, 'send' | 'announce'>;
    readonly sequencer: Sequencer;
  },
) {
  const commands = recurringCommands(deps.ledger);
  deps.sequencer.register(Object.values(commands));
  const recurring = new Recurring({ ...deps, commands });
  const jobs = new RecurringJobs({ ...deps, commands });
  jobs.define(deps.jobs);
  return {
    name: 'recurring',
    messages: recurringMessages,
    commands,
    recurring,
    jobs,
    routes: recurringRoutes(recurring),
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    seed: async (demo) => {
      await seedRecurring(recurring, demo);
      // The demo's plan buys during the start and not at some time in the next minute.
      await jobs.settle();
    },
    health: () => jobs.health(),
    openCounts: (user) => recurring.openCounts(user),
  } satisfies ProductManifest;
}
