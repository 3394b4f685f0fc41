/**
 * `npm run check:floors` checks the imports and the banned words of every source file, according to the layer of the
 * file. It also finds import cycles, unused files, unsafe look-ups and hidden limits of queries. The table of layers is
 * in `floors/layers.mjs`.
 */
import { capViolations } from './floors/caps.mjs';
import { cycleViolations, orphanViolations } from './floors/graph.mjs';
import { importViolations } from './floors/imports.mjs';
import { lookupViolations } from './floors/lookups.mjs';
import { wordViolations } from './floors/words.mjs';
import { isStartedAs, report, repositoryRoot } from './source/report.mjs';
import { filesUnder, sourcesUnder } from './source/tree.mjs';

/**
 * @param {string} root a repository's folder
 * @returns {import('./source/tree.mjs').Violation[]} sorted by file and line
 */
export function floorViolations(root) {
  const files = new Set(filesUnder(root));
  const sources = sourcesUnder(root);
  return [
    ...importViolations(sources, files),
    ...cycleViolations(sources),
    ...orphanViolations(sources),
    ...wordViolations(sources),
    ...lookupViolations(sources),
    ...capViolations(sources),
  ].toSorted((first, second) => first.file.localeCompare(second.file) || first.line - second.line);
}

if (isStartedAs(import.meta.url)) report('floors', floorViolations(repositoryRoot));
