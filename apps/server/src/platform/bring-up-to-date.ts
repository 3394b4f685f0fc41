import { installJobQueue, isJobQueueCurrent } from './jobs/install.ts';
import type { DatabaseLog } from './database/log.ts';
import { isSchemaCurrent, migrate } from './database/migrate.ts';
import type { DatabaseConnection } from './database/pool.ts';
import { grantRights, hasRights } from './database/rights.ts';

export interface BringUpToDateOptions {
  /** Database connection with the role that owns the tables. */
  readonly owner: DatabaseConnection;
  /** Name of the role that gets privileges; undefined if the server connects as the owner of the tables. */
  readonly runtimeRole: string | undefined;
  /** Folder with the migration files. */
  readonly directory: string;
  readonly log: DatabaseLog;
}

/** State of the database schema, which a standby process only reads. */
export interface SchemaState {
  /** Whether all migrations of this server version are applied, and no others. */
  readonly isCurrent: boolean;
  /** Whether `isCurrent` is true, the job queue is installed and the privileges are granted. */
  readonly isComplete: boolean;
}

/**
 * Reads whether `bringUpToDate` would change anything. If the schema is not current, the job queue and the privileges
 * count as incomplete without a check. Throws if the schema is newer than this version.
 */
export async function schemaState(options: BringUpToDateOptions): Promise<SchemaState> {
  const { owner, runtimeRole, directory, log } = options;
  const isCurrent = await isSchemaCurrent({ connection: owner, directory });
  if (!isCurrent) return { isCurrent, isComplete: false };
  const isInstalled = await isJobQueueCurrent(owner, log);
  const isComplete = isInstalled && (runtimeRole === undefined || (await hasRights(owner, runtimeRole)));
  return { isCurrent, isComplete };
}

/**
 * Migrates the schema, installs the job queue and grants the privileges for this version of the server. On the database
 * of an exchange only the writer may call this. If `wasComplete` is true, an earlier check has found queue and
 * privileges complete, and they are checked again only if a migration was applied. Returns whether a migration was
 * applied.
 */
export async function bringUpToDate(options: BringUpToDateOptions, wasComplete = false): Promise<boolean> {
  const { owner, runtimeRole, directory, log } = options;
  const { applied } = await migrate({ connection: owner, directory, log });
  if (wasComplete && applied.length === 0) return false;
  await installJobQueue(owner, log);
  if (runtimeRole !== undefined) await grantRights(owner, runtimeRole, log);
  return applied.length > 0;
}
