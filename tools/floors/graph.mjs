import { targetOf } from './imports.mjs';
import { layerOf } from './layers.mjs';

/**
 * @typedef {import('../source/tree.mjs').SourceFile} SourceFile
 * @typedef {import('../source/tree.mjs').Violation} Violation
 */

const ENTRY =
  /^(?:packages\/mcp\/src\/main\.ts|apps\/(server\/src\/((main|commands\/[^/]+)\.ts|platform\/children\/[^/]+\.mjs)|[^/]+\/src\/(main\.tsx|service-worker\.ts)))$/;

/**
 * Returns violations for import cycles. Every file on a cycle is part of at least one violation. Imports of types count
 * too, dynamic imports do not. @param {readonly SourceFile[]} sources
 * @returns {Violation[]}
 */
export function cycleViolations(sources) {
  const graph = graphOf(sources, (kind) => kind !== 'dynamic');
  return cyclesOf(graph).map((cycle) => ({
    file: cycle[0],
    line: 1,
    rule: 'cycle',
    why: `imports itself through ${[...cycle.slice(1), cycle[0]].join(' → ')}`,
  }));
}

/**
 * Returns a violation for each file that no process, page, test or tool imports, neither directly nor through other
 * files. @param {readonly SourceFile[]} sources @returns {Violation[]}
 */
export function orphanViolations(sources) {
  const graph = graphOf(sources, () => true);
  const entries = sources.map(({ path }) => path).filter((path) => isEntry(path));
  const reached = new Set(entries);
  const queue = [...entries];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const next of graph.get(path) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      queue.push(next);
    }
  }
  return sources
    .filter(({ path }) => !reached.has(path))
    .map(({ path }) => ({ file: path, line: 1, rule: 'orphan', why: 'no entry reaches this file' }));
}

/** Returns whether a file is used even if no file imports it. @param {string} path */
function isEntry(path) {
  return ENTRY.test(path) || layerOf(path)?.name === 'free';
}

/**
 * Returns, for each file, the files that it imports by imports of the kinds for which `counts` returns true.
 * @param {readonly SourceFile[]} sources @param {(kind: string) => boolean} counts
 */
function graphOf(sources, counts) {
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, imports }) => {
      const targets = imports
        .filter(({ kind }) => counts(kind))
        .map(({ specifier }) => targetOf(path, specifier));
      return [path, [...new Set(targets)].filter((target) => target !== null && paths.has(target))];
    }),
  );
}

/**
 * Returns cycles such that every file on a cycle is part of at least one of them. Each cycle is a shortest cycle
 * through its first file.
 * @param {ReadonlyMap<string, readonly string[]>} graph @returns {string[][]}
 */
function cyclesOf(graph) {
  const visited = new Set();
  const cycles = [];
  for (const start of graph.keys()) {
    if (visited.has(start)) continue;
    const cycle = shortestCycleThrough(graph, start);
    if (!cycle) continue;
    for (const path of cycle) visited.add(path);
    cycles.push(cycle);
  }
  return cycles;
}

/**
 * @param {ReadonlyMap<string, readonly string[]>} graph @param {string} start
 * @returns {string[] | null} the files of a shortest import cycle through `start`; null if there is none
 */
function shortestCycleThrough(graph, start) {
  /** @type {Map<string, string>} each visited file with the file whose import led to it */
  const importers = new Map();
  const queue = [start];
  for (let at = 0; at < queue.length; at += 1) {
    for (const next of graph.get(queue[at]) ?? []) {
      if (next === start) return pathBack(importers, start, queue[at]);
      if (importers.has(next)) continue;
      importers.set(next, queue[at]);
      queue.push(next);
    }
  }
  return null;
}

/**
 * Returns the files on the path from `start` to `last`, both included. `importers` contains for each file on the path,
 * except `start`, the file before it, which imports it.
 * @param {ReadonlyMap<string, string>} importers @param {string} start @param {string} last @returns {string[]}
 */
function pathBack(importers, start, last) {
  const cycle = [];
  for (let path = last; path !== start; path = importers.get(path) ?? start) cycle.unshift(path);
  return [start, ...cycle];
}
