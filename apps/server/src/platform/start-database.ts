import { join } from 'node:path';
import type pg from 'pg';
import { assertDurable } from './database/durability.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './database/embedded/supervisor.ts';
import type { DatabaseLog } from './database/log.ts';
import { migrate } from './database/migrate.ts';
import { openDatabase, type DatabaseConnection } from './database/pool.ts';
import type { ComponentHealth } from './health/health.ts';

export interface StartDatabaseOptions {
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
  readonly rootDirectory: string;
  readonly log: DatabaseLog;
}

/** A database that is up, durable and migrated. */
export interface DatabaseServer {
  readonly connection: DatabaseConnection;
  /** For reads; bounded in size and time. */
  readonly pool: pg.Pool;
  /** The embedded server; undefined where the operator gave a server of its own. */
  readonly embedded: EmbeddedPostgres | undefined;
  health(): Promise<ComponentHealth>;
  /** Closes the pool and ends the embedded server. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL, or takes the given one, and brings its schema up to date. Throws with a
 * sentence for the operator when that cannot be done, and leaves nothing running then.
 */
export async function startDatabase(options: StartDatabaseOptions): Promise<DatabaseServer> {
  const { databaseUrl, dataDirectory, rootDirectory, log } = options;
  const embedded =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDirectory: join(dataDirectory, 'database'), log })
      : undefined;
  if (embedded !== undefined) keepRunning(embedded, log);
  const connection = embedded?.connection ?? { connectionString: databaseUrl ?? '' };
  const pool = openDatabase({ connection, log });
  const stop = async () => {
    await pool.end();
    await embedded?.stop();
  };
  try {
    await assertDurable((sql) => pool.query<object>(sql));
    await migrate({ connection, directory: join(rootDirectory, 'apps/server/migrations'), log });
  } catch (cause) {
    // The reason goes up; a server that nobody will use must not be left behind.
    await stop();
    throw cause;
  }
  return { connection, pool, embedded, stop, health: () => healthOf(pool) };
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

async function healthOf(pool: pg.Pool): Promise<ComponentHealth> {
  await pool.query('SELECT 1');
  return { isUp: true, facts: { connections: pool.totalCount, waiting: pool.waitingCount } };
}
