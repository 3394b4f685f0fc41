import { targetOf } from './imports.mjs';
import { roomOf } from './rooms.mjs';

/**
 * @typedef {import('../source/tree.mjs').SourceFile} SourceFile
 * @typedef {import('../source/tree.mjs').Violation} Violation
 */

const ENTRY =
  /^apps\/(server\/src\/((main|commands\/[^/]+)\.ts|platform\/children\/[^/]+\.mjs)|[^/]+\/src\/(main\.tsx|service-worker\.ts))$/;

/** Import cycles, one violation for each. Types count: two files that need each other are one file. @param {readonly SourceFile[]} sources @returns {Violation[]} */
export function cycleViolations(sources) {
  const graph = graphOf(sources, (kind) => kind !== 'dynamic');
  return ringsOf(graph).map((ring) => ({
    file: ring[0],
    line: 1,
    rule: 'cycle',
    why: `imports itself through ${[...ring.slice(1), ring[0]].join(' → ')}`,
  }));
}

/** Sources that no process, page, test or tool reaches. @param {readonly SourceFile[]} sources @returns {Violation[]} */
export function orphanViolations(sources) {
  const graph = graphOf(sources, () => true);
  const entries = sources.map(({ path }) => path).filter((path) => isEntry(path));
  const reached = new Set(entries);
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const next of graph.get(path) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(next);
    }
  }
  return sources
    .filter(({ path }) => !reached.has(path))
    .map(({ path }) => ({ file: path, line: 1, rule: 'orphan', why: 'no entry reaches this file' }));
}

/** @param {string} path */
function isEntry(path) {
  return ENTRY.test(path) || roomOf(path)?.name === 'free';
}

/** @param {readonly SourceFile[]} sources @param {(kind: string) => boolean} counts */
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
 * A shortest ring through each file that is on one and on none found before, so every knot is named at least once.
 * @param {ReadonlyMap<string, readonly string[]>} graph @returns {string[][]}
 */
function ringsOf(graph) {
  const named = new Set();
  const rings = [];
  for (const start of graph.keys()) {
    if (named.has(start)) continue;
    const ring = ringThrough(graph, start);
    if (!ring) continue;
    for (const path of ring) named.add(path);
    rings.push(ring);
  }
  return rings;
}

/** @param {ReadonlyMap<string, readonly string[]>} graph @param {string} start @returns {string[] | null} */
function ringThrough(graph, start) {
  /** @type {Map<string, string>} */
  const cameFrom = new Map();
  const waiting = [start];
  for (let at = 0; at < waiting.length; at += 1) {
    for (const next of graph.get(waiting[at]) ?? []) {
      if (next === start) return wayBack(cameFrom, start, waiting[at]);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, waiting[at]);
      waiting.push(next);
    }
  }
  return null;
}

/** @param {ReadonlyMap<string, string>} cameFrom @param {string} start @param {string} last */
function wayBack(cameFrom, start, last) {
  const way = [];
  for (let path = last; path !== start; path = cameFrom.get(path) ?? start) way.unshift(path);
  return [start, ...way];
}
