import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFileSystemError } from './file-system-error.ts';
import type { ServerAccount } from './account.ts';

/**
 * May the account walk down to `path`? Folders that do not exist yet count as open: whoever creates
 * them decides. Access lists beyond the mode bits are not seen; the caller proves the rest by running.
 */
export function mayReach(path: string, account: ServerAccount): boolean {
  // Our own rights may come from any group or access list; using the path tells soon enough.
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
 * Makes sure `path` is a folder that belongs to `account` and that nobody else may enter; creates it
 * if needed. Gives false when something else (perhaps planted by another user in a shared folder)
 * has that name, or the place cannot be written.
 */
export function makePrivateDirectory(path: string, account: ServerAccount): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    giveTo(path, account);
    return true;
  } catch (error) {
    if (!isFileSystemError(error, 'EEXIST')) return false; // an unwritable place: the caller has others
  }
  const found = lstatSync(path);
  if (!found.isDirectory() || found.uid !== account.uid) return false;
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return true;
}

/** Hands one path to the account that runs PostgreSQL; does nothing for an ordinary user. */
export function giveTo(path: string, account: ServerAccount): void {
  if (account.dropsRights) lchownSync(path, account.uid, account.gid);
}

/** Gives a folder with all that is in it to the account: it is new, or a `chown -R` made it root's. */
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
  // Children are started without supplementary groups, so the primary group is the only one that counts.
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
