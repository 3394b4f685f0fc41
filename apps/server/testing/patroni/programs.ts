import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
  const etcd = findProgram('etcd');
  const patroni = findProgram('patroni');
  const haproxy = findProgram('haproxy');
  const openssl = findProgram('openssl');
  const postgresFolder = newestPostgres();
  if (
    etcd === undefined ||
    patroni === undefined ||
    haproxy === undefined ||
    openssl === undefined ||
    postgresFolder === undefined
  ) {
    const packages = [
      { name: 'etcd-server', found: etcd },
      { name: 'patroni', found: patroni },
      { name: 'haproxy', found: haproxy },
      { name: 'openssl', found: openssl },
      { name: 'postgresql', found: postgresFolder },
    ];
    return { missingPackages: packages.filter(({ found }) => found === undefined).map(({ name }) => name) };
  }
  const programs = {
    etcd,
    patroni,
    haproxy,
    openssl,
    postgresFolder,
  };
  return { programs };
}

/** Returns the path of an installed program; undefined if it is missing. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // The file is missing or not executable.
    return false;
  }
}

function newestPostgres(): string | undefined {
  const newestFirst = versions().toSorted((first, second) => second - first);
  return newestFirst
    .filter((version) => version >= POSTGRES_MIN)
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
