import { replicaLag } from './database/known-databases.ts';
import { join } from 'node:path';
import pg from 'pg';
import { bringUpToDate, schemaState } from './bring-up-to-date.ts';
import { POOL_SIZES } from './database/connection-counts.ts';
import { assertDurable } from './database/durability.ts';
import { serverAccount } from './database/embedded/account.ts';
import { secureDataDirectory } from './database/embedded/data-directory.ts';
import { embeddedRuntimeUser } from './database/embedded/settings.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './database/embedded/supervisor.ts';
import type { DatabaseLog } from './database/log.ts';
import type { LaneOfPools } from './database/database.ts';
import type { Lane } from './database/lanes.ts';
import { requireNotNewer } from './database/migrate.ts';
import {
  clientOptions,
  openDatabase,
  relaxLimits,
  type DatabaseConnection,
  type PoolLimits,
} from './database/pool.ts';
import { ownsItsTables } from './database/rights.ts';
import type { SessionFence } from './database/session-fence.ts';
import type { ComponentHealth } from './health/health.ts';
import { hasWriter } from './sequencer/journal.ts';

export interface StartDatabaseOptions {
  readonly databaseUrl: string | undefined;
  readonly databaseOwnerUrl: string | undefined;
  readonly replicaDatabaseUrl: string | undefined;
  readonly dataDirectory: string;
  readonly rootDirectory: string;
  readonly log: DatabaseLog;
  /**
   * Marks the database sessions of a worker, and admits new ones only while this worker leads; undefined for other
   * processes.
   */
  readonly fence?: SessionFence | undefined;
}

/** A running database whose settings make commits durable. */
export interface DatabaseServer {
  /** Address of the database, with the server's runtime role. */
  readonly connection: DatabaseConnection;
  /**
   * Address of the database, with the role that owns the tables; equal to `connection` if only one role is
   * configured.
   */
  readonly owner: DatabaseConnection;
  /** Database connections for the exchange's own writes. */
  readonly pool: pg.Pool;
  /** Read-only database connections for the exchange's own queries. */
  readonly reader: pg.Pool;
  /**
   * Separate pools for requests at the public port and for operators, so that they delay neither each other nor the
   * exchange itself.
   */
  readonly lanes: Readonly<Record<Lane, LaneOfPools>>;
  /** Read-only connections to a replica, which may lag behind; equal to `reader` if there is no replica. */
  readonly replica: pg.Pool;
  /** The embedded PostgreSQL server; undefined if the operator has configured another server. */
  readonly embedded: EmbeddedPostgres | undefined;
  /**
   * Migrates the database schema, installs the job queue and grants privileges. Only the holder of the
   * writer's lock may call it. Returns whether a migration was applied.
   */
  bringUpToDate(): Promise<boolean>;
  /**
   * Returns whether the database has the schema of this version. Throws if the schema is newer. Changes nothing in the
   * database. If job queue and privileges are complete too, `bringUpToDate` does not check them again.
   */
  isSchemaCurrent(): Promise<boolean>;
  health(): Promise<ComponentHealth>;
  /** Health of the replica: up if it answers a query, however far it lags behind. Undefined without a replica. */
  readonly replicaHealth: (() => Promise<ComponentHealth>) | undefined;
  /** Restores the normal time limits of database connections and statements after the start (see `START_LIMITS`). */
  readonly endStart?: () => void;
  /** Closes the database pools. Also stops the embedded server, unless another process is its writer. */
  stop(): Promise<void>;
}

/**
 * Time limits of database connections and statements during a start. They are long, because loading the state and
 * creating demo data may take minutes on a slow machine.
 */
const START_LIMITS: PoolLimits = {
  connectMs: 120_000,
  statementMs: 600_000,
};

/**
 * Starts the embedded PostgreSQL or connects to the configured server, without changing data of the exchange. If the
 * database cannot be used, closes the pools, stops the embedded server unless another process is its writer, and throws
 * with a sentence for the operator.
 */
