import { spawnSync } from 'node:child_process';
import { lstatSync } from 'node:fs';

/** The operating system account that owns PostgreSQL's data directory (the cluster) and runs PostgreSQL. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  /** True if this process runs as root, so that PostgreSQL's programs must be started under this account. */
  readonly dropsRights: boolean;
}

// Names of accounts that run PostgreSQL for root, the preferred one first, because it refuses to run as root.
// `nobody` exists on almost every Unix; `postgres` is clearer in a process list.
const unprivilegedNames = ['postgres', 'nobody'];

/**
 * Returns the account that runs PostgreSQL: the current user, unless that is root. For root it is the owner of an
 * existing cluster (which may have been created without root), otherwise `postgres`, otherwise `nobody`. Throws if none
 * of these accounts exists, and on a system without Unix accounts.
 */
export function serverAccount(clusterDirectory: string | undefined): ServerAccount {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  if (uid === undefined || gid === undefined) {
    throw new Error('the embedded database needs Unix accounts and sockets: set DATABASE_URL on this system');
  }
  if (uid !== 0) return { uid, gid, name: `uid ${uid}`, dropsRights: false };
  const owner = clusterDirectory === undefined ? undefined : ownerOf(clusterDirectory);
  if (owner !== undefined && owner.uid !== 0) {
    return { ...owner, name: `uid ${owner.uid}`, dropsRights: true };
  }
  for (const name of unprivilegedNames) {
    const ids = { uid: idOf(name, '-u'), gid: idOf(name, '-g') };
    if (ids.uid === undefined || ids.gid === undefined) continue;
    return { uid: ids.uid, gid: ids.gid, name, dropsRights: true };
  }
  throw new Error(
    `PostgreSQL does not run as root and none of the accounts ${unprivilegedNames.join(', ')} exists: ` +
      'start as an ordinary user, create one of them, or set DATABASE_URL',
  );
}

/**
 * Returns options for `child_process.spawn` with which a program runs under this operating system account.
 */
export function identityFor(account: ServerAccount): { uid?: number; gid?: number } {
  return account.dropsRights ? { uid: account.uid, gid: account.gid } : {};
}

function ownerOf(path: string): { uid: number; gid: number } | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && { uid: stats.uid, gid: stats.gid };
}

function idOf(name: string, flag: '-u' | '-g'): number | undefined {
  const result = spawnSync('id', [flag, name], { encoding: 'utf8' });
  const id = result.status === 0 ? Number.parseInt(result.stdout, 10) : Number.NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
