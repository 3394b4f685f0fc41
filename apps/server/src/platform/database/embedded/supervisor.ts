import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { connectionOf, type EmbeddedConnection } from './answer.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import { bringUp, type Running } from './bring-up.ts';
import { clusterVersion, initialiseCluster } from './cluster.ts';
import { locate, type Location } from './location.ts';
import { holderOf } from './lock-file.ts';
import { pruneLogFiles } from './log-files.ts';
import { ensureOwnership } from './permissions.ts';
import { stateOf } from './processes.ts';
import { shutDown } from './shut-down.ts';
import { clearSocketDirectories } from './socket-directory.ts';
import type { DatabaseLog } from '../log.ts';

export interface EmbeddedOptions {
  /** Folder of the embedded database; created if missing. PostgreSQL's own data directory is a subfolder of it. */
  readonly dataDirectory: string;
  /**
   * Preferred folder for a copy of PostgreSQL's programs, used if they cannot be run from node_modules. If
   * absent or not usable, the copy is stored in another folder, e.g. beside the data directory.
   */
  readonly cacheDirectory?: string;
  /** Folder for the data if PostgreSQL's account cannot enter `dataDirectory`; default /var/lib/amethyst-exchange. */
  readonly relocationRoot?: string;
  /**
   * Folders that are searched for an installed PostgreSQL if the npm package cannot be used, separated by colons;
   * default /usr/local/bin:/usr/bin. The folders of Debian's packages are searched after them.
   */
  readonly searchPath?: string;
  /** Maximum number of connections of a server that this call starts; default 100. */
  readonly connectionsMax?: number;
  readonly log: DatabaseLog;
}

/** A running PostgreSQL server that this process supervises. */
export interface EmbeddedPostgres {
  readonly connection: EmbeddedConnection;
  /** The real path of PostgreSQL's data directory, without symbolic links. */
  readonly dataDirectory: string;
  /** Process id of the current PostgreSQL server. It changes at a restart. */
  readonly pid: number;
  /**
   * Restarts PostgreSQL on the same data if it has ended or does not answer. Resolves when it answers. Rejects if it
   * cannot be started, and after `stop`.
   */
  ensureRunning(): Promise<void>;
  /** Calls the listener whenever PostgreSQL ends without `stop`. Returns a function that unsubscribes. */
  onUnexpectedExit(listener: () => void): () => void;
  /** Stops PostgreSQL, even if another process started it. This object cannot be used afterwards. */
  stop(): Promise<void>;
}

const pruneEveryMs = 3_600_000;

/**
 * Starts or adopts the PostgreSQL server of a data directory and supervises it. If this process runs as root,
 * PostgreSQL runs as an unprivileged account. Throws with a sentence for the operator if no server can be started or
 * its settings could lose acknowledged commits.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  const location = locate(options.dataDirectory, options.relocationRoot, log);
  const binaries = lazy(() => binariesFor(location, options));
  if (clusterVersion(location.cluster) === undefined) {
    log('info', 'creating the database', { cluster: location.cluster, account: location.account.name });
    await initialiseCluster(location.cluster, binaries(), location.account);
  } else {
    ensureOwnership(location.cluster, location.account);
  }
  const cleared = clearSocketDirectories(location.account);
  if (cleared > 0) log('info', 'socket folders of deleted databases cleared', { folders: cleared });
  const { connectionsMax } = options;
  const start = () => bringUp(location, binaries, { log, connectionsMax });
  return new Supervisor(location, start, await start(), log);
}

/**
 * Returns whether a PostgreSQL server is running on the data directory, whichever process started it. Creates the
 * folder of the embedded database if it is missing.
 */
export function isEmbeddedRunning(options: EmbeddedOptions): boolean {
  const { cluster } = locate(options.dataDirectory, options.relocationRoot, options.log);
  return holderOf(cluster).kind === 'postmaster';
}

