import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Notice of a package that is delivered with the server
 * @property {string} name
 * @property {string} version
 * @property {string} license as its author names it
 * @property {string} text of the license file; empty where the package has none
 */

/** @typedef {{ name?: string, version?: string, license?: string | { type?: string }, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Manifest */

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * The packages that a workspace runs with, however far down, by name and version. Our own are left out; a package for
 * another platform is not installed, and so not delivered.
 * @param {string} workspace its folder
 * @returns {Notice[]}
 */
export function noticesOf(workspace) {
  /** @type {Map<string, Notice>} */
  const found = new Map();
  /** @param {string} folder */
  const visit = (folder) => {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const installed = folderOf(name, folder);
      if (installed === undefined) continue;
      const { version = '', license } = manifestOf(installed);
      const key = `${name}@${version}`;
      if (found.has(key)) continue;
      if (name.startsWith('@exchange/')) {
        visit(installed);
        continue;
      }
      const named = typeof license === 'object' ? license.type : license;
      found.set(key, { name, version, license: named ?? '', text: licenseText(installed) });
      visit(installed);
    }
  };
  visit(workspace);
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, notice]) => notice);
}

/**
 * The notices as a page, in the form that the apps have theirs.
 * @param {readonly Notice[]} notices
 */
export function noticesPage(notices) {
  const parts = notices.map(
    ({ name, version, license, text }) => `## ${name} - ${version} (${license})\n\n${text.trim()}\n`,
  );
  return `# Licenses\n\nThe server runs with packages which have the following licenses:\n\n${parts.join('\n')}`;
}

/**
 * Where a package is found from a folder, as the runtime looks for it.
 * @param {string} name
 * @param {string} from
 * @returns {string | undefined}
 */
function folderOf(name, from) {
  const candidate = join(from, 'node_modules', name);
  if (existsSync(join(candidate, 'package.json'))) return candidate;
  const parent = dirname(from);
  return parent === from ? undefined : folderOf(name, parent);
}

/**
 * @param {string} folder
 * @returns {Manifest}
 */
function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** @param {string} folder */
function licenseText(folder) {
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  return files
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n\n');
}
