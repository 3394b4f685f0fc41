import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { identityFor } from '../../apps/server/src/platform/database/embedded/account.ts';
import { connectionOf, knock } from '../../apps/server/src/platform/database/embedded/answer.ts';
import { findBinaries } from '../../apps/server/src/platform/database/embedded/binaries.ts';
import { initialiseCluster } from '../../apps/server/src/platform/database/embedded/cluster.ts';
import { locate } from '../../apps/server/src/platform/database/embedded/location.ts';
import { makeLogDirectory } from '../../apps/server/src/platform/database/embedded/log-files.ts';
import {
  serverArguments,
  serverEnvironment,
} from '../../apps/server/src/platform/database/embedded/settings.ts';
import { makeSocketDirectory } from '../../apps/server/src/platform/database/embedded/socket-directory.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { clientOptions } from '../../apps/server/src/platform/database/pool.ts';
import { repositoryRoot } from './programs.ts';

/** One database of the measured PostgreSQL, by its socket. */
export interface BenchDatabase {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface BenchPostgres {
  /** An empty database with the whole schema. */
  makeTemplate(name: string): Promise<BenchDatabase>;
  /** A copy of a template that nobody is connected to. */
  copy(template: string, name: string): Promise<BenchDatabase>;
  drop(name: string): Promise<void>;
  stop(): Promise<void>;
}

const silent = () => undefined;
/** The exchange needs fewer; the design with one transaction per order does not. */
const CONNECTIONS = 'max_connections=120';
const LOOK_EVERY_MS = 10;

/** Our embedded PostgreSQL with the settings it always has, but for the number of connections. */
export async function startPostgres(dataDirectory: string): Promise<BenchPostgres> {
  const location = locate(join(dataDirectory, 'database'), undefined, silent);
  const { account, cluster, home } = location;
  const binaries = findBinaries({
    account,
    majorVersion: undefined,
    cacheDirectories: [home],
    searchPath: '/usr/local/bin:/usr/bin',
    log: silent,
  });
  await initialiseCluster(cluster, binaries, account);
  const socketDirectory = makeSocketDirectory(cluster, account);
  const settings = serverArguments(cluster, socketDirectory, makeLogDirectory(home, account));
  const given = settings.map((setting) => (setting.startsWith('max_connections=') ? CONNECTIONS : setting));
  const options = { ...identityFor(account), cwd: '/', env: serverEnvironment(), stdio: 'ignore' as const };
  const child = spawn(binaries.postgres, given, options);
  const ended = once(child, 'exit');
  while ((await knock(socketDirectory, cluster)) !== 'ours') {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
    await sleep(LOOK_EVERY_MS);
  }
  const admin = new pg.Client(clientOptions(connectionOf(socketDirectory, cluster), 'bench'));
  await admin.connect();
  const named = (database: string): BenchDatabase => ({
    ...connectionOf(socketDirectory, cluster),
    database,
  });
  return {
    makeTemplate: async (name) => {
      await admin.query(`create database ${name}`);
      const directory = join(repositoryRoot, 'apps/server/migrations');
      await migrate({ connection: named(name), directory, log: silent });
      return named(name);
    },
    copy: async (template, name) => {
      await admin.query(`create database ${name} template ${template}`);
      await admin.query('checkpoint');
      return named(name);
    },
    drop: async (name) => {
      await admin.query(`drop database if exists ${name} with (force)`);
    },
    stop: async () => {
      await admin.end();
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** The address of a database as DATABASE_URL takes it. */
export function urlOf({ host, port, user, database }: BenchDatabase): string {
  return `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
}
