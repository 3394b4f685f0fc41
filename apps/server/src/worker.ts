import { join } from 'node:path';
import { SECOND_MS } from '@exchange/core/time.ts';
import type { Foundation } from './app.ts';
import { announceNode, type ClusterNode } from './cluster-node.ts';
import { composeWorker, type WorkerParts } from './compose.ts';
import type { Link } from './platform/cluster/link.ts';
import { WorkerLease } from './platform/cluster/worker-lease.ts';
import { createConsoleServer } from './platform/console/server.ts';
import type { DatabaseLog } from './platform/database/log.ts';
import { isSchemaCurrent } from './platform/database/migrate.ts';
import { isNotMigrated } from './platform/database/lease.ts';
import { closed, listening } from './platform/edge.ts';
import { Health } from './platform/health/health.ts';
import { ownNames } from './platform/http/own-names.ts';
import { PeriodicTask } from './platform/jobs/periodic-task.ts';
import { Metrics } from './platform/metrics/metrics.ts';
import { newId, systemRandom } from './platform/secrets/random.ts';
import { startDatabase, type DatabaseServer } from './platform/start-database.ts';
import { unstartedPlatform } from './unstarted-platform.ts';

/** Objects that a worker needs to start; the process or a test creates them. */
export interface WorkerFoundation extends Pick<Foundation, 'config' | 'clock' | 'log' | 'end'> {
  /** Connects the worker with the writer; the caller closes the connection after the worker has stopped. */
  readonly link: Link;
  readonly databaseLog: DatabaseLog;
}

/** Interval in milliseconds at which a worker checks whether the writer has migrated the database. */
const SCHEMA_CHECKED_EVERY_MS = 1_000;
/** Interval in milliseconds at which the due jobs are counted for the operators' list of processes. */
const DUE_COUNTED_EVERY_MS = 2 * SECOND_MS;

/**
 * Makes this process a worker, which runs the jobs that need the database but no state of the writer, such as
 * the sending of mail. It has no balances and no order books and serves no users. Only one of several
 * workers, the leading one, runs the jobs; the others wait until they can take over.
 */
export async function createWorker(foundation: WorkerFoundation): Promise<ClusterNode> {
  const { config, clock, log, link } = foundation;
  const connection = { connectionString: config.databaseUrl ?? '' };
  const metrics = new Metrics();
  metrics.measureProcess();
  const stopping = new AbortController();
  const lease = new WorkerLease({
    connection,
    log,
    onReplaced: () => {
      log.error('app.fenced');
      foundation.end();
    },
  });
  const health = new Health();
  health.watch('worker', () => lease.health());
  health.watchDispensable('nats', () =>
    link.isConnected ? { isUp: true } : { isUp: false, reason: 'waits for the connection to NATS' },
  );
  const operators = await createConsoleServer({
    clock,
    health,
    metrics,
    log,
    mode: config.mode,
    version: config.version,
    operations: [],
    listedPairs: new Set(),
    gate: undefined,
    isOwnName: ownNames({ host: config.consoleHost, publicUrl: config.consoleUrl }),
    directory: join(config.rootDirectory, 'apps/console/dist'),
  });
  let database: DatabaseServer | undefined;
  let parts: WorkerParts | undefined;
  let leading: Promise<void> = Promise.resolve();
  let due: number | undefined;
  const counting = new PeriodicTask(async () => void (due = await parts?.jobs.countDue()), {
    everyMs: DUE_COUNTED_EVERY_MS,
    // After a failed count the number of due jobs is unknown. The failure is not reported, because the number
    // is only shown to operators, and the health check of the database reports an unreachable database.
    onError: () => (due = undefined),
  });

  const lead = async () => {
    await whenMigrated(foundation, stopping.signal);
    await lease.acquire();
    // The database sessions are opened after this worker has acquired the lease, because only sessions of the leading
    // worker's epoch are admitted.
    const opened = await startDatabase({
      ...config,
      databaseOwnerUrl: undefined,
      log: foundation.databaseLog,
      fence: lease.fence,
    });
    database = opened;
    health.watch('database', () => opened.health());
    parts = await composeWorker(unstartedPlatform(foundation, { database: opened, health, metrics }));
    opened.endStart?.();
    if (stopping.signal.aborted) return;
    parts.jobs.start();
    counting.start();
    log.info('worker.leads', { epoch: String(lease.epoch) });
  };

  let endSigns: () => void = () => undefined;
  return {
    listen: async () => {
      const name = newId(systemRandom, clock.now());
      endSigns = announceNode(foundation, {
        name,
        health,
        figures: () => ({ epoch: lease.epoch?.toString(), pending: due }),
      });
      const address = await listening(operators, config.consoleHost, config.consolePort, 'CONSOLE_PORT');
      log.info('app.operators_port_open', { console: address });
      leading = lead().catch((cause: unknown) => {
        if (stopping.signal.aborted) return;
        log.error('app.not_started', { cause });
        foundation.end();
      });
      return { app: address, console: address };
    },
    drain: () => {
      health.drain();
      return Promise.resolve();
    },
    stop: async () => {
      stopping.abort();
      // If this process does not lead yet, `lease.stop` ends its waiting for the lock.
      if (parts === undefined) await lease.stop();
      await leading;
      await counting.stop();
      await parts?.stop();
      await database?.stop();
      // The worker's lease is released last, so that the next worker begins when nothing is written here any
      // more.
      await lease.stop();
      endSigns();
      await closed(operators);
    },
  };
}

/**
 * Waits until the writer has brought the database to the schema of this version. Throws if `stopping` is aborted first.
 */
async function whenMigrated(
  { config, log }: Pick<WorkerFoundation, 'config' | 'log'>,
  stopping: AbortSignal,
): Promise<void> {
  const schema = {
    connection: { connectionString: config.databaseUrl ?? '' },
    directory: join(config.rootDirectory, 'apps/server/migrations'),
  };
  for (let attempt = 0; !(await isMigrated(schema)); attempt += 1) {
    if (attempt === 0) log.info('worker.waits_for_schema');
    await new Promise((resolve) => setTimeout(resolve, SCHEMA_CHECKED_EVERY_MS));
    if (stopping.aborted) throw new Error('the worker stops');
  }
}

async function isMigrated(schema: Parameters<typeof isSchemaCurrent>[0]): Promise<boolean> {
  try {
    return await isSchemaCurrent(schema);
  } catch (cause) {
    // The writer creates the tables first and grants the privileges on them afterwards. A missing table or privilege
    // therefore means that the migration has not ended yet.
    if (isNotMigrated(cause)) return false;
    throw cause;
  }
}
