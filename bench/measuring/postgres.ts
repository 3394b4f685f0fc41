import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { identityFor } from '../../apps/server/src/platform/database/embedded/account.ts';
import { connectionOf, probeServer } from '../../apps/server/src/platform/database/embedded/answer.ts';
import { findBinaries } from '../../apps/server/src/platform/database/embedded/binaries.ts';
import {
  clusterVersion,
  initialiseCluster,
} from '../../apps/server/src/platform/database/embedded/cluster.ts';
import { locate } from '../../apps/server/src/platform/database/embedded/location.ts';
import { makeLogDirectory } from '../../apps/server/src/platform/database/embedded/log-files.ts';
import {
  serverArguments,
  serverEnvironment,
} from '../../apps/server/src/platform/database/embedded/settings.ts';
import { makeSocketDirectory } from '../../apps/server/src/platform/database/embedded/socket-directory.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { clientOptions, type DatabaseConnection } from '../../apps/server/src/platform/database/pool.ts';
import { repositoryRoot } from './programs.ts';

/** A database on the PostgreSQL server of a benchmark. `host` is the folder of the server's socket. */
export interface BenchDatabase {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string | undefined;
}

export interface BenchPostgres {
  /** Creates an empty database with the complete schema. */
  makeTemplate(name: string): Promise<BenchDatabase>;
  /** Copies a template database. There must be no connection to the template. */
  copy(template: string, name: string): Promise<BenchDatabase>;
  drop(name: string): Promise<void>;
  /**
   * Starts a standby, a second PostgreSQL server that replicates this server synchronously, with `settings` besides the
   * usual ones. Resolves as soon as each commit of this server waits until the standby has stored it.
   */
  withStandby(folder: string, settings?: Readonly<Record<string, string>>): Promise<BenchStandby>;
  stop(): Promise<void>;
}

/** A running standby of the PostgreSQL server of a benchmark. */
export interface BenchStandby {
  /** Returns the database with the name on the standby. */
  named(database: string): BenchDatabase;
  /** Stops the standby; commits no longer wait for it. */
  end(): Promise<void>;
}

const silent = () => undefined;
/**
 * PostgreSQL settings of the measured server and of its standby. The number of connections is sufficient for the
 * exchange and for the compared design with one transaction per order, which opens up to 64 connections.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '120',
  // The write-ahead log of up to 4 GB is kept, so that a standby that was stopped can continue.
  wal_keep_size: '4GB',
};
/**
 * PostgreSQL settings for writing a large database once. With them, PostgreSQL does not write the rows of a table to
 * the WAL if the same transaction created or emptied the table. No other program uses the database meanwhile.
 */
const BULK_SETTINGS: Readonly<Record<string, string>> = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  shared_buffers: '1GB',
  autovacuum: 'off',
};
const POLL_EVERY_MS = 10;

/**
 * Starts the embedded PostgreSQL with some settings replaced. Its data directory in the folder is created if it is
 * missing. Throws if PostgreSQL ends before it accepts connections.
 */
async function startCluster(databaseDirectory: string, changes: Readonly<Record<string, string>>) {
  const location = locate(databaseDirectory, undefined, silent);
  const { account, cluster, home } = location;
  const binaries = findBinaries({
    account,
    majorVersion: undefined,
    cacheDirectories: [home],
    searchPath: '/usr/local/bin:/usr/bin',
    log: silent,
  });
  if (clusterVersion(cluster) === undefined) await initialiseCluster(cluster, binaries, account);
  const socketDirectory = makeSocketDirectory(cluster, account);
  const settings = serverArguments({
    cluster,
    socketDirectory,
    logDirectory: makeLogDirectory(home, account),
  });
  // If a setting is repeated, PostgreSQL uses its last value.
  const changed = Object.entries(changes).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const options = { ...identityFor(account), cwd: '/', env: serverEnvironment(), stdio: 'ignore' as const };
  const child = spawn(binaries.postgres, [...settings, ...changed], options);
  const ended = once(child, 'exit');
  while ((await probeServer(socketDirectory, cluster)) !== 'ours') {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
    await sleep(POLL_EVERY_MS);
  }
  return {
    cluster,
    connection: connectionOf(socketDirectory, cluster),
    stop: async () => {
      child.kill('SIGINT');
      await ended;
    },
  };
}

