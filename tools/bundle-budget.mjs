/** Checks the size, after compression with gzip, of the scripts that the first screen of each site loads. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isStartedAs, report, repositoryRoot } from './source/report.mjs';

/**
 * @typedef {{ file: string, imports?: string[], dynamicImports?: string[], isEntry?: boolean }} Chunk
 * @typedef {{ app: string, files: { file: string, bytes: number }[], bytes: number }} FirstScreen
 * @typedef {import('./source/tree.mjs').Violation} Violation
 */

/** The maximum size of the scripts of each app's first screen, in bytes after gzip. */
export const BUDGETS_BYTES = new Map([
  ['desktop', 185_000],
  ['mobile', 192_000],
]);
/**
 * Matches dynamic imports that are not part of the first screen: other screens and their texts, other languages, the
 * texts of refusals, and components that are loaded after a click, for a notification, for a signed-in user or in a
 * desktop browser, and the start of the desktop's service worker. All other dynamic imports count as part of the first
 * screen.
 */
const LATER = [
  /\/(?!home-screen)[\w-]+-screens?\.tsx$/,
  /\/i18n\/(?!en-US\/first)[\w-]+\//,
  /\/wire\/src\/words\/[\w-]+\.ts$/,
  /\/ui\/overlay\.tsx$/,
  /\/about\/legal-(?:dialog|sheet)\.tsx$/,
  /\/shell\/(?:preferences|desktop-offer)\.tsx$/,
  /\/shell\/frame-notes\.tsx$/,
  /\/shell\/start-worker\.ts$/,
  /\/spot\/fill-news\.tsx$/,
  /\/market\/alert-news\.tsx$/,
  /\/push\/push-keeper\.tsx$/,
  /\/seconds\/seconds-results\.tsx$/,
  /\/home\/member-panel\.tsx$/,
  /\/palette\/palette\.tsx$/,
  /\/support\/chat-(?:button|popup)\.tsx$/,
];

/**
 * Returns the scripts that the first screen of a built app loads: the app's entry, all static imports, and the lazy
 * chunks that the first screen needs.
 * @param {string} root @param {string} app @returns {FirstScreen}
 */
export function firstScreenOf(root, app) {
  const dist = join(root, 'apps', app, 'dist');
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const names = new Set();
  const queue = Object.keys(manifest).filter((name) => manifest[name].isEntry);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    const { imports = [], dynamicImports = [] } = manifest[name];
    const needed = dynamicImports.filter((lazy) => !LATER.some((pattern) => pattern.test(lazy)));
    queue.push(...imports, ...needed);
  }
  const files = [...new Set([...names].map((name) => manifest[name].file))]
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({ file, bytes: gzipSync(readFileSync(join(dist, file)), { level: 9 }).length }))
    .toSorted((first, second) => second.bytes - first.bytes);
  return { app, files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/**
 * @param {string} root a repository's folder with built apps
 * @param {ReadonlyMap<string, number>} [budgets] bytes by app
 * @returns {Violation[]} one for each app that exceeds its budget, is not built or has no entry
 */
export function budgetViolations(root, budgets = BUDGETS_BYTES, print = (/** @type {string} */ _line) => {}) {
  return [...budgets].flatMap(([app, budget]) => {
    const manifest = `apps/${app}/dist/.vite/manifest.json`;
    if (!existsSync(join(root, manifest))) {
      return [{ file: manifest, line: 1, rule: 'bundle-budget', why: `${app} is not built` }];
    }
    const { files, bytes } = firstScreenOf(root, app);
    print(`${app}: first screen ${kilobytes(bytes)} of ${kilobytes(budget)} (gzip)`);
    for (const part of files) print(`  ${kilobytes(part.bytes).padStart(9)}  ${part.file}`);
    if (files.length > 0 && bytes <= budget) return [];
    const why =
      files.length === 0 ? `${app} has no entry` : `${app} needs ${kilobytes(bytes)} of script first`;
    return [{ file: manifest, line: 1, rule: 'bundle-budget', why }];
  });
}

/** Returns a size as a text in kB (1000 bytes) with one decimal. @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

if (isStartedAs(import.meta.url)) {
  report('bundle budget', budgetViolations(repositoryRoot, BUDGETS_BYTES, console.log));
}
