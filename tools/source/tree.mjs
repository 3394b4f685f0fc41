import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from './imports.mjs';
import { tokensOf } from './tokens.mjs';

/**
 * @typedef {{ path: string, text: string, tokens: import('./tokens.mjs').Token[], imports: import('./imports.mjs').Import[] }} SourceFile
 *   `path` is relative to the repository's root, with forward slashes.
 * @typedef {{ file: string, line: number, rule: string, why: string }} Violation
 */

const WORKSPACE_FOLDERS = ['packages', 'apps', 'e2e', 'bench', 'tools'];
const IGNORED = new Set(['node_modules', 'dist', 'data', 'coverage', 'shots', 'results']);
const CODE = /\.(ts|tsx|mts|mjs)$/;
const DECLARATION = /\.d\.m?ts$/;

/**
 * Returns all files in `folders`, by default in those of the workspaces, as sorted paths relative to `root`.
 * Files in folders named in `IGNORED`, such as `node_modules` and `dist`, are left out.
 * @param {string} root @returns {string[]}
 */
export function filesUnder(root, folders = WORKSPACE_FOLDERS) {
  return folders.flatMap((folder) => walk(root, folder)).toSorted();
}

/**
 * Returns every TypeScript and JavaScript source of the workspaces, without declaration files, with its
 * tokens and imports. @param {string} root @returns {SourceFile[]}
 */
export function sourcesUnder(root) {
  return filesUnder(root)
    .filter((path) => CODE.test(path) && !DECLARATION.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const tokens = tokensOf(text);
      return { path, text, tokens, imports: importsOf(tokens) };
    });
}

/**
 * Returns the paths, relative to `root`, of all files in a folder and its subfolders, except the ignored subfolders.
 * @param {string} root @param {string} folder @returns {string[]}
 */
function walk(root, folder) {
  return entriesOf(join(root, folder)).flatMap((entry) => {
    if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : walk(root, `${folder}/${entry.name}`);
    return entry.isFile() ? [`${folder}/${entry.name}`] : [];
  });
}

/** Returns the entries of a folder, or an empty list if the folder does not exist. @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