/**
 * Starts the PostgreSQL server of a database folder with settings for writing much data, runs `work`, stops
 * the server and returns the result of `work`.
 */
export async function withBulkPostgres<T>(
  databaseDirectory: string,
  work: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const { connection, stop } = await startCluster(databaseDirectory, BULK_SETTINGS);
  try {
    return await work(connection);
  } finally {
    await stop();
  }
}

/** Starts the embedded PostgreSQL with its usual settings, except for `SETTINGS`. */
export async function startPostgres(dataDirectory: string): Promise<BenchPostgres> {
  const directory = join(dataDirectory, 'database');
  const { connection, cluster, stop } = await startCluster(directory, SETTINGS);
  const admin = new pg.Client(clientOptions(connection, 'bench'));
  await admin.connect();
  const databaseNamed = (database: string): BenchDatabase => ({
    ...connection,
    database,
  });
  return {
    makeTemplate: async (name) => {
      await admin.query(`create database ${name}`);
      const directory = join(repositoryRoot, 'apps/server/migrations');
      await migrate({ connection: databaseNamed(name), directory, log: silent });
      return databaseNamed(name);
    },
    copy: async (template, name) => {
      await admin.query(`create database ${name} template ${template}`);
      await admin.query('checkpoint');
      return databaseNamed(name);
    },
    drop: async (name) => {
      await admin.query(`drop database if exists ${name} with (force)`);
    },
    withStandby: async (folder, settings = {}) => {
      const standbyDirectory = join(folder, 'database');
      const standbyCluster = join(standbyDirectory, relative(directory, cluster));
      if (!existsSync(standbyDirectory)) {
        await copyRunning(admin, directory, standbyDirectory, standbyCluster);
        const address = `host=${connection.host} port=${connection.port} user=${connection.user} password=${connection.password ?? ''}`;
        const ownSettings = `primary_conninfo = '${address} application_name=standby'\nhot_standby = on\n`;
        await appendFile(join(standbyCluster, 'postgresql.auto.conf'), ownSettings);
        await writeOwned(standbyCluster, 'standby.signal', '');
      }
      const standby = await startCluster(standbyDirectory, { ...SETTINGS, ...settings });
      await admin.query(`alter system set synchronous_standby_names = 'standby'`);
      await admin.query('select pg_reload_conf()');
      for (;;) {
        const { rows } = await admin.query<{ state: string }>(
          'select sync_state as state from pg_stat_replication',
        );
        if (rows.some(({ state }) => state === 'sync')) break;
        await sleep(POLL_EVERY_MS);
      }
      return {
        named: (database) => ({ ...standby.connection, database }),
        end: async () => {
          await admin.query('alter system reset synchronous_standby_names');
          await admin.query('select pg_reload_conf()');
          await standby.stop();
        },
      };
    },
    stop: async () => {
      await admin.end();
      await stop();
    },
  };
}

/** Copies the folder of a running PostgreSQL server, so that another server can start on the copy and replicate it. */
async function copyRunning(
  admin: pg.Client,
  directory: string,
  copyDirectory: string,
  copyCluster: string,
): Promise<void> {
  await mkdir(dirname(copyDirectory), { recursive: true });
  await admin.query(`select pg_backup_start('standby', true)`);
  // `cp` keeps the owners of the files. If PostgreSQL removes files meanwhile, `cp` reports an error, which is ignored.
  spawnSync('cp', ['-a', directory, copyDirectory]);
  const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await rm(join(copyCluster, 'postmaster.pid'), { force: true });
  await writeOwned(copyCluster, 'backup_label', rows[0]!.labelfile);
}

/** Writes a file of a PostgreSQL server that belongs to the owner of the server's data directory. */
async function writeOwned(cluster: string, name: string, text: string): Promise<void> {
  const file = join(cluster, name);
  await writeFile(file, text, { mode: 0o600 });
  const { uid, gid } = await stat(cluster);
  await chown(file, uid, gid);
}

/** Formats the address of a database for the DATABASE_URL setting. */
export function urlOf({ host, port, user, password = '', database }: BenchDatabase): string {
  return `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
}