/**
 * Stops the server of a data directory, for example one that a killed process has left running. Does nothing if none is
 * running.
 */
export async function stopEmbeddedPostgres(options: EmbeddedOptions): Promise<void> {
  const { cluster } = locate(options.dataDirectory, options.relocationRoot, options.log);
  const holder = holderOf(cluster);
  if (holder.kind === 'postmaster') await shutDown(cluster, holder.lock.pid, options.log);
}

class Supervisor implements EmbeddedPostgres {
  readonly dataDirectory: string;
  readonly #location: Location;
  readonly #start: () => Promise<Running>;
  readonly #log: DatabaseLog;
  readonly #listeners = new Set<() => void>();
  readonly #pruning: NodeJS.Timeout;
  #running: Running;
  #unwatch: () => void;
  #restarting: Promise<void> | undefined;
  #isStopped = false;

  constructor(location: Location, start: () => Promise<Running>, running: Running, log: DatabaseLog) {
    this.dataDirectory = location.cluster;
    this.#location = location;
    this.#start = start;
    this.#log = log;
    this.#running = running;
    this.#unwatch = this.#watch(running);
    this.#pruning = setInterval(() => pruneLogFiles(location.home), pruneEveryMs);
    this.#pruning.unref();
    pruneLogFiles(location.home);
    this.#report(running);
  }

  get connection(): EmbeddedConnection {
    return connectionOf(this.#running.socketDirectory, this.#location.cluster);
  }

  get pid(): number {
    return this.#running.pid;
  }

  onUnexpectedExit(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  ensureRunning(): Promise<void> {
    if (this.#isStopped) return Promise.reject(new Error('the embedded database has been stopped'));
    this.#restarting ??= this.#restart().finally(() => (this.#restarting = undefined));
    return this.#restarting;
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    clearInterval(this.#pruning);
    // The error of a running restart is reported to the caller of the restart. Here it is only awaited.
    await this.#restarting?.catch(() => undefined);
    this.#unwatch();
    await shutDown(this.#location.cluster, this.#running.pid, this.#log);
    this.#log('info', 'database stopped', { pid: this.#running.pid });
  }

  async #restart(): Promise<void> {
    const running = await this.#start();
    if (running.pid === this.#running.pid) return;
    this.#unwatch();
    this.#running = running;
    this.#unwatch = this.#watch(running);
    this.#report(running);
  }

  #watch(running: Running): () => void {
    return watchExit(running, () => {
      this.#log('error', 'database ended unexpectedly', { pid: running.pid });
      for (const listener of this.#listeners) listener();
    });
  }

  #report({ pid, child }: Running): void {
    this.#log('info', child === undefined ? 'database adopted' : 'database started', {
      pid,
      cluster: this.#location.cluster,
      account: this.#location.account.name,
    });
  }
}

function binariesFor({ cluster, home, account }: Location, options: EmbeddedOptions): Binaries {
  const cacheDirectories = [
    ...(options.cacheDirectory === undefined ? [] : [options.cacheDirectory]),
    ...(account.dropsRights ? ['/var/cache/amethyst-exchange'] : []),
    home,
    join(tmpdir(), `amethyst-exchange-${process.getuid?.() ?? 0}`),
  ];
  return findBinaries({
    account,
    cacheDirectories,
    majorVersion: clusterVersion(cluster),
    searchPath: options.searchPath ?? '/usr/local/bin:/usr/bin',
    log: options.log,
  });
}

function lazy<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

const pollEveryMs = 200;

/**
 * Calls `ended` once when PostgreSQL's process ends. The operating system reports the exit of child processes only, so
 * a server started by another process is polled five times a second. Returns a function that stops watching.
 */
function watchExit({ child, pid }: Running, ended: () => void): () => void {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.once('exit', ended);
    return () => child.off('exit', ended);
  }
  const timer = setInterval(() => {
    if (stateOf(pid) === 'alive') return;
    clearInterval(timer);
    ended();
  }, pollEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
