import { join } from 'node:path';
import pg from 'pg';
import { bringUpToDate } from './bring-up-to-date.ts';
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
import type { ComponentHealth } from './health/health.ts';
import { writerIsThere } from './sequencer/journal.ts';

export interface StartDatabaseOptions {
  readonly databaseUrl: string | undefined;
  readonly databaseOwnerUrl: string | undefined;
  readonly replicaDatabaseUrl: string | undefined;
  readonly dataDirectory: string;
  readonly rootDirectory: string;
  readonly log: DatabaseLog;
}

/** A database that is up and durable. */
export interface DatabaseServer {
  /** As the role that the server works as. */
  readonly connection: DatabaseConnection;
  /** As the role that owns the tables; the same where the operator has given one role only. */
  readonly owner: DatabaseConnection;
  /** For all that the exchange itself writes; bounded in size and time, like the others. */
  readonly pool: pg.Pool;
  /** Read-only sessions of the same database, for the exchange itself. */
  readonly reader: pg.Pool;
  /** The same for callers of the public port and for operators: neither waits for the other, nor the exchange for them. */
  readonly lanes: Readonly<Record<Lane, LaneOfPools>>;
  /** Read-only sessions of a copy that may lag behind, where there is one; else `reader`. */
  readonly replica: pg.Pool;
  /** The embedded server; undefined where the operator gave a server of its own. */
  readonly embedded: EmbeddedPostgres | undefined;
  /** Migrates and grants rights. Only for whoever has the writer's lock: a standby changes nothing. */
  bringUpToDate(): Promise<void>;
  health(): Promise<ComponentHealth>;
  /** How far the copy is behind; undefined where there is none. */
  readonly replicaHealth: (() => Promise<ComponentHealth>) | undefined;
  /**
   * Restores the usual time limits of connections and statements: while state is loaded and demo data are made on a slow
   * machine, both may take longer than a caller should wait later.
   */
  readonly endStart?: () => void;
  /** Closes the pools and ends the embedded server, unless another process is the writer on it. */
  stop(): Promise<void>;
}

/**
 * Limits while the server starts: on a slow or busy machine loading the state, and making demo data, takes as long as it
 * takes, and must not end the start.
 */
const START_LIMITS: PoolLimits = {
  connectMs: 120_000,
  statementMs: 600_000,
};
/** Connections that write and that read, by whom they are for. All are opened when they are first needed. */
const SIZES = {
  own: { pool: 8, reader: 8 },
  requests: { pool: 8, reader: 10 },
  operators: { pool: 2, reader: 3 },
} as const;
const REPLICA_SIZE = 10;

/**
 * Starts the embedded PostgreSQL, or takes the given one, and changes nothing in it. Throws with a sentence for
 * the operator when it cannot be used, and leaves nothing running then.
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
  if (embedded !== undefined) keepRunning(embedded, log);
  const { connection, owner } = embedded === undefined ? given(options) : rolesOf(embedded);
  const { pool, reader, lanes, replica, all } = openPools(connection, options);
  const endStart = relaxLimits(all, START_LIMITS);
  const stop = async () => {
    await Promise.all(all.map((each) => each.end()));
    if (embedded === undefined) return;
    if (await staysInUse(embedded.connection))
      log('info', 'database left to its writer', { pid: embedded.pid });
    else await embedded.stop();
  };
  try {
    const { databaseOwnerUrl } = options;
    await naming(
      databaseUrl && 'DATABASE_URL',
      assertDurable((sql) => pool.query<object>(sql)),
    );
    await naming(databaseOwnerUrl && 'DATABASE_OWNER_URL', requireNotNewer({ connection: owner, directory }));
    const hasOwnRole = owner !== connection;
    const runtimeRole = hasOwnRole ? await roleOf(connection) : undefined;
    const upToDate = async () => {
      await bringUpToDate({ owner, runtimeRole, directory, log });
      if (await ownsItsTables(connection)) {
        log('warn', 'role owns its tables', {
          why: 'nothing keeps the server from changing what is append-only: set DATABASE_OWNER_URL (see the runbook)',
        });
      }
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
      endStart,
      health: () => healthOf([pool, reader], pools(lanes)),
      replicaHealth: replica === reader ? undefined : () => replicaHealth(replica),
    };
  } catch (cause) {
    // The reason goes up; a server that nobody will use must not be left behind.
    await stop();
    throw cause;
  }
}

/** Opens every pool of the server; the connections themselves are opened when they are first needed. */
function openPools(
  connection: DatabaseConnection,
  { log, replicaDatabaseUrl }: Pick<StartDatabaseOptions, 'log' | 'replicaDatabaseUrl'>,
) {
  const open = (to: DatabaseConnection, name: string, size: number, isReadOnly: boolean) =>
    openDatabase({ connection: to, log, name, size, isReadOnly });
  const pool = open(connection, 'exchange', SIZES.own.pool, false);
  const reader = open(connection, 'exchange reader', SIZES.own.reader, true);
  const lanes = lanesBy((lane, isReadOnly) => {
    const name = `exchange ${lane}${isReadOnly ? ' reader' : ''}`;
    return open(connection, name, SIZES[lane][isReadOnly ? 'reader' : 'pool'], isReadOnly);
  });
  const replica =
    replicaDatabaseUrl === undefined
      ? reader
      : open({ connectionString: replicaDatabaseUrl }, 'exchange replica', REPLICA_SIZE, true);
  return { pool, reader, lanes, replica, all: [...new Set([pool, reader, ...pools(lanes), replica])] };
}

