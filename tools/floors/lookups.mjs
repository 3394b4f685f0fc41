/**
 * Finds plain objects that are used as lookup tables for keys from outside, i.e. from a request, a topic, a file or
 * another process. A plain object also has values for the names of its prototype (`__proto__`, `constructor`,
 * `toString`), so the server must use a `Map` or a `Set`.
 *
 * @typedef {import('../source/tree.mjs').SourceFile} SourceFile
 * @typedef {import('../source/tree.mjs').Violation} Violation
 */

const SERVER = /^apps\/server\/src\/(?!.*(?:\.test\.ts$|\/testing\/))/;
/** Files that are exempt from the check of look-ups. The form decoder creates its objects without a prototype. */
const WITHOUT_PROTOTYPE = new Set(['apps/server/src/platform/http/form.ts']);
const RULE = 'looked-up-in-a-map';
const WHY =
  'an object has the names of its prototype as well: what is looked up by any string is a Map or a Set';

const OPEN_RECORD = String.raw`(?:Readonly<|Partial<)*Record<string,`;
const ALIAS = new RegExp(String.raw`\btype (\w+) = ${OPEN_RECORD}`, 'g');
const CAST_NAME = /\w\[[^\]\n]*\bas keyof typeof\b/g;

/**
 * Returns a violation for each lookup in the server's code that reads a plain object by a variable key.
 * @param {readonly SourceFile[]} sources @returns {Violation[]}
 */
export function lookupViolations(sources) {
  return sources
    .filter(({ path }) => SERVER.test(path) && !WITHOUT_PROTOTYPE.has(path))
    .flatMap(violationsIn);
}

/** @param {SourceFile} source @returns {Violation[]} one for each unsafe look-up */
function violationsIn({ path, text }) {
  const matches = [...text.matchAll(CAST_NAME)];
  for (const table of openTables(text)) {
    // Matches a lookup by a variable. Lookups by fixed names or numbers and assignments do not match.
    const lookup = new RegExp(
      String.raw`${table}\[(?!['"\x60\d])(?:[^[\]\n]|\[[^\]\n]*\])+\](?!\s*(?:\?\?|\+)?=[^=>])`,
      'g',
    );
    matches.push(...text.matchAll(lookup));
  }
  return matches.map(({ index }) => ({
    file: path,
    line: text.slice(0, index).split('\n').length,
    rule: RULE,
    why: WHY,
  }));
}

/**
 * Returns regular expressions for the constants, variables and `readonly` fields whose type maps any string to a value.
 * @param {string} text @returns {Set<string>}
 */
function openTables(text) {
  const aliases = [...text.matchAll(ALIAS)].map(([, name]) => String.raw`${name}\b`);
  const types = [OPEN_RECORD, ...aliases].join('|');
  const declared = new RegExp(String.raw`\b(const|let|readonly) (\w+)\??: (?:${types})`, 'g');
  return new Set(
    [...text.matchAll(declared)].map(([, kind, name]) =>
      kind === 'readonly' ? String.raw`\.${name}` : String.raw`(?<!\.)\b${name}`,
    ),
  );
}
