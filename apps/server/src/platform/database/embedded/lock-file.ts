import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';
import { isServerOf, stateOf } from './processes.ts';
import { embeddedPort } from './settings.ts';

/** What PostgreSQL writes into `postmaster.pid` (line by line, the same since version 10). */
export interface LockFile {
  readonly pid: number;
  readonly dataDirectory: string;
  readonly port: number;
  /** Undefined while the server has not yet opened its socket. */
  readonly socketDirectory: string | undefined;
  readonly status: 'starting' | 'stopping' | 'ready' | 'unknown';
}

/**
 * Who holds a cluster:
 * - `nobody`: no lock file, or one whose process is dead (PostgreSQL clears that by itself, and safely)
 * - `stranger`: the number in the lock file now belongs to another program, or to an uncollected corpse
 * - `postmaster`: a PostgreSQL server of this very cluster is alive
 */
export type Holder =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'stranger'; readonly pid: number }
  | { readonly kind: 'postmaster'; readonly lock: LockFile };

/** Reads the lock file of a cluster; undefined when there is none or it is not written yet. */
export function readLockFile(cluster: string): LockFile | undefined {
  return readLock(lockPath(cluster));
}

function readLock(path: string): LockFile | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isFileSystemError(error, 'ENOENT')) return undefined; // nobody has started it
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

/** Finds out who holds the cluster. `cluster` must be the real path the server was started with. */
export function holderOf(cluster: string): Holder {
  const lock = readLockFile(cluster);
  if (lock === undefined) return { kind: 'nobody' };
  const state = stateOf(lock.pid);
  if (state === 'gone') return { kind: 'nobody' };
  if (state === 'zombie') return { kind: 'stranger', pid: lock.pid };
  const ours = isServerOf(lock.pid, cluster);
  return ours ? { kind: 'postmaster', lock } : { kind: 'stranger', pid: lock.pid };
}

/**
 * Removes a lock file whose number was taken over by a stranger: PostgreSQL only tests whether *some*
 * process has that number and would refuse to start for ever. A second server still cannot slip in,
 * because PostgreSQL also looks for live users of the cluster's shared memory.
 */
export function clearStaleLock(cluster: string, stranger: number): void {
  if (readLockFile(cluster)?.pid === stranger) rmSync(lockPath(cluster), { force: true });
}

/**
 * Removes the claim of a dead server on the socket, for the same reason: its number may be taken. The
 * folder serves this one cluster only, so a live server in it could only be another supervisor's.
 */
export function clearStaleSocketLock(socketDirectory: string, cluster: string): void {
  const lock = readSocketLock(socketDirectory);
  if (lock === undefined) return;
  const isLive = stateOf(lock.pid) === 'alive' && isServerOf(lock.pid, cluster);
  if (!isLive) rmSync(socketLockPath(socketDirectory), { force: true });
}

/** Who claims the socket in a folder; undefined when nobody does. */
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
