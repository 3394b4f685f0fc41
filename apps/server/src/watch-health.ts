import { join } from 'node:path';
import type { Platform } from './app.ts';
import {
  ledgerHealth,
  statementsHealth,
  reconciliationHealth,
  type Ledger,
  type MonthlySums,
  type Movements,
  type Reconciliation,
} from './modules/ledger/index.ts';
import type { ChainState } from './modules/chains/index.ts';
import type { createFigures, FigureSources } from './modules/figures/index.ts';
import type { Market } from './modules/market/index.ts';
import type { createProofs } from './modules/proofs/index.ts';
import type { createStamps } from './modules/stamps/index.ts';
import type { Product } from './platform/app-module.ts';
import type { Products } from './products.ts';
import type { CommitWaits } from './platform/database/commit-waits.ts';
import { leadingWorker, workerHealth } from './platform/cluster/worker-lease.ts';
import { Disks } from './platform/health/disk.ts';
import type { Reserve } from './platform/health/reserves.ts';
import type { Bulkheads } from './platform/jobs/bulkheads.ts';
import { sequencerHealth } from './platform/sequencer/sequencer-health.ts';
import type { Sequencer } from './platform/sequencer/sequencer.ts';

interface Watched {
  market: Market;
  sequencer: Sequencer;
  commitWaits: CommitWaits;
  ledger: Ledger;
  movements: Movements;
  monthlySums: MonthlySums;
  reconciliation: Reconciliation;
  products: readonly Product[];
  income: Pick<Products['income'], 'lateSeconds'>;
  treasury: Pick<Products['treasury'], 'sweeps'>;
  withdrawals: Pick<Products['withdrawals'], 'withdrawals'>;
  chains: Products['chains'];
  proofs: ReturnType<typeof createProofs>;
  stamps: ReturnType<typeof createStamps>;
  bulkheads: Bulkheads;
  houseFigures: ReturnType<typeof createFigures>;
}

/**
 * Creates the monitor of free disk space. It covers the data folder and, if they are used, the local folders of
 * uploaded files and of backups. The disks of an external database are not monitored.
 */
export function disksOf({ config }: Platform): Disks {
  return new Disks({
    data: config.dataDirectory,
    ...(config.bucket === undefined ? { files: join(config.dataDirectory, 'files') } : {}),
    ...(config.backupFolder === undefined ? {} : { backup: config.backupFolder }),
  });
}

/** Returns a function that lists the house accounts from which all products pay users. */
export function reservesOf(products: readonly Product[]): () => Promise<readonly Reserve[]> {
  return () => collected(products, (product) => product.reserves?.());
}

/**
 * Calls `read` for every product concurrently and joins the returned lists. A product for which `read` returns
 * undefined adds nothing.
 */
async function collected<Row>(
  products: readonly Product[],
  read: (product: Product) => Promise<readonly Row[]> | undefined,
): Promise<readonly Row[]> {
  const lists = await Promise.all(products.map(async (product) => (await read(product)) ?? []));
  return lists.flat();
}

/** Returns functions that read the data of products which the exchange's key figures need. */
export function figureSources(products: Products): FigureSources {
  const all = Object.values<Product>(products);
  return {
    exposures: () => collected(all, (product) => product.exposures?.()),
    dueLiabilities: (untilDay) => collected(all, (product) => product.dueLiabilities?.(untilDay)),
    reserves: reservesOf(all),
    openStakes: (limit) => products.seconds.seconds.openStakes(limit),
  };
}

