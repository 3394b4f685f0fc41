import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findExecutable, isExecutable } from '../../../../tools/gates/executables.mjs';

/** Paths of the programs of a database that fails over by itself, as Debian's packages install them. */
export interface DatabasePrograms {
  readonly etcd: string;
  readonly patroni: string;
  readonly haproxy: string;
  readonly openssl: string;
  /** Folder of the programs of PostgreSQL, e.g. `/usr/lib/postgresql/15/bin`. */
  readonly postgresFolder: string;
}

/** Folder in which Debian installs each version of PostgreSQL. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';
/** The oldest version of PostgreSQL that the exchange supports. */
const POSTGRES_MIN = 15;

/**
 * Finds the programs of a database under Patroni. Returns the names of Debian's missing packages instead, if a program
 * is not installed.
 */
export function findDatabasePrograms():
  | { readonly programs: DatabasePrograms }
  | { readonly missingPackages: readonly string[] } {
  const missingPackages: string[] = [];
  /** Returns the path of a program; if it is missing, notes its package and returns an empty text. */
  const required = (packageName: string, path: string | undefined) => {
    if (path === undefined) missingPackages.push(packageName);
    return path ?? '';
  };
  const programs = {
    etcd: required('etcd-server', findProgram('etcd')),
    patroni: required('patroni', findProgram('patroni')),
    haproxy: required('haproxy', findProgram('haproxy')),
    openssl: required('openssl', findProgram('openssl')),
    postgresFolder: required('postgresql', newestPostgres()),
  };
  return missingPackages.length === 0 ? { programs } : { missingPackages };
}

/** Returns the path of an installed program; undefined if it is missing. */
export function findProgram(name: string): string | undefined {
  return findExecutable([name], ['/usr/sbin']);
}

function newestPostgres(): string | undefined {
  return versions()
    .filter((version) => version >= POSTGRES_MIN)
    .toSorted((first, second) => second - first)
    .map((version) => join(POSTGRES_VERSIONS, String(version), 'bin'))
    .find((folder) => isExecutable(join(folder, 'postgres')));
}

function versions(): readonly number[] {
  try {
    return readdirSync(POSTGRES_VERSIONS)
      .filter((name) => /^\d{1,3}$/.test(name))
      .map(Number);
  } catch {
    // Debian's PostgreSQL is not installed.
    return [];
  }
}
