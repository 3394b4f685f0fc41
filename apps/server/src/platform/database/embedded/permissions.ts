import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';
import type { ServerAccount } from './account.ts';

/**
 * Returns whether the permission bits let the account that runs PostgreSQL enter all folders down to `path`. Folders
 * that do not exist yet count as accessible. Access control lists are not checked. Always true if this process runs as
 * the same account.
 */
export function mayReach(path: string, account: ServerAccount): boolean {
  // If this process is not root, PostgreSQL runs under the account of this process, to which supplementary
  // groups or access control lists may grant access. The permission bits are therefore not checked.
  if (!account.dropsRights) return true;
  const existing = nearestExisting(path);
  let folder = realpathSync(existing);
  if (!statSync(folder).isDirectory()) folder = dirname(folder);
  for (;;) {
    if (!maySearch(folder, account)) return false;
    const parent = dirname(folder);
    if (parent === folder) return true;
    folder = parent;
  }
}

/**
 * Ensures that `path` is a folder that belongs to `account` and that no other user may enter. Creates it if necessary.
 * Returns false if the path belongs to another user or is no folder, or if the folder cannot be created.
 */
export function makePrivateDirectory(path: string, account: ServerAccount): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    giveTo(path, account);
    return true;
  } catch (error) {
    // The folder cannot be created, so the caller tries other folders.
    if (!isFileSystemError(error, 'EEXIST')) return false;
  }
  const stats = lstatSync(path);
  if (!stats.isDirectory() || stats.uid !== account.uid) return false;
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return true;
}

/** Changes the owner of a path to the account that runs PostgreSQL. Does nothing if this process is not root. */
export function giveTo(path: string, account: ServerAccount): void {
  if (account.dropsRights) lchownSync(path, account.uid, account.gid);
}

/**
 * Changes the owner of a folder and its content to the account that runs PostgreSQL. Does nothing if the folder already
 * belongs to the account, or if this process is not root.
 */
export function ensureOwnership(folder: string, account: ServerAccount): void {
  if (account.dropsRights && lstatSync(folder).uid !== account.uid) giveTreeTo(folder, account);
}

function giveTreeTo(path: string, account: ServerAccount): void {
  giveTo(path, account);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveTreeTo(join(path, name), account);
}

function maySearch(folder: string, account: ServerAccount): boolean {
  const { uid, gid, mode } = statSync(folder);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  // Child processes are started without supplementary groups, so only the account's primary group counts.
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

function nearestExisting(path: string): string {
  let folder = path;
  while (statSync(folder, { throwIfNoEntry: false }) === undefined) {
    const parent = dirname(folder);
    if (parent === folder) return folder;
    folder = parent;
  }
  return folder;
}
