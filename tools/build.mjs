/**
 * `npm run build` builds the targets whose sources changed. Targets on the command line (server, desktop, mobile,
 * console) are always built, or with `--stale` only if their sources changed. `--all` builds everything.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { compressFolder } from './bootstrap/compress.mjs';
import {
  distOf,
  fingerprintOf,
  staleTargets,
  stampOf,
  TARGET_NAMES,
  TARGETS,
} from './bootstrap/fingerprint.mjs';
import { noticesOf, noticesPage } from './source/notices.mjs';
import { repositoryRoot as root } from './source/report.mjs';

/** @typedef {import('./bootstrap/fingerprint.mjs').Target} Target */

const FILES_SHOWN = 8;

/** Builds a target, stores the fingerprint of its sources and prints its sizes. @param {Target} target */
async function buildTarget(target) {
  const startedAt = performance.now();
  const dist = distOf(root, target);
  // The fingerprint of the sources is computed before the build, so that the build counts as stale if a source is saved
  // during the build.
  const fingerprint = fingerprintOf(root, target);
  rmSync(stampOf(root, target), { force: true });
  await build({ configFile: join(root, 'apps', target, 'vite.config.ts'), logLevel: 'warn' });
  const lines = target === 'server' ? serverSizes(dist) : await browserSizes(dist);
  mkdirSync(dist, { recursive: true });
  if (target === 'server')
    writeFileSync(join(dist, 'third-party-licenses.md'), noticesPage(noticesOf(join(root, 'apps/server'))));
  writeFileSync(stampOf(root, target), `${fingerprint}\n`);
  console.log(`${target}: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  for (const line of lines) console.log(`  ${line}`);
}

/** @param {string} dist */
function serverSizes(dist) {
  const { size } = statSync(join(dist, TARGETS.server.produces));
  return [`${kilobytes(size)}  ${TARGETS.server.produces}`];
}

/**
 * Compresses the files of a browser app's build. Returns lines with the sizes of its largest scripts and
 * style sheets. @param {string} dist
 */
async function browserSizes(dist) {
  const sizes = await compressFolder(dist);
  const scriptsAndStyles = sizes.filter(({ file }) => /\.(js|css)$/.test(file));
  const shown = scriptsAndStyles
    .slice(0, FILES_SHOWN)
    .map(
      ({ file, bytes, gzipBytes, brotliBytes }) =>
        `${kilobytes(bytes)}, ${kilobytes(gzipBytes)} gzip, ${kilobytes(brotliBytes)} brotli  ${file}`,
    );
  const more = scriptsAndStyles.length - shown.length;
  return more > 0 ? [...shown, `and ${more} smaller files`] : shown;
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(9);
}

const parameters = process.argv.slice(2);
const namedTargets = TARGET_NAMES.filter((target) => parameters.includes(target));
const OPTIONS = ['--all', '--stale'];
const unknown = parameters.filter(
  (word) => !OPTIONS.includes(word) && !TARGET_NAMES.some((target) => target === word),
);
if (unknown.length > 0) {
  console.error(
    `Unknown: ${unknown.join(', ')}. The parts are ${TARGET_NAMES.join(', ')}; ${OPTIONS.join(', ')}.`,
  );
  process.exit(1);
}
const isAll = parameters.includes('--all');
const wanted = isAll || namedTargets.length === 0 ? TARGET_NAMES : namedTargets;
const isOnlyStale = parameters.includes('--stale') || (!isAll && namedTargets.length === 0);
const chosen = isOnlyStale ? staleTargets(root).filter((target) => wanted.includes(target)) : wanted;
try {
  for (const target of chosen) await buildTarget(target);
  if (chosen.length === 0) console.log('Everything is built.');
} catch (error) {
  console.error(`Building failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
