import pg from 'pg';
import type { DatabaseLog } from '../database/log.ts';
import { clientOptions, type DatabaseConnection } from '../database/pool.ts';

/** Number of the last migration of the package graphile-worker. A test compares it with the package. */
export const NEWEST_QUEUE_MIGRATION = 19;

/**
 * Creates or updates the tables of the job queue, as their owner. If they are up to date, only reads the number of the
 * newest migration.
 */
export async function installJobQueue(owner: DatabaseConnection, log: DatabaseLog): Promise<void> {
  await onQueue(owner, log, async (pool) => {
    if ((await queueMigration(pool)) >= NEWEST_QUEUE_MIGRATION) return;
    const { Logger, runMigrations } = await import('graphile-worker');
    const logger = new Logger(() => (level: string, message: string) => {
      if (level === 'error' || level === 'warning') log('warn', 'job queue installation', { message });
    });
    await runMigrations({ pgPool: pool, logger });
  });
}

/** Returns whether the tables of the job queue have the version of the package or a newer one. Only reads. */
export async function isJobQueueCurrent(owner: DatabaseConnection, log: DatabaseLog): Promise<boolean> {
  return onQueue(owner, log, async (pool) => (await queueMigration(pool)) >= NEWEST_QUEUE_MIGRATION);
}

async function onQueue<T>(
  owner: DatabaseConnection,
  log: DatabaseLog,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  // The job queue package expects the database driver's default conversion of values, not that of the exchange's pools.
  const { types: _, ...settings } = clientOptions(owner, 'exchange job queue');
  const pool = new pg.Pool({ ...settings, max: 1, connectionTimeoutMillis: 5_000 });
  pool.on('error', (error) => log('warn', 'job queue connection lost', { error: error.message }));
  // graphile-worker removes its error listener from released connections. Without a listener, the loss of such a
  // connection would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Returns the number of the job queue's newest applied migration; 0 if there is no queue. */
async function queueMigration(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ present: boolean }>(
    `select to_regclass('graphile_worker.migrations') is not null as present`,
  );
  if (rows[0]?.present !== true) return 0;
  const newest = await pool.query<{ id: number | null }>(
    'select max(id) as id from graphile_worker.migrations',
  );
  return newest.rows[0]?.id ?? 0;
}