function pools(lanes: DatabaseServer['lanes']): pg.Pool[] {
  return Object.values(lanes).flatMap((lane) => [lane.pool, lane.reader]);
}

function lanesBy(open: (lane: Lane, isReadOnly: boolean) => pg.Pool): DatabaseServer['lanes'] {
  const laneOf = (lane: Lane): LaneOfPools => ({ pool: open(lane, false), reader: open(lane, true) });
  return { requests: laneOf('requests'), operators: laneOf('operators') };
}

/** What a server that is away or lets us not in answers gets the name of the setting that points there. */
async function naming<T>(setting: string | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (setting === undefined || !(cause instanceof Error) || !('code' in cause)) throw cause;
    const causes = cause instanceof AggregateError ? (cause.errors as readonly Error[]) : [cause];
    throw new Error(`${setting}: ${causes.map(({ message }) => message).join('; ')}`, { cause });
  }
}

/** Our own session may hold the lock for a moment after it was closed; another writer holds it on. */
const LOCK_LEFT_WITHIN_MS = 3_000;
const LOCK_ASKED_EVERY_MS = 100;

/** Whether another process is the writer on this database. */
async function staysInUse(connection: DatabaseConnection): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < LOCK_LEFT_WITHIN_MS; waitedMs += LOCK_ASKED_EVERY_MS) {
    if (!(await writerIsThere(connection))) return false;
    await new Promise((resolve) => setTimeout(resolve, LOCK_ASKED_EVERY_MS));
  }
  return true;
}

function given({ databaseUrl, databaseOwnerUrl }: StartDatabaseOptions) {
  const connection: DatabaseConnection = { connectionString: databaseUrl ?? '' };
  return {
    connection,
    owner: databaseOwnerUrl === undefined ? connection : { connectionString: databaseOwnerUrl },
  };
}

/** The embedded server lets in whoever may enter the folder of its socket, as either role. */
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

/** A database that ended by itself is started again on the same data; whoever uses it reconnects. */
function keepRunning(embedded: EmbeddedPostgres, log: DatabaseLog): void {
  embedded.onUnexpectedExit(() => {
    embedded.ensureRunning().catch((cause: unknown) => {
      // What the supervisor cannot mend needs the operator; the server answers that it is under maintenance.
      log('error', 'the database could not be started again', { cause: String(cause) });
    });
  });
}

/** Up as long as the exchange itself is answered, however many callers wait. */
async function healthOf(own: readonly pg.Pool[], laned: readonly pg.Pool[]): Promise<ComponentHealth> {
  await Promise.all(own.map((pool) => pool.query('SELECT 1')));
  const sum = (pools: readonly pg.Pool[], count: (pool: pg.Pool) => number) =>
    pools.reduce((all, pool) => all + count(pool), 0);
  return {
    isUp: true,
    facts: {
      connections: sum([...own, ...laned], ({ totalCount }) => totalCount),
      waiting: sum(own, ({ waitingCount }) => waitingCount),
      requestsWaiting: sum(laned, ({ waitingCount }) => waitingCount),
    },
  };
}

async function replicaHealth(replica: pg.Pool): Promise<ComponentHealth> {
  const { rows } = await replica.query<{ replica: boolean; seconds: number | null }>(
    `select pg_is_in_recovery() as replica,
       case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
         else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end as seconds`,
  );
  const { replica: isReplica, seconds } = rows[0]!;
  return { isUp: true, facts: { replica: String(isReplica), secondsBehind: Math.round(seconds ?? 0) } };
}
