import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';
import { isServerOf, stateOf } from './processes.ts';
import { embeddedPort } from './settings.ts';

/** The content of PostgreSQL's lock file `postmaster.pid`, whose format has not changed since PostgreSQL 10. */
export interface LockFile {
  readonly pid: number;
  readonly dataDirectory: string;
  readonly port: number;
  /** Folder of PostgreSQL's socket; undefined until the server has opened the socket. */
  readonly socketDirectory: string | undefined;
  readonly status: 'starting' | 'stopping' | 'ready' | 'unknown';
}

/**
 * The process that the lock file of a PostgreSQL data directory names. `nobody`: there is no complete lock file, or its
 * process has ended (PostgreSQL removes such a file safely). `stranger`: the process id belongs to another program or
 * to a zombie. `postmaster`: the process is a running PostgreSQL server of this data directory.
 */
export type Holder =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'stranger'; readonly pid: number }
  | { readonly kind: 'postmaster'; readonly lock: LockFile };

/** Reads PostgreSQL's lock file in a data directory; undefined if it does not exist or is not written completely. */
export function readLockFile(cluster: string): LockFile | undefined {
  return readLock(lockPath(cluster));
}

function readLock(path: string): LockFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // Without a lock file, no server was started.
    if (isFileSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
  const [pidText, dataDirectory, , port, socketDirectory, , , status] = text.split('\n');
  const pid = Number.parseInt(pidText ?? '', 10);
  if (!Number.isSafeInteger(pid) || pid <= 0 || dataDirectory === undefined) return undefined;
  return {
    pid,
    dataDirectory,
    port: Number.parseInt(port ?? '', 10),
    socketDirectory: socketDirectory === undefined || socketDirectory === '' ? undefined : socketDirectory,
    status: statusOf(status?.trim()),
  };
}

/**
 * Returns whether a running PostgreSQL server holds the data directory (`postmaster`), the process id in its
 * lock file belongs to another program or to a zombie (`stranger`), or neither is the case (`nobody`).
 * `cluster` must be the real path with which the server was started.
 */
export function holderOf(cluster: string): Holder {
  const lock = readLockFile(cluster);
  if (lock === undefined) return { kind: 'nobody' };
  const state = stateOf(lock.pid);
  if (state === 'gone') return { kind: 'nobody' };
  if (state === 'zombie') return { kind: 'stranger', pid: lock.pid };
  const isOurs = isServerOf(lock.pid, cluster);
  return isOurs ? { kind: 'postmaster', lock } : { kind: 'stranger', pid: lock.pid };
}

/**
 * Removes PostgreSQL's lock file if it contains the process id `stranger`, which now belongs to another
 * program. PostgreSQL only checks whether a process with this id exists, and would refuse to start. Two
 * servers still cannot run on one data directory, because PostgreSQL also checks whether its shared memory is
 * in use.
 */
export function clearStaleLock(cluster: string, stranger: number): void {
  if (readLockFile(cluster)?.pid === stranger) rmSync(lockPath(cluster), { force: true });
}

/**
 * Removes the lock file of a PostgreSQL socket unless a server of `cluster` runs. The process id in the file may belong
 * to another program now. Each socket folder belongs to a single data directory.
 */
export function clearStaleSocketLock(socketDirectory: string, cluster: string): void {
  const lock = readSocketLock(socketDirectory);
  if (lock === undefined) return;
  const isLive = stateOf(lock.pid) === 'alive' && isServerOf(lock.pid, cluster);
  if (!isLive) rmSync(socketLockPath(socketDirectory), { force: true });
}

/** Reads the lock file of the PostgreSQL socket in a folder; undefined if there is none. */
export function readSocketLock(socketDirectory: string): LockFile | undefined {
  return readLock(socketLockPath(socketDirectory));
}

function socketLockPath(socketDirectory: string): string {
  return join(socketDirectory, `.s.PGSQL.${embeddedPort}.lock`);
}

function lockPath(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

function statusOf(text: string | undefined): LockFile['status'] {
  if (text === 'ready' || text === 'starting' || text === 'stopping') return text;
  return 'unknown';
}
