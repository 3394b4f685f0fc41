import { installJobQueue } from './jobs/install.ts';
import type { DatabaseLog } from './database/log.ts';
import { migrate } from './database/migrate.ts';
import type { DatabaseConnection } from './database/pool.ts';
import { grantRights } from './database/rights.ts';

export interface BringUpToDateOptions {
  /** As the role that owns the tables. */
  readonly owner: DatabaseConnection;
  /** Name of the role that the server works as; undefined where that is the owner. */
  readonly runtimeRole: string | undefined;
  /** Folder with the migrations. */
  readonly directory: string;
  readonly log: DatabaseLog;
}

/** Brings schema, job queue and rights to what this version of the server needs. For whoever is the writer. */
export async function bringUpToDate(options: BringUpToDateOptions): Promise<void> {
  const { owner, runtimeRole, directory, log } = options;
  await migrate({ connection: owner, directory, log });
  await installJobQueue(owner, log);
  if (runtimeRole !== undefined) await grantRights(owner, runtimeRole, log);
}