export async function startDatabase(options: StartDatabaseOptions): Promise<DatabaseServer> {
  const { databaseUrl, dataDirectory, rootDirectory, log } = options;
  const directory = join(rootDirectory, 'apps/server/migrations');
  const account =
    databaseUrl === undefined ? serverAccount(join(dataDirectory, 'database/cluster')) : undefined;
  secureDataDirectory(dataDirectory, account, log);
  const embedded =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDirectory: join(dataDirectory, 'database'), log })
      : undefined;
  if (embedded !== undefined) restartOnExit(embedded, log);
  const { connection, owner } = embedded === undefined ? configuredConnections(options) : rolesOf(embedded);
  const { pool, reader, lanes, replica, all } = openPools(connection, options);
  const endStart = relaxLimits(all, START_LIMITS);
  const stop = async () => {
    await Promise.all(all.map((openPool) => openPool.end()));
    if (embedded === undefined) return;
    if (await hasOtherWriter(embedded.connection))
      log('info', 'database left to its writer', { pid: embedded.pid });
    else await embedded.stop();
  };
  try {
    const { databaseOwnerUrl } = options;
    await namingSetting(
      databaseUrl && 'DATABASE_URL',
      assertDurable((sql) => pool.query<object>(sql)),
    );
    await namingSetting(
      databaseOwnerUrl && 'DATABASE_OWNER_URL',
      requireNotNewer({ connection: owner, directory }),
    );
    const hasOwnRole = owner !== connection;
    const runtimeRole = hasOwnRole ? await roleOf(connection) : undefined;
    const schema = { owner, runtimeRole, directory, log };
    // Whether job queue and privileges were complete at the last check, which a standby makes before it has
    // the writer's lock. If so, they are not checked again at the takeover unless a migration is applied,
    // because only the holder of the lock changes them, together with a migration.
    let wasComplete = false;
    const isCurrent = async () => {
      wasComplete = false;
      const found = await schemaState(schema);
      if (found.isComplete) await warnOfOwnership(connection, log);
      wasComplete = found.isComplete;
      return found.isCurrent;
    };
    const upToDate = async () => {
      const isMigrated = await bringUpToDate(schema, wasComplete);
      if (isMigrated || !wasComplete) await warnOfOwnership(connection, log);
      return isMigrated;
    };
    return {
      connection,
      owner,
      pool,
      reader,
      lanes,
      replica,
      embedded,
      stop,
      bringUpToDate: upToDate,
      isSchemaCurrent: isCurrent,
      endStart,
      health: () => healthOf([pool, reader], pools(lanes)),
      replicaHealth: replica === reader ? undefined : () => replicaHealth(replica),
    };
  } catch (cause) {
    // The embedded server is stopped, because after the error no code uses it.
    await stop();
    throw cause;
  }
}

async function warnOfOwnership(connection: DatabaseConnection, log: DatabaseLog): Promise<void> {
  if (!(await ownsItsTables(connection))) return;
  log('warn', 'role owns its tables', {
    why: 'nothing keeps the server from changing what is append-only: set DATABASE_OWNER_URL (see the runbook)',
  });
}

/** Creates all pools of the server. Their connections are opened when they are first needed. */
function openPools(
  connection: DatabaseConnection,
  { log, replicaDatabaseUrl }: Pick<StartDatabaseOptions, 'log' | 'replicaDatabaseUrl'>,
) {
  const open = (target: DatabaseConnection, name: string, size: number, isReadOnly: boolean) =>
    openDatabase({ connection: target, log, name, size, isReadOnly });
  const pool = open(connection, 'exchange', POOL_SIZES.own.pool, false);
  const reader = open(connection, 'exchange reader', POOL_SIZES.own.reader, true);
  const lanes = lanesBy((lane, isReadOnly) => {
    const name = `exchange ${lane}${isReadOnly ? ' reader' : ''}`;
    return open(connection, name, POOL_SIZES[lane][isReadOnly ? 'reader' : 'pool'], isReadOnly);
  });
  const replica =
    replicaDatabaseUrl === undefined
      ? reader
      : open({ connectionString: replicaDatabaseUrl }, 'exchange replica', POOL_SIZES.replica, true);
  return { pool, reader, lanes, replica, all: [...new Set([pool, reader, ...pools(lanes), replica])] };
}

function pools(lanes: DatabaseServer['lanes']): pg.Pool[] {
  return Object.values(lanes).flatMap((lane) => [lane.pool, lane.reader]);
}

