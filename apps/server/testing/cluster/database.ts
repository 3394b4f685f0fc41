import { join } from 'node:path';
import { CONNECTIONS_MAX } from '../../src/platform/database/connection-counts.ts';
import { embeddedRuntimeUser } from '../../src/platform/database/embedded/settings.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/supervisor.ts';
import { DatabaseCluster, OWNER, SERVER } from '../patroni/cluster.ts';
import type { DatabaseMachine } from '../patroni/machine.ts';
import { findDatabasePrograms, type DatabasePrograms } from '../patroni/programs.ts';

/** The database of `npm run cluster`. */
export interface ClusterDatabase {
  /** URL of the primary for the role of the processes. */
  readonly url: string;
  /** URL of the primary for the role that owns the tables. */
  readonly ownerUrl: string;
  /** URL of a copy for the role of the processes; that of the primary if there is no copy. */
  readonly replicaUrl: string;
  /** The database machines that can be killed; none for the embedded database. */
  readonly machines: readonly DatabaseMachine[];
  stop(): Promise<void>;
}

interface DatabaseOptions {
  /** Folder of the database's data. */
  readonly folder: string;
  /** Port of the exchange, from which the addresses of the machines follow. */
  readonly port: number;
  readonly say: (line: string) => void;
}

/** Number of database connections reserved for psql, backups, and PostgreSQL itself. */
const SPARE_CONNECTIONS = 20;

/**
 * Starts PostgreSQL under Patroni on three loopback addresses, if Debian's packages for it are installed; otherwise
 * says which are missing, and starts the embedded PostgreSQL.
 */
export async function startDatabase(options: DatabaseOptions): Promise<ClusterDatabase> {
  const found = findDatabasePrograms();
  if ('programs' in found) return startMachines(found.programs, options);
  options.say(
    `The database is one embedded PostgreSQL. For three machines under Patroni, install Debian’s packages ${found.missingPackages.join(', ')}.`,
  );
  return startEmbedded(options.folder);
}

async function startMachines(
  programs: DatabasePrograms,
  { folder, port, say }: DatabaseOptions,
): Promise<ClusterDatabase> {
  say('Starting PostgreSQL under Patroni on three addresses of this machine …');
  const cluster = await DatabaseCluster.start({
    programs,
    folder: join(folder, 'machines'),
    network: `127.${20 + (port >> 8)}.${port & 255}`,
  });
  return {
    url: cluster.url(SERVER),
    ownerUrl: cluster.url(OWNER),
    replicaUrl: cluster.replicaUrl(SERVER),
    machines: cluster.machines,
    stop: () => cluster.stop(),
  };
}

async function startEmbedded(folder: string): Promise<ClusterDatabase> {
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'database'),
    log: () => undefined,
    // During a takeover the connections of the old writer or worker may still be open, so two of each are counted.
    connectionsMax:
      2 * (CONNECTIONS_MAX.writer + CONNECTIONS_MAX.apiNode + CONNECTIONS_MAX.node + CONNECTIONS_MAX.worker) +
      SPARE_CONNECTIONS,
  });
  const { connection } = postgres;
  const urlOf = (user: string) =>
    `postgres:///${connection.database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}&user=${user}&password=${connection.password ?? ''}`;
  const url = urlOf(embeddedRuntimeUser);
  return {
    url,
    ownerUrl: urlOf(connection.user),
    replicaUrl: url,
    machines: [],
    stop: () => postgres.stop(),
  };
}
