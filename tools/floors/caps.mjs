/**
 * Finds hidden limits in the queries of modules. If the limit of a query is a number or a constant, the remaining rows
 * are hidden. A query that only reads the first rows of a list must return `BoundedRows` (with the information whether
 * there are more rows), return a page of rows, or read page after page to the end.
 *
 * @typedef {import('../source/tree.mjs').SourceFile} SourceFile
 * @typedef {import('../source/tree.mjs').Violation} Violation
 */

const MODULES = /^apps\/server\/src\/modules\/(?!.*(?:\.test\.ts$|\/testing\/))/;
const RULE = 'caps-are-visible';
const WHY =
  'a fixed limit hides the remaining rows of a list: return BoundedRows, or read page after page to the end';

/**
 * Limits that every query may use: `1` for a single row, and `PAGED_ROWS_MAX`, the maximum number of rows that a paged
 * list counts.
 */
const ALLOWED = new Set(['1', 'PAGED_ROWS_MAX']);
/**
 * Fixed limits that a query may use, each with its file. The value says why there cannot be more rows, or how the
 * remaining rows are read.
 */
const KNOWN = new Map([
  ['portfolio/costs.ts MOVEMENTS_MOST', 'the next transaction continues after the last entry that was read'],
  ['board/repository.ts ENTRIES_MAX', 'the command refuses further entries'],
  ['chains/evm-channel.ts SPENT_FEES_MOST', 'the next scan stores the remaining fees'],
  ['chains/utxo-planner.ts BATCH_INPUTS_MAX', 'a transaction spends no more; the largest outputs come first'],
  ['convert/repository.ts STALE_AT_ONCE', 'the job repeats the query until fewer rows are left'],
  [
    'spot/pair-trades-repository.ts SUMMED_TRADES_MAX',
    'the answer names the part of the range that was read, and the next request continues there',
  ],
  [
    'identity/code-repository.ts MOST_A_DAY',
    'a day has at most this many codes; the oldest determines when the next is sent',
  ],
  ['identity/desk.ts SHARED_MAX', 'the list says that it shows the latest 50 of each kind'],
  ['identity/desk-repository.ts OWN_SESSIONS_MAX', 'the list says that it compares the newest sign-ins'],
  ['identity/desk-repository.ts SHARED_SESSIONS_MAX', 'the list says that it compares the newest sign-ins'],
  ['kyc/service.ts SAME_NUMBERS_MAX', 'the list says that it shows the latest 50 of each kind'],
  ['kyc/repository.ts NEAR_MOST', 'the evidence shows only the newest near matches of each key'],
  ['messages/demo-repository.ts ROWS_MOST', 'demo only: the messages that were just created'],
  [
    'seconds/proofs.ts CHECKPOINTS_MOST',
    'the endpoint documents the limit and continues from a given second',
  ],
  ['market/book-record-repository.ts REMOVED_MAX', 'the next run removes the rest'],
  ['support/service.ts THREAD_MAX', 'the service refuses further messages before'],
  ['push/repository.ts PUSH_DEVICES_MAX', 'a user has no more devices'],
  ['watchlist/alert-mail-repository.ts ALERT_MAILS', 'the email states the number of further alerts'],
  ['watchlist/alert-mail-repository.ts USERS_AT_ONCE', 'the next run reads the remaining users'],
  ['ledger/movements-repository.ts TAIL_MAX', 'the projection reads the rest with its next page'],
  ['ledger/events-repository.ts TAIL_MAX', 'the projection reads the rest with its next page'],
  ['proofs/repository.ts KEPT_SNAPSHOTS', 'older snapshots are deleted'],
  ['status/service.ts INCIDENTS_SHOWN', 'the page shows the newest incidents; the console lists more'],
  ['status/service.ts REPORTS_SHOWN', 'an incident has few reports; the oldest of a long one are left out'],
  ['status/service.ts DAYS_SHOWN', 'older days are deleted'],
  ['withdrawals/addresses-repository.ts MOST_READ', 'the command refuses further addresses'],
]);

const LIMIT = /(?:\blimit |\.limit\()(?:\$\{)?([A-Z][A-Z_]+|\d[\d_]*)\b/g;
/**
 * Matches a constant limit in a call that also passes a database connection or transaction and therefore reads rows,
 * such as `read(this.parts.database.reader, GONE_MOST)`.
 */
const HANDED =
  /\b(\w+)\(\s*(?:[\w.]+\.)?(?:reader|store|lagging|tx|replica)\b[^()]*?\b([A-Z][A-Z_]*_(?:MOST|MAX|SHOWN))\b/g;
/**
 * Matches a constant limit that is the only argument of a method call, such as `pause.openPayments(RESTORED_MAX)`,
 * because such a method passes the limit to a query. Calls of `isMore` and `isLess` compare amounts and do not match.
 * Calls of `limit` do not match, because `LIMIT` matches them.
 */
const HANDED_ALONE = /\.(?!limit\b|isMore\b|isLess\b)(\w+)\(\s*([A-Z][A-Z_]*_(?:MOST|MAX|SHOWN))\s*\)/g;
const BOUNDED = /function (\w+)\([^)]*\)(?:: Promise<)?[^{]*\bBoundedRows</g;
const READERS = new Set(['readBounded', 'readBoundedText']);

/**
 * Returns a violation for each fixed limit by which a query of a server module hides rows.
 * @param {readonly SourceFile[]} sources @returns {Violation[]}
 */
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
  const handed = [...text.matchAll(HANDED), ...text.matchAll(HANDED_ALONE)].filter(
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
