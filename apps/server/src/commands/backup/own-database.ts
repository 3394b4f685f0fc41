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
 * Opens the configured database with the role that owns it, beside a running server or without one. The
 * embedded database is started if it is not running, and stopped again afterwards.
 */
export async function onOwnDatabase<T>(
  use: (connection: DatabaseConnection, config: Config) => Promise<T>,
): Promise<T> {
  const config = readOwnConfig(rootDirectory);
  if (!config.ok) throw new Error(config.refusal.join('\n'));
  const { databaseUrl, databaseOwnerUrl, dataDirectory } = config.value;
  if (databaseUrl !== undefined)
    return use({ connectionString: databaseOwnerUrl ?? databaseUrl }, config.value);
  // As at a start of the server: otherwise root's database of an empty folder would be created elsewhere.
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
