import { chmodSync, chownSync, mkdirSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import type { DatabaseLog } from '../log.ts';
import type { ServerAccount } from './account.ts';
import { isFileSystemError } from './file-system-error.ts';

/**
 * Names of files and folders of which every used data folder of this server contains at least one. A folder that
 * contains only other entries probably belongs to another program, so its permissions are not changed.
 */
const OUR_NAMES = ['database', 'secret.key', 'operator-token'];
const STICKY = 0o1000;

/**
 * Creates the data folder, or corrects its permissions, so that no other user can enter it. If root runs PostgreSQL as
 * another `account`, that account may enter its own subfolder but not list the data folder. The permissions of a folder
 * of another program or user, or on a read-only file system, are not changed; a warning is logged instead. On Windows
 * no permissions are changed.
 */
export function secureDataDirectory(
  path: string,
  account: ServerAccount | undefined,
  log: DatabaseLog,
): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return; // Windows manages permissions by access control lists
  const folder = realpathSync(path);
  const stats = statSync(folder);
  const target = wantedPermissions(stats, account);
  if ((stats.mode & 0o777) === target.mode && stats.gid === target.gid) return;
  if (!isOurs(folder, stats)) {
    log('warn', 'data directory is open to others and not corrected: it holds what is not ours', { folder });
    return;
  }
  try {
    if (stats.gid !== target.gid) chownSync(folder, stats.uid, target.gid);
    chmodSync(folder, target.mode);
  } catch (error) {
    if (!isFileSystemError(error, 'EPERM', 'EROFS')) throw error;
    log('warn', 'data directory belongs to another user and cannot be closed to others', { folder });
  }
}

function wantedPermissions(stats: Stats, account: ServerAccount | undefined): { mode: number; gid: number } {
  const mayPass = account?.dropsRights === true && stats.uid !== account.uid;
  return mayPass ? { mode: 0o710, gid: account.gid } : { mode: 0o700, gid: stats.gid };
}

function isOurs(folder: string, { mode }: Stats): boolean {
  if ((mode & STICKY) !== 0) return false;
  const names = readdirSync(folder);
  return names.length === 0 || names.some((name) => OUR_NAMES.includes(name));
}
