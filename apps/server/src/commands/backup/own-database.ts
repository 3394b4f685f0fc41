import { join } from 'node:path';
import { readOwnConfig, type Config } from '../../config.ts';
import { serverAccount } from '../../platform/database/embedded/account.ts';
import { secureDataDirectory } from '../../platform/database/embedded/data-directory.ts';
import { isEmbeddedRunning, startEmbeddedPostgres } from '../../platform/database/embedded/supervisor.ts';
import type { DatabaseConnection } from '../../platform/database/pool.ts';
import { rootDirectory } from '../../platform/root-directory.ts';

export const migrations = join(rootDirectory, 'apps/server/migrations');
export const quiet = (): void => undefined;

/**
 * Calls `use` with a connection to the configured database, in the role that owns the database. A server may be
 * running. If the embedded database is not running, it is started before the call and stopped after it. Throws if the
 * configuration is invalid.
 */
export async function onOwnDatabase<T>(
  use: (connection: DatabaseConnection, config: Config) => Promise<T>,
): Promise<T> {
  const config = readOwnConfig(rootDirectory);
  if (!config.ok) throw new Error(config.refusal.join('\n'));
  const { databaseUrl, databaseOwnerUrl, dataDirectory } = config.value;
  if (databaseUrl !== undefined)
    return use({ connectionString: databaseOwnerUrl ?? databaseUrl }, config.value);
  // Sets the access rights of the data folder as the server does at its start. Otherwise an embedded database that root
  // runs as another system account could not access a new folder, and would be created elsewhere.
  secureDataDirectory(dataDirectory, serverAccount(join(dataDirectory, 'database/cluster')), quiet);
  const options = { dataDirectory: join(dataDirectory, 'database'), log: quiet };
  const wasRunning = isEmbeddedRunning(options);
  const embedded = await startEmbeddedPostgres(options);
  try {
    return await use(embedded.connection, config.value);
  } finally {
    if (!wasRunning) await embedded.stop();
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
