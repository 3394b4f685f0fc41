import type { ProductManifest } from '../../platform/app-module.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Identity } from '../identity/index.ts';
import type { Ledger, MoneyModule } from '../ledger/index.ts';
import type { Files } from '../files/index.ts';
import type { Market } from '../market/index.ts';
import type { Messages } from '../messages/index.ts';
import type { Screening } from '../screening/index.ts';
import type { NetworkPauses, Treasury } from '../treasury/index.ts';
import { depositCommands, depositsReplay } from './commands.ts';
import { seedDeposits } from './demo.ts';
import { depositChanged } from './feed.ts';
import { DepositJobs } from './jobs.ts';
import { depositOperations } from './operations.ts';
import { Proofs } from './proofs.ts';
import { depositRoutes } from './routes.ts';
import { Deposits, type DepositParts } from './service.ts';
import { depositRecords } from './repository.ts';

/**
 * deposits: coins that users send to the exchange. A user has one address per network, or one memo at an
 * address that all users share. A transfer that a channel (the connection to a network's real or simulated
 * chain) reports is stored once, shown with its confirmations, and credited once when it has enough
 * confirmations and reaches the minimum, alone or together with other deposits of the user.
 */
export type { Deposit } from './domain.ts';
export type { Proof } from './proof-repository.ts';
export type { Proofs } from './proofs.ts';
export type { DepositProgress, Deposits } from './service.ts';
export { isDeposit } from './repository.ts';
export { REMARKS as DEPOSIT_REMARKS } from './words/demo-texts.ts';

/** Declaration of the module deposits for audit, reconciliation, checkpoints and replay. */
export const depositsMoney: MoneyModule = {
  name: 'deposits',
  tables: ['deposit', 'deposit_release'],
  replay: depositsReplay,
};

/** Creates the module; it reads and writes nothing before the sequencer and the jobs start. */
export function createDeposits(
  deps: Omit<DepositParts, 'database' | 'commands' | 'isStopped' | 'sequencer' | 'treasury'> & {
    readonly mode: 'demo' | 'live';
    readonly demoTexts: DemoTexts;
    readonly database: Database;
    readonly bulkheads: Bulkheads;
    readonly events: Events;
    readonly feed: Feed;
    readonly jobs: Jobs;
    readonly ledger: Ledger;
    readonly log: Log;
    readonly sequencer: Sequencer;
    readonly identity: Pick<Identity, 'addressees' | 'findUser' | 'findUserNamed'>;
    readonly market: Pick<Market, 'usdtPrice'>;
    readonly messages: Pick<Messages, 'send' | 'announce'>;
    readonly files: Pick<Files, 'claim' | 'read'>;
    readonly screening: Pick<Screening, 'screen'>;
    readonly treasury: Treasury;
    readonly networkPauses: NetworkPauses;
  },
) {
  const { sequencer, chains } = deps;
  const commands = depositCommands(deps.ledger);
  sequencer.register(Object.values(commands));
  const deposits = new Deposits({
    ...deps,
    commands,
    isStopped: (asset) => deps.ledger.isStopped(asset),
  });
  const proofs = new Proofs({ ...deps, commands });
  const jobs = new DepositJobs({ ...deps, commands });
  jobs.define(deps.jobs);
  sequencer.join(jobs);
  return {
    name: 'deposits',
    privateEvents: [depositChanged],
    deposits,
    jobs,
    proofs,
    routes: depositRoutes(deposits, proofs, deps),
    operations: depositOperations(deposits, { ...deps, proofs }),
    stop: () => jobs.stop(),
    seed: (demo) => seedDeposits(deposits, demo),
    records: depositRecords(deps.database.reader),
    health: async () => {
      const { total: goneCount } = await deposits.droppedAfterCredit();
      const facts = {
        channels: chains.channels.map(({ kind }) => kind).join(', ') || 'none',
        gone: goneCount,
      };
      if (goneCount === 0) return { isUp: true, facts };
      return { isUp: false, reason: `${goneCount} credited deposits are on their network no more`, facts };
    },
  } satisfies ProductManifest;
}

export type DepositsModule = ReturnType<typeof createDeposits>;
