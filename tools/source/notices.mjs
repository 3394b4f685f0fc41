import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} Notice a package that is shipped with the server
 * @property {string} name
 * @property {string} version
 * @property {string} license the license name in the package's manifest
 * @property {string} text the text of the license files; empty if the package has none
 */

/** @typedef {{ name?: string, version?: string, license?: string | { type?: string }, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Manifest */

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * Returns all direct and indirect dependencies of a workspace except the project's own packages, sorted by name and
 * version. Packages for other platforms are omitted, because they are not installed and therefore not shipped.
 * @param {string} workspace the folder of the workspace
 * @returns {Notice[]}
 */
export function noticesOf(workspace) {
  /** @type {Map<string, Notice>} */
  const notices = new Map();
  /** Adds the notices of all packages that the package in the folder needs. @param {string} folder */
  const visit = (folder) => {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const installed = folderOf(name, folder);
      if (installed === undefined) continue;
      const { version = '', license } = manifestOf(installed);
      const key = `${name}@${version}`;
      if (notices.has(key)) continue;
      if (name.startsWith('@exchange/')) {
        visit(installed);
        continue;
      }
      const licenseName = typeof license === 'object' ? license.type : license;
      notices.set(key, { name, version, license: licenseName ?? '', text: licenseText(installed) });
      visit(installed);
    }
  };
  visit(workspace);
  return [...notices].toSorted(([first], [second]) => (first < second ? -1 : 1)).map(([, notice]) => notice);
}

/**
 * Formats the notices as a Markdown page, in the same form as those of the apps.
 * @param {readonly Notice[]} notices
 */
export function noticesPage(notices) {
  const parts = notices.map(
    ({ name, version, license, text }) => `## ${name} - ${version} (${license})\n\n${text.trim()}\n`,
  );
  return `# Licenses\n\nThe server runs with packages which have the following licenses:\n\n${parts.join('\n')}`;
}

/**
 * Returns the folder of a package that a file in the folder `from` imports, with the search order of Node.js;
 * undefined if the package is not installed.
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

/** Returns the text of the license files in the folder; empty if there are none. @param {string} folder */
function licenseText(folder) {
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  return files
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n\n');
}
