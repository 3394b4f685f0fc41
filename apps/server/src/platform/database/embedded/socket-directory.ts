import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import { isFileSystemError } from './file-system-error.ts';
import { readSocketLock, type LockFile } from './lock-file.ts';
import { isServerOf } from './processes.ts';
import { embeddedPort } from './settings.ts';
import { makePrivateDirectory, mayReach } from './permissions.ts';
import type { ServerAccount } from './account.ts';

const runFolder = '/run/amethyst-exchange';

// Maximum length in bytes of a Unix socket's path. The field `sun_path` has 108 bytes on Linux and 104 on macOS,
// including the terminating zero.
const longestSocketPathBytes = 103;

/** Name of the file in each socket folder that contains the path of the server's data directory. */
const clusterFileName = 'cluster.txt';
const socketName = `.s.PGSQL.${embeddedPort}`;
/**
 * Milliseconds after which a socket folder without `cluster.txt` is removed. The creation of a younger one may not be
 * complete.
 */
const unknownMaxAgeMs = 86_400_000;

/**
 * Creates a folder with a short path for the socket of a data directory's PostgreSQL server. A data directory gets the
 * same folder at every start, as long as the folder is usable. Only root and the account that runs PostgreSQL may enter
 * it, which protects the database from other users. Throws if no folder is usable.
 */
export function makeSocketDirectory(cluster: string, account: ServerAccount): string {
  const name = createHash('sha256').update(cluster).digest('hex').slice(0, 12);
  for (const candidate of candidates(name, account)) {
    const socket = join(candidate, socketName);
    if (Buffer.byteLength(socket) > longestSocketPathBytes) continue;
    if (!mayReach(candidate, account) || !makePrivateDirectory(candidate, account)) continue;
    recordCluster(candidate, cluster);
    return candidate;
  }
  throw new Error(
    `no folder for the database's socket: a short path writable by "${account.name}" is needed, such as ${tmpdir()}`,
  );
}

function candidates(name: string, account: ServerAccount): string[] {
  if (account.dropsRights) {
    try {
      mkdirSync(runFolder, { recursive: true, mode: 0o755 });
    } catch {
      // The folder in /run cannot be created (macOS, a read-only system), so only temporary folders are candidates.
    }
  }
  return parents(account)
    .filter(([parent]) => existsSync(parent))
    .map(([parent, prefix]) => join(parent, `${prefix}${name}`));
}

/**
 * Returns the folders that may contain socket folders of PostgreSQL, each with the prefix of the socket
 * folders' names.
 */
function parents(account: ServerAccount): [parent: string, prefix: string][] {
  const runParents: [string, string][] = account.dropsRights ? [[runFolder, '']] : [];
  // XDG_RUNTIME_DIR is not used, because it is deleted when its user logs out, together with the socket of a
  // running server.
  const temporary = [...new Set([tmpdir(), '/tmp'])];
  return [
    ...runParents,
    ...temporary.map((parent): [string, string] => [parent, `amethyst-${account.uid}-`]),
  ];
}

/**
 * Removes the socket folders of data directories that no longer exist, and those without a known data directory after a
 * day. Folders of existing or inaccessible data directories and of running servers are not removed. Returns the number
 * of removed folders.
 */
export function clearSocketDirectories(account: ServerAccount): number {
  let cleared = 0;
  for (const [parent, prefix] of parents(account)) {
    for (const name of namesIn(parent)) {
      if (!name.startsWith(prefix) || !/^[0-9a-f]{12}$/.test(name.slice(prefix.length))) continue;
      if (isAbandoned(join(parent, name), account) && removeFolder(join(parent, name))) cleared += 1;
    }
  }
  return cleared;
}

/**
 * Writes the data directory's path into a socket folder. It never overwrites an existing file, because the folder
 * belongs to an account with fewer rights than this process may have, and the file could be a link.
 */
function recordCluster(folder: string, cluster: string): void {
  try {
    writeFileSync(join(folder, clusterFileName), `${cluster}\n`, { flag: 'wx', mode: 0o644 });
  } catch {
    // The file exists from an earlier start or cannot be written. A folder without the file is removed after a day.
  }
}

function isAbandoned(folder: string, account: ServerAccount): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory() || stats.uid !== account.uid) return false;
  const cluster = firstLine(join(folder, clusterFileName));
  const lock = lockIn(folder);
  if (lock !== undefined && isServerOf(lock.pid, lock.dataDirectory)) return false;
  const knownCluster = cluster ?? lock?.dataDirectory;
  return knownCluster === undefined
    ? systemClock.now() - stats.mtimeMs > unknownMaxAgeMs
    : isGone(knownCluster);
}

/** Reads the lock file of a PostgreSQL socket; undefined if it is unreadable or invalid. */
function lockIn(folder: string): LockFile | undefined {
  try {
    return readSocketLock(folder);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the path certainly does not exist. Returns false for a path that cannot be read, because it may
 * exist.
 */
function isGone(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return isFileSystemError(error, 'ENOENT');
  }
}

/**
 * Removes the files that PostgreSQL creates in its socket folder, and then the folder if it is empty. Returns
 * whether the folder was removed.
 */
function removeFolder(folder: string): boolean {
  try {
    for (const name of [socketName, `${socketName}.lock`, clusterFileName])
      rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
    return true;
  } catch {
    // Another process has removed the folder first, or the folder contains other files. Both do no harm.
    return false;
  }
}

function firstLine(path: string): string | undefined {
  try {
    if (!lstatSync(path).isFile()) return undefined;
    return readFileSync(path, 'utf8').split('\n')[0];
  } catch {
    return undefined; // the file is missing or not readable
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the folder is missing or not readable
  }
}
