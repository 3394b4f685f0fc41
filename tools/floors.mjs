/** Checks that every file stays on its floor. Run as `npm run check:floors`; the table of rooms is floors/rooms.mjs. */
import { capViolations } from './floors/caps.mjs';
import { cycleViolations, orphanViolations } from './floors/graph.mjs';
import { importViolations } from './floors/imports.mjs';
import { lookupViolations } from './floors/lookups.mjs';
import { wordViolations } from './floors/words.mjs';
import { isStartedAs, report, repositoryRoot } from './source/report.mjs';
import { filesUnder, sourcesUnder } from './source/tree.mjs';

/** @param {string} root a repository's folder @returns {import('./source/tree.mjs').Violation[]} in the order of files and lines */
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
  ].toSorted((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
}

if (isStartedAs(import.meta.url)) report('floors', floorViolations(repositoryRoot));
