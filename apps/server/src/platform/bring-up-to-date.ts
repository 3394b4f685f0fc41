import { installJobQueue } from './jobs/install.ts';
import type { DatabaseLog } from './database/log.ts';
import { migrate } from './database/migrate.ts';
import type { DatabaseConnection } from './database/pool.ts';
import { grantRights } from './database/rights.ts';

export interface BringUpToDateOptions {
  /** Connection as the role that owns the tables. */
  readonly owner: DatabaseConnection;
  /** Name of the role that receives rights; undefined where the server works as the owner of the tables. */
  readonly runtimeRole: string | undefined;
  /** Folder with the migration files. */
  readonly directory: string;
  readonly log: DatabaseLog;
}

/**
 * Migrates the schema, installs the job queue and grants rights for this version of the server. On the database of
 * an exchange only the writer may call this. Returns whether a migration was applied.
 */
export async function bringUpToDate(options: BringUpToDateOptions): Promise<boolean> {
  const { owner, runtimeRole, directory, log } = options;
  const { applied } = await migrate({ connection: owner, directory, log });
  await installJobQueue(owner, log);
  if (runtimeRole !== undefined) await grantRights(owner, runtimeRole, log);
  return applied.length > 0;
}
