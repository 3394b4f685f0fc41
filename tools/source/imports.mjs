import { isMark, isWord } from './tokens.mjs';

/**
 * The import statements and calls of a file.
 *
 * @typedef {import('./tokens.mjs').Token} Token
 * @typedef {{ specifier: string, line: number, kind: 'value' | 'type' | 'dynamic' | 'address' }} Import
 *   `type` if only types are imported, `dynamic` for `import()` and `require()`, `address` for `new URL('…',
 *   import.meta.url)`.
 */

/** @param {readonly Token[]} tokens @returns {Import[]} */
export function importsOf(tokens) {
  /** @type {Import[]} */
  const imports = [];
  tokens.forEach((token, at) => {
    if (token.kind !== 'word' || isMark(tokens[at - 1], '.')) return;
    const read = READERS[token.value];
    const hit = read && Object.hasOwn(READERS, token.value) ? read(tokens, at) : null;
    if (hit) imports.push(hit);
  });
  return imports;
}

/** @type {Record<string, (tokens: readonly Token[], at: number) => Import | null>} */
const READERS = { import: readImport, export: readExport, require: readCall, URL: readAddress };

/**
 * Reads an import of any form, static or dynamic, where `at` is the index of `import`. Returns null for
 * `import.meta`.
 * @param {readonly Token[]} tokens @param {number} at
 */
function readImport(tokens, at) {
  const next = tokens[at + 1];
  if (!next) return null;
  if (next.kind === 'text') return { specifier: next.value, line: next.line, kind: 'value' };
  if (isMark(next, '(')) return readCall(tokens, at);
  if (isMark(next, '.')) return null;
  return readClause(tokens, at + 1);
}

/**
 * Reads `export … from 'x'`, where `at` is the index of `export`. Returns null for any other export.
 * @param {readonly Token[]} tokens @param {number} at
 */
function readExport(tokens, at) {
  const first = isWord(tokens[at + 1], 'type') ? at + 2 : at + 1;
  if (!isMark(tokens[first], '{') && !isMark(tokens[first], '*')) return null;
  return readClause(tokens, at + 1);
}

/**
 * Reads `… from 'x'`. Returns null for an `export { … }` without `from`.
 * @param {readonly Token[]} tokens @param {number} start
 */
function readClause(tokens, start) {
  let at = start;
  while (at < tokens.length && isPartOfClause(tokens, at)) at += 1;
  if (!isWord(tokens[at], 'from') || tokens[at + 1]?.kind !== 'text') return null;
  const { value, line } = tokens[at + 1];
  return { specifier: value, line, kind: isTypeOnly(tokens.slice(start, at)) ? 'type' : 'value' };
}

/**
 * Returns whether the token at `at` can stand between `import` or `export` and the word `from` before the
 * specifier.
 * @param {readonly Token[]} tokens @param {number} at
 */
function isPartOfClause(tokens, at) {
  const token = tokens[at];
  if (token.kind === 'mark') return '{},*'.includes(token.value);
  // `from` can also be the name of an import, as in `import { from } from 'rxjs'`.
  return token.kind === 'word' && !(token.value === 'from' && tokens[at + 1]?.kind === 'text');
}

/** Returns whether the clause of an import or export only contains types. @param {readonly Token[]} clause */
function isTypeOnly(clause) {
  if (isWord(clause[0], 'type') && clause.length > 1 && !isMark(clause[1], ',')) return true;
  if (!isMark(clause[0], '{') || clause.length <= 2) return false;
  const names = clause.slice(1, -1);
  return names.every((token, at) => {
    const startsName = at === 0 || isMark(names[at - 1], ',');
    return !startsName || isWord(token, 'type');
  });
}

/**
 * Reads a call with a text as its first argument, such as `import('x')`; `at` is the index of the function's
 * name.
 * @param {readonly Token[]} tokens @param {number} at @returns {Import | null} null for any other call
 */
function readCall(tokens, at) {
  const argument = tokens[at + 2];
  if (!isMark(tokens[at + 1], '(') || argument?.kind !== 'text') return null;
  return { specifier: argument.value, line: argument.line, kind: 'dynamic' };
}

/**
 * Reads `new URL('…', import.meta.url)`, where `at` is the index of `URL`. @param {readonly Token[]} tokens
 * @param {number} at @returns {Import | null} null for any other call
 */
function readAddress(tokens, at) {
  const call = readCall(tokens, at);
  const besideThisFile = tokens.slice(at + 3, at + 9).map((token) => token.value);
  return call && besideThisFile.join('').startsWith(',import.meta.url') ? { ...call, kind: 'address' } : null;
}