/** Registers the health checks and metrics of the sequencer, the ledger, the products and other modules. */
export function watchHealth(
  { health, metrics, clock, config }: Platform,
  { market, sequencer, commitWaits, ledger, movements, monthlySums, ...otherParts }: Watched,
): void {
  const { reconciliation, products, income, proofs, stamps, bulkheads, houseFigures } = otherParts;
  health.watch('sequencer', () => sequencerHealth(sequencer, commitWaits));
  // A halted asset or a late reconciliation only raises an alarm and does not make the server unhealthy, because all
  // other assets still work.
  health.watchDispensable('ledger', () => ledgerHealth(ledger));
  health.watchDispensable('reconciliation', () => reconciliationHealth(reconciliation, clock));
  health.watchDispensable('statements', () => statementsHealth(movements, monthlySums));
  metrics.gauge('statement_entries_behind', 'Entries that are stored and not yet in statements.', () =>
    movements.lag(),
  );
  health.watchDispensable('index', () => market.indexHealth());
  metrics.gauge('index_missing_seconds', 'Seconds without a point of the index since the start.', () =>
    market.missingSeconds(),
  );
  metrics.gauge(
    'index_delay_ms',
    'Longest time that a point of the last minute waited for the process after it was published.',
    () => market.longestDelayMs(),
  );
  if (config.mode === 'live')
    health.watchDispensable(
      'price sources',
      () => market.sourcesHealth() ?? { isUp: true, isUnmeasured: true },
    );
  for (const product of products)
    if (product.health !== undefined) health.watchDispensable(product.name, () => product.health!());
  metrics.gauge(
    'income_digest_late_seconds',
    'Seconds since the last cut-off while income of before it waits for its digest, otherwise 0.',
    () => income.lateSeconds(),
  );
  watchTransfers(metrics, otherParts);
  health.watchDispensable('due work', () => bulkheads.health());
  metrics.gauges(
    {
      name: 'due_work_failing_items',
      help: 'Due items that failed and wait for their next attempt.',
      label: 'work',
    },
    () => Promise.resolve(bulkheads.counts()),
  );
  health.watchDispensable('figures', () => houseFigures.health());
  metrics.gauge(
    'figures_beyond_limit',
    'Measures of the house that are beyond their limits.',
    () => houseFigures.figures.beyondLimits,
  );
  metrics.gauge(
    'figures_entries_behind',
    'Ledger entries that are not in the figures of the house yet.',
    () => houseFigures.flows.behind(),
  );
  health.watchDispensable('proofs', () => proofs.health());
  health.watchDispensable('coverage', () => proofs.coverage.health());
  health.watchDispensable('stamps', () => stamps.health());
  metrics.gauges(
    { name: 'coverage_percent', help: 'Percent held of what users are owed, by coin.', label: 'asset' },
    async () => proofs.coverage.percents(),
  );
  metrics.gauge('ledger_users_in_memory', 'Users whose balances are in memory.', () => ledger.ownersInMemory);
  metrics.gauge('ledger_halted_assets', 'Assets of which nothing moves.', () => ledger.haltedAssets.length);
}

/** Registers the metrics of chains, of withdrawals that do not arrive, and of sweeps. */
function watchTransfers(
  metrics: Platform['metrics'],
  { chains, withdrawals, treasury }: Pick<Watched, 'chains' | 'withdrawals' | 'treasury'>,
): void {
  const chainStates = (read: (state: ChainState) => number) => async () =>
    Object.fromEntries(chains.chains.states().map((state) => [state.network, read(state)]));
  metrics.gauges(
    { name: 'chain_height', help: 'Newest block that was read, by network.', label: 'network' },
    chainStates(({ height }) => height),
  );
  metrics.gauges(
    {
      name: 'chain_blocks_behind',
      help: 'Blocks of the node that are not read yet, by network.',
      label: 'network',
    },
    chainStates(({ height, head }) => Math.max(0, head - height)),
  );
  metrics.gauges(
    {
      name: 'chain_working',
      help: '1 if the chain is read and its payments do not wait, otherwise 0, by network.',
      label: 'network',
    },
    chainStates(({ problem }) => (problem === undefined ? 1 : 0)),
  );
  metrics.gauges(
    {
      name: 'withdrawals_stuck',
      help: 'Signed withdrawals that are in no block after two hours, by network.',
      label: 'network',
    },
    async () => Object.fromEntries(await withdrawals.withdrawals.stuckByNetwork()),
  );
  metrics.gauges(
    { name: 'treasury_sweeps_open', help: 'Open sweeps of deposit addresses, by network.', label: 'network' },
    () =>
      Promise.resolve(
        Object.fromEntries(
          treasury.sweeps.overview.map(({ network, planned, inFlight }) => [network, planned + inFlight]),
        ),
      ),
  );
  metrics.gauges(
    {
      name: 'treasury_sweeps_stuck',
      help: 'Sweeps that are not confirmed after two hours, by network.',
      label: 'network',
    },
    () =>
      Promise.resolve(
        Object.fromEntries(treasury.sweeps.overview.map(({ network, stuck }) => [network, stuck])),
      ),
  );
}

/** Registers the health check and the metric of the workers, if the exchange has any. */
export function watchWorkers({ config, health, metrics, database }: Platform): void {
  if (!config.hasWorkers) return;
  health.watchDispensable('worker', () => workerHealth(database.reader));
  metrics.gauge('worker_leads', '1 if a worker leads, otherwise 0.', async () =>
    (await leadingWorker(database.reader)).isLeading ? 1 : 0,
  );
}
