import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serverAccount, type ServerAccount } from './account.ts';
import { isFileSystemError } from './file-system-error.ts';
import { mayReach } from './permissions.ts';
import type { DatabaseLog } from '../log.ts';

/** Where everything of one embedded database lives. */
export interface Location {
  /** Holds the cluster, the logs and what is being initialised. */
  readonly home: string;
  /** PostgreSQL's own data directory, `home/cluster`. */
  readonly cluster: string;
  readonly account: ServerAccount;
}

const pointerName = 'LOCATION.txt';
const defaultRelocationRoot = '/var/lib/amethyst-exchange';

/**
 * Decides where the database of `intended` lives: there, or (only for root, when the account that runs
 * PostgreSQL may not walk to it) under `relocationRoot`. A relocation is written down in a pointer file
 * inside `intended`, which every later start follows, so that a change of permissions in between never
 * makes an empty database appear where a full one was. Throws when that promise cannot be kept.
 */
export function locate(intended: string, relocationRoot: string | undefined, log: DatabaseLog): Location {
  mkdirSync(intended, { recursive: true });
  const wanted = realpathSync(resolve(intended));
  const pointed = readPointer(wanted);
  if (pointed !== undefined) return follow(wanted, pointed);

  const inPlace = at(wanted);
  if (mayReach(inPlace.home, inPlace.account)) return inPlace;
  if (existsSync(join(inPlace.cluster, 'PG_VERSION'))) {
    throw new Error(
      `the database in ${inPlace.cluster} cannot be reached by the account "${inPlace.account.name}" that runs ` +
        'PostgreSQL any more: give the folders above it the permission to enter (chmod o+x)',
    );
  }
  return relocate(wanted, resolve(relocationRoot ?? defaultRelocationRoot), log);
}

function at(home: string): Location {
  const cluster = join(home, 'cluster');
  return { home, cluster, account: serverAccount(cluster) };
}

function follow(wanted: string, pointed: string): Location {
  if (!existsSync(pointed)) {
    throw new Error(
      `${join(wanted, pointerName)} says that the database lives in ${pointed}, which does not exist. Restore it, ` +
        'or delete that file to begin with an empty database',
    );
  }
  return at(pointed);
}

/**
 * The name carries a random part besides the hash of the checkout: who deletes the data folder wants an
 * empty database, and must not meet the forgotten one of an earlier checkout at the same path.
 */
function relocate(wanted: string, root: string, log: DatabaseLog): Location {
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const home = join(root, `${hash}-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(home, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new Error(
      `the account that runs PostgreSQL may not enter ${wanted}, and ${home} cannot be made instead: ` +
        'set DATA_DIR to a folder that every user may enter, or set DATABASE_URL',
      { cause: error },
    );
  }
  const location = at(home);
  if (!mayReach(location.home, location.account)) {
    throw new Error(`neither ${wanted} nor ${home} can be entered by the account "${location.account.name}"`);
  }
  writeFileSync(
    join(wanted, pointerName),
    `PostgreSQL may not run as root, and its account "${location.account.name}" may not enter this folder.\n` +
      `The database therefore lives in the folder named on the last line.\n${home}\n`,
  );
  log('warn', 'database lives outside the data directory, which its account may not enter', {
    intended: wanted,
    home,
    account: location.account.name,
  });
  return location;
}

function readPointer(wanted: string): string | undefined {
  try {
    const home = readFileSync(join(wanted, pointerName), 'utf8').trimEnd().split('\n').at(-1)?.trim();
    if (home === undefined || !home.startsWith('/')) {
      throw new Error(`${join(wanted, pointerName)} is damaged: its last line must name a folder`);
    }
    return home;
  } catch (error) {
    if (isFileSystemError(error, 'ENOENT')) return undefined; // the usual case: nothing was relocated
    throw error;
  }
}
