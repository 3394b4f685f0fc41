import { spawnSync } from 'node:child_process';
import { lstatSync } from 'node:fs';

/** The operating system account that owns the cluster and runs PostgreSQL. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  /** True when we are root and give our rights up for the child processes. */
  readonly dropsRights: boolean;
}

// PostgreSQL refuses to run as root. `nobody` exists on every Unix; `postgres` is nicer in a process list.
const unprivilegedNames = ['postgres', 'nobody'];

/**
 * The account to run PostgreSQL as: ourselves for an ordinary user. For root the owner of an existing
 * cluster (someone may have started it without root before), else `postgres`, else `nobody`.
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
    const found = { uid: idOf(name, '-u'), gid: idOf(name, '-g') };
    if (found.uid === undefined || found.gid === undefined) continue;
    return { uid: found.uid, gid: found.gid, name, dropsRights: true };
  }
  throw new Error(
    `PostgreSQL does not run as root and none of the accounts ${unprivilegedNames.join(', ')} exists: ` +
      'start as an ordinary user, create one of them, or set DATABASE_URL',
  );
}

/** What `child_process.spawn` needs to run a program as this account. */
export function identityFor(account: ServerAccount): { uid?: number; gid?: number } {
  return account.dropsRights ? { uid: account.uid, gid: account.gid } : {};
}

function ownerOf(path: string): { uid: number; gid: number } | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found && { uid: found.uid, gid: found.gid };
}

function idOf(name: string, flag: '-u' | '-g'): number | undefined {
  const asked = spawnSync('id', [flag, name], { encoding: 'utf8' });
  const id = asked.status === 0 ? Number.parseInt(asked.stdout, 10) : Number.NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
