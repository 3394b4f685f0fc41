/** Determines whether the files of each build are up to date with their sources. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SITE_PACKAGES = ['packages/core', 'packages/wire', 'packages/web-kit'];

/**
 * The build targets in build order. `produces` is the file that the build must create, and `sources` are the files and
 * folders that the build depends on.
 */
export const TARGETS = {
  server: {
    produces: 'main.js',
    sources: ['packages/core', 'packages/wire', 'apps/server/src', 'apps/server/migrations'],
  },
  desktop: { produces: 'index.html', sources: [...SITE_PACKAGES, 'apps/desktop'] },
  mobile: {
    produces: 'index.html',
    sources: [...SITE_PACKAGES, 'apps/mobile', 'tools/verify', 'tools/verifiers.ts'],
  },
  console: { produces: 'index.html', sources: [...SITE_PACKAGES, 'apps/console', 'docs/runbook.md'] },
};

/** @typedef {keyof typeof TARGETS} Target */
/** @type {readonly Target[]} */
export const TARGET_NAMES = ['server', 'desktop', 'mobile', 'console'];

const STAMP = '.fingerprint';
const SHARED = ['package-lock.json', 'tsconfig.json', 'tools/vite-shared.ts', 'tools/build.mjs'];
const NOT_BUILT = /(^|\/)(node_modules|dist|testing)(\/|$)|\.test\.tsx?$/;

/** Returns the path of the folder with a target's build. @param {string} root @param {Target} target */
export function distOf(root, target) {
  return join(root, 'apps', target, 'dist');
}

/**
 * Returns the path of the file with the fingerprint of the sources of a target's last build.
 * @param {string} root @param {Target} target
 */
export function stampOf(root, target) {
  return join(distOf(root, target), STAMP);
}

/**
 * @param {string} root
 * @returns {Target[]} the targets that were never built or whose sources have changed since their last build
 */
export function staleTargets(root) {
  return TARGET_NAMES.filter((target) => {
    const isBuilt = existsSync(join(distOf(root, target), TARGETS[target].produces));
    const stamp = stampOf(root, target);
    return (
      !isBuilt || !existsSync(stamp) || readFileSync(stamp, 'utf8').trim() !== fingerprintOf(root, target)
    );
  });
}

/**
 * Returns a hash of the names and contents of a target's sources. Modification times are not used, because a copy of a
 * built checkout has new times but must not be built again. The copy may be on a read-only disk.
 * @param {string} root @param {Target} target @returns {string}
 */
export function fingerprintOf(root, target) {
  const hash = createHash('sha256');
  const paths = [...TARGETS[target].sources, `apps/${target}/vite.config.ts`, ...SHARED];
  for (const path of [...new Set(paths.flatMap((start) => filesAt(root, start)))].toSorted()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} root @param {string} path of a file or folder
 * @returns {string[]} the files there that are part of a build; empty if there are none
 */
function filesAt(root, path) {
  if (NOT_BUILT.test(path) || !existsSync(join(root, path))) return [];
  try {
    return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? filesAt(root, `${path}/${entry.name}`)
        : NOT_BUILT.test(entry.name)
          ? []
          : [`${path}/${entry.name}`],
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return [path];
    throw error;
  }
}