function lanesBy(open: (lane: Lane, isReadOnly: boolean) => pg.Pool): DatabaseServer['lanes'] {
  const laneOf = (lane: Lane): LaneOfPools => ({ pool: open(lane, false), reader: open(lane, true) });
  return { requests: laneOf('requests'), operators: laneOf('operators') };
}

/**
 * Waits for `work`. If `setting` is defined and `work` fails with an error that has a `code`, such as a
 * failed connection, prefixes the error's message with `setting`, the name of a server setting.
 */
async function namingSetting<T>(setting: string | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (setting === undefined || !(cause instanceof Error) || !('code' in cause)) throw cause;
    const causes = cause instanceof AggregateError ? (cause.errors as readonly Error[]) : [cause];
    throw new Error(`${setting}: ${causes.map(({ message }) => message).join('; ')}`, { cause });
  }
}

/**
 * Maximum milliseconds to wait until the writer's lock is free. This process's own closed session may hold it
 * for a short time; a lock that is held for longer belongs to another writer.
 */
const LOCK_RELEASED_WITHIN_MS = 3_000;
const LOCK_CHECKED_EVERY_MS = 100;

/**
 * Returns whether another process is the writer on this database: whether the writer's lock remains held for
 * `LOCK_RELEASED_WITHIN_MS`.
 */
async function hasOtherWriter(connection: DatabaseConnection): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < LOCK_RELEASED_WITHIN_MS; waitedMs += LOCK_CHECKED_EVERY_MS) {
    if (!(await hasWriter(connection))) return false;
    await new Promise((resolve) => setTimeout(resolve, LOCK_CHECKED_EVERY_MS));
  }
  return true;
}

function configuredConnections({ databaseUrl, databaseOwnerUrl, fence }: StartDatabaseOptions) {
  const connection: DatabaseConnection = { connectionString: databaseUrl ?? '', fence };
  return {
    connection,
    owner: databaseOwnerUrl === undefined ? connection : { connectionString: databaseOwnerUrl },
  };
}

/**
 * Returns the addresses of the embedded database, with the runtime role and with the role that owns the
 * tables.
 */
function rolesOf({ connection: owner }: EmbeddedPostgres) {
  return { connection: { ...owner, user: embeddedRuntimeUser }, owner };
}

async function roleOf(connection: DatabaseConnection): Promise<string> {
  const client = new pg.Client(clientOptions(connection, 'exchange rights'));
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string }>('select current_user as role');
    return rows[0]!.role;
  } finally {
    await client.end();
  }
}

/** Restarts the embedded database server on the same data whenever it ends unexpectedly. The pools reconnect. */
function restartOnExit(embedded: EmbeddedPostgres, log: DatabaseLog): void {
  embedded.onUnexpectedExit(() => {
    embedded.ensureRunning().catch((cause: unknown) => {
      // The database could not be started again, so the operator must repair it. Until then requests are
      // refused because of maintenance.
      log('error', 'the database could not be started again', { cause: String(cause) });
    });
  });
}

/**
 * Returns the health of the database. It is up while queries over the exchange's own pools are answered,
 * however many requests wait. Rejects if such a query fails.
 */
async function healthOf(
  ownPools: readonly pg.Pool[],
  lanePools: readonly pg.Pool[],
): Promise<ComponentHealth> {
  await Promise.all(ownPools.map((pool) => pool.query('SELECT 1')));
  const sum = (pools: readonly pg.Pool[], count: (pool: pg.Pool) => number) =>
    pools.reduce((all, pool) => all + count(pool), 0);
  return {
    isUp: true,
    facts: {
      connections: sum([...ownPools, ...lanePools], ({ totalCount }) => totalCount),
      waiting: sum(ownPools, ({ waitingCount }) => waitingCount),
      requestsWaiting: sum(lanePools, ({ waitingCount }) => waitingCount),
    },
  };
}

async function replicaHealth(replica: pg.Pool): Promise<ComponentHealth> {
  const { isReplica, secondsBehind } = await replicaLag(replica);
  return { isUp: true, facts: { replica: String(isReplica), secondsBehind: Math.round(secondsBehind) } };
}
