import { chmodSync, chownSync, mkdirSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import type { DatabaseLog } from '../log.ts';
import type { ServerAccount } from './account.ts';
import { isFileSystemError } from './file-system-error.ts';

/** What lies in a data folder of ours; one that holds anything else only is somebody's, given by mistake. */
const OURS = ['database', 'secret.key', 'operator-token'];
const STICKY = 0o1000;

/**
 * Makes the folder of everything that is kept, or corrects it, so that nobody else may enter. Where root starts
 * PostgreSQL under another account, `account`, that one may walk through to its own folder and see no names.
 */
export function secureDataDirectory(
  path: string,
  account: ServerAccount | undefined,
  log: DatabaseLog,
): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return; // access is a matter of the folder's list there
  const folder = realpathSync(path);
  const found = statSync(folder);
  const wanted = wantedOf(found, account);
  if ((found.mode & 0o777) === wanted.mode && found.gid === wanted.gid) return;
  if (!isOurs(folder, found)) {
    log('warn', 'data directory is open to others and not corrected: it holds what is not ours', { folder });
    return;
  }
  try {
    if (found.gid !== wanted.gid) chownSync(folder, found.uid, wanted.gid);
    chmodSync(folder, wanted.mode);
  } catch (error) {
    if (!isFileSystemError(error, 'EPERM', 'EROFS')) throw error;
    log('warn', 'data directory belongs to another user and cannot be closed to others', { folder });
  }
}

function wantedOf(found: Stats, account: ServerAccount | undefined): { mode: number; gid: number } {
  const passes = account?.dropsRights === true && found.uid !== account.uid;
  return passes ? { mode: 0o710, gid: account.gid } : { mode: 0o700, gid: found.gid };
}

function isOurs(folder: string, { mode }: Stats): boolean {
  if ((mode & STICKY) !== 0) return false;
  const names = readdirSync(folder);
  return names.length === 0 || names.some((name) => OURS.includes(name));
}
