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

// sun_path holds 108 bytes on Linux and 104 on macOS, with the closing zero.
const longestSocketPathBytes = 103;

/** In each folder: the cluster that it belongs to. */
const noteName = 'cluster.txt';
const socketName = `.s.PGSQL.${embeddedPort}`;
/** A folder without a note, of an earlier version or just being made, is left alone for so long. */
const unknownKeptMs = 86_400_000;

/**
 * A short private folder for the socket of one cluster, always the same for the same cluster. Only the
 * account that runs PostgreSQL (and root) may enter it: this folder is the lock on the database's door.
 */
export function makeSocketDirectory(cluster: string, account: ServerAccount): string {
  const name = createHash('sha256').update(cluster).digest('hex').slice(0, 12);
  for (const candidate of candidates(name, account)) {
    const socket = join(candidate, socketName);
    if (Buffer.byteLength(socket) > longestSocketPathBytes) continue;
    if (!mayReach(candidate, account) || !makePrivateDirectory(candidate, account)) continue;
    noteCluster(candidate, cluster);
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
      // No writable /run (macOS, a read-only system): the temporary folder comes next.
    }
  }
  return parents(account)
    .filter(([parent]) => existsSync(parent))
    .map(([parent, prefix]) => join(parent, `${prefix}${name}`));
}

/** Where socket folders may lie, and how their names begin there. */
function parents(account: ServerAccount): [parent: string, prefix: string][] {
  const run: [string, string][] = account.dropsRights ? [[runFolder, '']] : [];
  // Not XDG_RUNTIME_DIR: it is deleted when its user logs out, and with it the socket of a running server.
  const temporary = [...new Set([tmpdir(), '/tmp'])];
  return [...run, ...temporary.map((parent): [string, string] => [parent, `amethyst-${account.uid}-`])];
}

/**
 * Removes the socket folders of clusters that are gone: a killed or deleted one never comes back for its own. Gives
 * how many. Nothing is removed of a cluster that is there, or that cannot be looked at, or whose server is alive.
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

/** Never over something that is there: the folder belongs to an account that may have less rights than we. */
function noteCluster(folder: string, cluster: string): void {
  try {
    writeFileSync(join(folder, noteName), `${cluster}\n`, { flag: 'wx', mode: 0o644 });
  } catch {
    // It was noted at an earlier start; a folder without note is cleared by age.
  }
}

function isAbandoned(folder: string, account: ServerAccount): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory() || found.uid !== account.uid) return false;
  const cluster = firstLine(join(folder, noteName));
  const lock = lockIn(folder);
  if (lock !== undefined && isServerOf(lock.pid, lock.dataDirectory)) return false;
  const known = cluster ?? lock?.dataDirectory;
  return known === undefined ? systemClock.now() - found.mtimeMs > unknownKeptMs : isGone(known);
}

/** What cannot be read, or is no lock at all, says nothing. */
function lockIn(folder: string): LockFile | undefined {
  try {
    return readSocketLock(folder);
  } catch {
    return undefined;
  }
}

/** Gone for certain: a place that cannot be looked at may be there. */
function isGone(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return isFileSystemError(error, 'ENOENT');
  }
}

/** Our own files only, by name; anything else in it keeps the folder. */
function removeFolder(folder: string): boolean {
  try {
    for (const name of [socketName, `${socketName}.lock`, noteName])
      rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
    return true;
  } catch {
    return false; // somebody is faster, or it holds what is not ours: it disturbs nobody
  }
}

function firstLine(path: string): string | undefined {
  try {
    if (!lstatSync(path).isFile()) return undefined;
    return readFileSync(path, 'utf8').split('\n')[0];
  } catch {
    return undefined; // no note, or not for us to read
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there is no such folder, or it is closed to us: nothing of ours is in it
  }
}
