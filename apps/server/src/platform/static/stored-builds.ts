import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { filesBelow, MemoryFiles } from './memory-files.ts';
import type { Site } from './site-choice.ts';

/** Names below this folder carry a hash of their content, so that a name never means anything else. */
export const HASHED_FOLDER = 'assets/';
/** So many builds before the one in use stay available. */
const EARLIER_BUILDS = 3;
const ID_LENGTH = 16;

export type SiteDirectories = Readonly<Record<Site, string>>;

/**
 * Names a build of the sites by the names of their hashed files: two builds with the same name have the same content.
 * Undefined where nothing is built.
 */
export function buildOf(names: readonly string[]): string | undefined {
  const hashed = names.filter((name) => name.startsWith(HASHED_FOLDER)).toSorted();
  if (hashed.length === 0) return undefined;
  return createHash('sha256').update(hashed.join('\n')).digest('hex').slice(0, ID_LENGTH);
}

/** The hashed files of earlier builds of a site, newest build first, as far as `folder` has them. */
export function earlierFiles(folder: string, site: Site, build: string | undefined): MemoryFiles[] {
  return storedBuilds(folder)
    .filter((name) => name !== build)
    .slice(0, EARLIER_BUILDS)
    .map((name) => new MemoryFiles(join(folder, name, site)));
}

interface BuildStore {
  /** Where builds are stored. */
  readonly folder: string;
  /** Where the sites lie as they were built last. */
  readonly directories: SiteDirectories;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Stores the hashed files of the sites, so that after the next deployment tabs that show this build can still load
 * their parts; removes builds that are too old. A failure is logged and harms nothing else.
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
  // A name that begins with a dot is no build: a copy that was cut off is never served.
  const copy = join(folder, `.${build}-${process.pid}`);
  await mkdir(copy, { recursive: true });
  for (const [site, directory] of sites) {
    const hashed = join(directory, HASHED_FOLDER);
    if (existsSync(hashed)) await cp(hashed, join(copy, site, HASHED_FOLDER), { recursive: true });
  }
  await rename(copy, join(folder, build));
}

/** Names of the stored builds, the one that was last in use first. */
function storedBuilds(folder: string): string[] {
  // Something else may lie there; a server without earlier builds is better than none.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({ name, usedMs: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.usedMs - one.usedMs)
    .map(({ name }) => name);
}
