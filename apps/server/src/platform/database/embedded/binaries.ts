import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { identityFor, type ServerAccount } from './account.ts';
import { mayReach } from './permissions.ts';
import { serverEnvironment } from './settings.ts';
import { copyPackage, findPackage, linkLibraries, type PlatformPackage } from './platform-package.ts';
import type { DatabaseLog } from '../log.ts';

/** Paths of PostgreSQL's programs, which PostgreSQL's account can run. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version of PostgreSQL, e.g. 18. A data directory can only be opened by the major version that created it. */
  readonly majorVersion: number;
}

export interface BinariesWish {
  readonly account: ServerAccount;
  /**
   * Major version of PostgreSQL that created the existing data directory; undefined if a new one is to be
   * created, for which any supported version will do.
   */
  readonly majorVersion: number | undefined;
  /** Folders in which a private copy of PostgreSQL's programs may be stored, the preferred one first. */
  readonly cacheDirectories: readonly string[];
  /**
   * Folders that are searched for an installed PostgreSQL, separated by colons as in PATH. The folders of Debian's
   * packages are searched after them.
   */
  readonly searchPath: string;
  readonly log: DatabaseLog;
}

const oldestMajorVersion = 15;

/**
 * Finds PostgreSQL's programs. The npm package for this platform comes first. It is used in place if the account can
 * read it, and otherwise copied to a cache folder. An installed PostgreSQL comes second. A candidate is chosen only if
 * it runs and has the wanted version, so that one with an incompatible C library or in a `noexec` folder is skipped.
 * Throws if no candidate works.
 */
export function findBinaries(wish: BinariesWish): Binaries {
  const attempts: string[] = [];
  for (const folder of candidateFolders(wish)) {
    const postgres = join(folder, 'postgres');
    const majorVersion = majorVersionOf(postgres, wish.account);
    attempts.push(`${folder} (${majorVersion === undefined ? 'cannot be run' : `version ${majorVersion}`})`);
    if (majorVersion === undefined || !isWanted(majorVersion, wish)) continue;
    return { postgres, initdb: join(folder, 'initdb'), majorVersion };
  }
  const needed = wish.majorVersion ?? `${oldestMajorVersion} or later`;
  throw new Error(
    `no PostgreSQL ${needed} for ${process.platform}-${process.arch} that account "${wish.account.name}" can run. ` +
      `Looked at: ${attempts.join(', ') || 'nothing found'}. Install the optional npm packages or PostgreSQL, ` +
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
  // The npm package's version begins with PostgreSQL's major version. The package is not used if this major
  // version differs from that of the existing data directory or, without one, is not supported.
  if (shipped !== undefined && isWanted(Number.parseInt(shipped.version, 10), wish)) {
    if (mayReach(shipped.native, wish.account) && linkLibraries(shipped.native))
      yield join(shipped.native, 'bin');
    yield* copiesOf(shipped, wish);
  }
  for (const folder of wish.searchPath.split(':')) {
    if (folder.startsWith('/') && hasPrograms(folder)) yield folder;
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
  const versions = listFolder(root).sort((a, b) => Number(b) - Number(a));
  for (const version of versions) {
    const folder = join(root, version, 'bin');
    if (hasPrograms(folder)) yield folder;
  }
}

function hasPrograms(folder: string): boolean {
  const names = new Set(listFolder(folder));
  return names.has('postgres') && names.has('initdb');
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // a missing or unreadable folder counts as empty
  }
}

function majorVersionOf(postgres: string, account: ServerAccount): number | undefined {
  const result = spawnSync(postgres, ['--version'], {
    ...identityFor(account),
    cwd: '/',
    env: serverEnvironment(),
    encoding: 'utf8',
    timeout: 10_000,
  });
  const version = result.status === 0 ? /\(PostgreSQL\) (\d+)/.exec(result.stdout)?.[1] : undefined;
  return version === undefined ? undefined : Number(version);
}
