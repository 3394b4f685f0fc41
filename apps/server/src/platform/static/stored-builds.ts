import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { filesBelow, MemoryFiles } from './memory-files.ts';
import type { Site } from './site-choice.ts';

/** Folder of files whose names contain a hash of their content, so that a file never changes under its name. */
export const HASHED_FOLDER = 'assets/';
/** Number of earlier builds of the sites that remain available. */
const EARLIER_BUILDS = 3;
const ID_LENGTH = 16;

export type SiteDirectories = Readonly<Record<Site, string>>;

/**
 * Returns the id of a build of the sites: a hash of the names of its hashed files, which depend on the files'
 * content. Undefined if there are no hashed files.
 */
export function buildOf(names: readonly string[]): string | undefined {
  const hashed = names.filter((name) => name.startsWith(HASHED_FOLDER)).toSorted();
  if (hashed.length === 0) return undefined;
  return createHash('sha256').update(hashed.join('\n')).digest('hex').slice(0, ID_LENGTH);
}

/**
 * Reads the hashed files of a site's earlier builds from `folder`: at most three builds, last used first. `build` is
 * the current build, which is left out.
 */
export function earlierFiles(folder: string, site: Site, build: string | undefined): MemoryFiles[] {
  return storedBuilds(folder)
    .filter((name) => name !== build)
    .slice(0, EARLIER_BUILDS)
    .map((name) => new MemoryFiles(join(folder, name, site)));
}

interface BuildStore {
  /** Folder in which builds of the sites are stored. */
  readonly folder: string;
  /** Folders of the desktop and the mobile site of the newest build. */
  readonly directories: SiteDirectories;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Stores the hashed files of the current build, so that tabs with this build can still load them after the
 * next deployment. Removes all stored builds except this one and the `EARLIER_BUILDS` last used others. A
 * failure is logged and has no other effect.
 */
export async function storeBuild({ folder, directories, clock, log }: BuildStore): Promise<void> {
  const sites = Object.entries(directories) as [Site, string][];
  try {
    const build = buildOf(sites.flatMap(([, directory]) => filesBelow(directory)));
    if (build === undefined) return;
    if (!existsSync(join(folder, build))) await copyBuild(folder, build, sites);
    const now = clock.now() / 1_000;
    await utimes(join(folder, build), now, now);
    for (const name of storedBuilds(folder).slice(EARLIER_BUILDS + 1))
      await rm(join(folder, name), { recursive: true, force: true });
  } catch (cause) {
    log.warn('sites.build_not_stored', { cause });
  }
}

async function copyBuild(folder: string, build: string, sites: readonly [Site, string][]): Promise<void> {
  // The copy has a name that begins with a dot until it is complete, so that an incomplete copy is never served.
  const copy = join(folder, `.${build}-${process.pid}`);
  await mkdir(copy, { recursive: true });
  for (const [site, directory] of sites) {
    const hashed = join(directory, HASHED_FOLDER);
    if (existsSync(hashed)) await cp(hashed, join(copy, site, HASHED_FOLDER), { recursive: true });
  }
  await rename(copy, join(folder, build));
}

/** Returns the names of the stored builds of the sites, last used first. */
function storedBuilds(folder: string): string[] {
  // Without a folder at this path, or with a file there, the server starts and serves no earlier builds.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({ name, usedMs: statSync(join(folder, name)).mtimeMs }))
    .toSorted((left, right) => right.usedMs - left.usedMs)
    .map(({ name }) => name);
}
