/**
 * Refuses hidden limits in the queries of modules. A query that reads only the first rows of a list must return
 * `BoundedRows` (which says whether there are more), return a page of rows, or read page after page to the end. A
 * number or a constant as the limit of a query hides the remaining rows from the reader.
 *
 * @typedef {import('../source/tree.mjs').SourceFile} SourceFile
 * @typedef {import('../source/tree.mjs').Violation} Violation
 */

const MODULES = /^apps\/server\/src\/modules\/(?!.*(?:\.test\.ts$|\/testing\/))/;
const RULE = 'caps-are-visible';
const WHY =
  'rows behind a fixed limit are hidden from whoever reads the list: read BoundedRows, or page behind page to the end';

/** Limits of bounded counts and of pages; `1` reads a single row. */
const ALLOWED = new Set(['1', 'PAGED_ROWS_MAX']);
/**
 * Fixed limits that are allowed, by file. The value says why no more rows can exist, or how the remaining rows are
 * read.
 */
const KNOWN = new Map([
  ['board/repository.ts ENTRIES_MAX', 'the command refuses one entry more'],
  ['convert/repository.ts STALE_AT_ONCE', 'the job calls again until fewer are left'],
  [
    'identity/code-repository.ts MOST_A_DAY',
    'a day has no more codes; the oldest decides when the next is sent',
  ],
  ['kyc/repository.ts NEAR_MOST', 'evidence: the newest near matches of each key'],
  ['messages/demo-repository.ts ROWS_MOST', 'demo: messages that were just seeded'],
  ['seconds/proofs.ts CHECKPOINTS_MOST', 'the call says so, and goes on from a second'],
  ['watchlist/alert-mail-repository.ts ALERT_MAILS', 'the email says how many more there are'],
  ['watchlist/alert-mail-repository.ts USERS_AT_ONCE', 'the next run reads those who still wait'],
  ['ledger/movements-repository.ts TAIL_MAX', 'the projection reads the rest in its next turn'],
  ['ledger/events-repository.ts TAIL_MAX', 'the projection reads the rest in its next turn'],
  ['proofs/repository.ts KEPT_SNAPSHOTS', 'older snapshots are erased'],
  ['withdrawals/addresses-repository.ts MOST_READ', 'the command refuses one address more'],
]);

const LIMIT = /(?:\blimit |\.limit\()(?:\$\{)?([A-Z][A-Z_]+|\d[\d_]*)\b/g;
/** A limit that is passed to a function that reads, such as `(this.parts.database.reader, GONE_MOST)`. */
const HANDED =
  /\b(\w+)\(\s*(?:[\w.]+\.)?(?:reader|store|lagging|tx|replica)\b[^()]*?\b([A-Z][A-Z_]*_(?:MOST|MAX|SHOWN))\b/g;
const BOUNDED = /function (\w+)\([^)]*\)(?:: Promise<)?[^{]*\bBoundedRows</g;
const READERS = new Set(['readBounded', 'readBoundedText']);

/** @param {readonly SourceFile[]} sources @returns {Violation[]} */
export function capViolations(sources) {
  const modules = sources.filter(({ path }) => MODULES.test(path));
  const bounded = new Set(READERS);
  for (const { text } of modules)
    for (const [, name] of text.matchAll(BOUNDED)) if (name !== undefined) bounded.add(name);
  return modules.flatMap((source) => violationsIn(source, bounded));
}

/** @param {SourceFile} source @param {ReadonlySet<string>} bounded @returns {Violation[]} */
function violationsIn({ path, text }, bounded) {
  const file = path.replace('apps/server/src/modules/', '');
  const hidden = [...text.matchAll(LIMIT)].filter(
    ([, limit = '']) => !ALLOWED.has(limit) && !KNOWN.has(`${file} ${limit}`),
  );
  const handed = [...text.matchAll(HANDED)].filter(
    ([, called = '', limit = '']) =>
      !bounded.has(called) && !ALLOWED.has(limit) && !KNOWN.has(`${file} ${limit}`),
  );
  return [...hidden, ...handed].map(({ index }) => ({
    file: path,
    line: text.slice(0, index).split('\n').length,
    rule: RULE,
    why: WHY,
  }));
}
