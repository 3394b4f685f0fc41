import type { ProductManifest } from '../../platform/app-module.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { SigningKey } from '../../platform/secrets/signing-key.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import type { Messages } from '../messages/index.ts';
import type { MoneyModule } from '../ledger/index.ts';
import type { TradingPauses } from '../trading-pauses/index.ts';
import { secondsCommands, secondsReplay } from './commands.ts';
import { seedSeconds } from './demo.ts';
import { secondsChanged } from './feed.ts';
import { secondsOperations } from './operations.ts';
import { Proofs } from './proofs.ts';
import { ResultNotices } from './result-notices.ts';
import { proofRoutes, secondsRoutes } from './routes.ts';
import { secondsHolds } from './repository.ts';
import { Seconds, type SecondsParts } from './service.ts';
import { Settling } from './settling.ts';
import { secondsMessages } from './words/messages.ts';
import { secondsRecords } from './records-repository.ts';

/**
 * seconds: up and down positions on the index price that run for a fixed number of seconds. A position's row
 * contains everything that decides its settlement, except the prices and the intervals that operators declare
 * void. The prices come from the index tape, which this module only reads. A position is settled when the
 * tape has passed its expiry, however late.
 * Anybody can recompute a result from the data of `/proof`.
 */

/** Declaration of the module seconds for audit, reconciliation, checkpoints and replay. */
export const secondsMoney: MoneyModule = {
  name: 'seconds',
  tables: [
    'seconds_terms',
    'seconds_person',
    'seconds_interval',
    'seconds_order',
    'seconds_bucket',
    'seconds_reserve',
    'seconds_day',
    'seconds_transfer',
    'seconds_refund',
    'seconds_figure',
  ],
  holds: secondsHolds,
  replay: secondsReplay,
};

/** Creates the module of the seconds contract. Nothing runs before the module is started. */
export function createSeconds(
  deps: Omit<SecondsParts, 'commands' | 'database' | 'sequencer' | 'market' | 'assets'> & {
    readonly assets: Assets;
    readonly database: Database;
    readonly events: Events;
    readonly feed: Feed;
    readonly jobs: Jobs;
    readonly bulkheads: Bulkheads;
    readonly identity: Pick<Identity, 'addressees'>;
    readonly log: Log;
    readonly market: Market;
    readonly messages: Pick<Messages, 'send' | 'announce'>;
    readonly sequencer: Sequencer;
    readonly signingKey: SigningKey;
    readonly tradingPauses: TradingPauses;
  },
) {
  const { clock, log, bulkheads, database, market, sequencer, assets, ledger } = deps;
  const commands = secondsCommands({ ledger, pairs: assets.pairs, coins: assets.coins });
  sequencer.register(Object.values(commands));
  const seconds = new Seconds({ ...deps, commands });
  const notices = new ResultNotices(deps);
  const settling = new Settling({
    clock,
    log,
    bulkheads,
    database,
    market,
    sequencer,
    commands,
    onSettled: () => notices.start(),
  });
  const proofs = new Proofs(deps);
  deps.jobs.define('seconds.signTape', () => proofs.sign(), { cron: '* * * * *' });
  deps.jobs.define('seconds.refund', () => settling.refund(), { cron: '* * * * *' });
  deps.jobs.define('seconds.notifyResults', () => notices.notify(), { cron: '* * * * *' });
  return {
    name: 'seconds',
    messages: secondsMessages,
    privateEvents: [secondsChanged],
    seconds,
    settling,
    proofs,
    routes: [...secondsRoutes(seconds), ...proofRoutes(proofs, seconds)],
    operations: secondsOperations(seconds, proofs, { ledger, market }, deps.tradingPauses),
    start: () => settling.start(),
    stop: async () => {
      await settling.stop();
      await notices.stop();
    },
    seed: (demo) =>
      seedSeconds(seconds, () => (market.latestPoint('btcusdt')?.price ?? undefined) !== undefined, demo),
    health: async () => {
      const since = await settling.lateSince();
      const facts = { late: since === undefined ? 'none' : `since ${new Date(since).toISOString()}` };
      return since === undefined
        ? { isUp: true, facts }
        : { isUp: false, reason: `positions wait for their settlement ${facts.late}`, facts };
    },
    exposures: () => seconds.exposures(),
    records: [secondsRecords(deps.database.reader)],
    openCounts: (user) => seconds.openCounts(user),
  } satisfies ProductManifest;
}

export type SecondsModule = ReturnType<typeof createSeconds>;
