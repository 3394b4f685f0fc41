import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serverAccount, type ServerAccount } from './account.ts';
import { isFileSystemError } from './file-system-error.ts';
import { mayReach } from './permissions.ts';
import type { DatabaseLog } from '../log.ts';

/** Folders of an embedded PostgreSQL database, and the account that runs it. */
export interface Location {
  /** Folder with PostgreSQL's data directory, its log files and drafts. */
  readonly home: string;
  /** Path of PostgreSQL's data directory, which is `home/cluster`. */
  readonly cluster: string;
  readonly account: ServerAccount;
}

const pointerName = 'LOCATION.txt';
const defaultRelocationRoot = '/var/lib/amethyst-exchange';

/**
 * Determines the folder of the database: `intended`, or a folder in `relocationRoot` if this process is root and the
 * account that runs PostgreSQL cannot enter `intended`. A relocation is recorded in a pointer file inside `intended`.
 * Later starts follow the pointer file, so that a change of permissions does not lead to a new, empty database. Throws
 * if neither folder can be used, or if an existing database cannot be accessed.
 */
export function locate(intended: string, relocationRoot: string | undefined, log: DatabaseLog): Location {
  mkdirSync(intended, { recursive: true });
  const intendedPath = realpathSync(resolve(intended));
  const relocatedHome = readPointer(intendedPath);
  if (relocatedHome !== undefined) return followPointer(intendedPath, relocatedHome);

  const inPlace = locationIn(intendedPath);
  if (mayReach(inPlace.home, inPlace.account)) return inPlace;
  if (existsSync(join(inPlace.cluster, 'PG_VERSION'))) {
    throw new Error(
      `the database in ${inPlace.cluster} cannot be reached by the account "${inPlace.account.name}" that runs ` +
        'PostgreSQL any more: give the folders above it the permission to enter (chmod o+x)',
    );
  }
  return relocate(intendedPath, resolve(relocationRoot ?? defaultRelocationRoot), log);
}

function locationIn(home: string): Location {
  const cluster = join(home, 'cluster');
  return { home, cluster, account: serverAccount(cluster) };
}

function followPointer(intendedPath: string, relocatedHome: string): Location {
  if (!existsSync(relocatedHome)) {
    throw new Error(
      `${join(intendedPath, pointerName)} says that the database lives in ${relocatedHome}, which does not exist. Restore it, ` +
        'or delete that file to begin with an empty database',
    );
  }
  return locationIn(relocatedHome);
}

/**
 * Creates the relocated folder and the pointer file. The folder's name contains the hash of the intended path and a
 * random part: if the data folder is deleted and created again, the new one must not get the relocated database of the
 * old one. Throws if the folder cannot be created, or if the account that runs PostgreSQL cannot enter it.
 */
function relocate(intendedPath: string, root: string, log: DatabaseLog): Location {
  const hash = createHash('sha256').update(intendedPath).digest('hex').slice(0, 12);
  const home = join(root, `${hash}-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(home, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new Error(
      `the account that runs PostgreSQL may not enter ${intendedPath}, and ${home} cannot be made instead: ` +
        'set DATA_DIR to a folder that every user may enter, or set DATABASE_URL',
      { cause: error },
    );
  }
  const location = locationIn(home);
  if (!mayReach(location.home, location.account)) {
    throw new Error(
      `neither ${intendedPath} nor ${home} can be entered by the account "${location.account.name}"`,
    );
  }
  writeFileSync(
    join(intendedPath, pointerName),
    `PostgreSQL may not run as root, and its account "${location.account.name}" may not enter this folder.\n` +
      `The database therefore lives in the folder named on the last line.\n${home}\n`,
  );
  log('warn', 'database lives outside the data directory, which its account may not enter', {
    intended: intendedPath,
    home,
    account: location.account.name,
  });
  return location;
}

function readPointer(intendedPath: string): string | undefined {
  try {
    const home = readFileSync(join(intendedPath, pointerName), 'utf8').trimEnd().split('\n').at(-1)?.trim();
    if (home === undefined || !home.startsWith('/')) {
      throw new Error(`${join(intendedPath, pointerName)} is damaged: its last line must name a folder`);
    }
    return home;
  } catch (error) {
    // Without a pointer file, the database was not relocated.
    if (isFileSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
