import { createHash } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import type { Operator } from '../../platform/console/operation.ts';
import { inLane } from '../../platform/database/lanes.ts';
import { holdingsOf } from '../ledger/index.ts';
import type { CustomerParts } from './parts.ts';
import { timelinePage, timelineSources, type TimelineRow } from './timeline.ts';

/**
 * Number of rows in one part of a case file. The file is read and sent part by part, so it is never completely in
 * memory. For a part of the timeline, up to one row more than this is read of each kind of records.
 */
const PAGE = 200;
/**
 * Greatest number of rows in the timeline of a case file, and in its ledger table. The file states after each table
 * that was cut off that there are more rows.
 */
const ROWS_MAX = 10_000;
const IDENTITY = ['none', 'in review', 'verified', 'rejected'] as const;

/** The account that a case file documents. */
interface CaseAccount {
  readonly id: UserId;
  readonly uid: string;
  readonly email: string;
  readonly nameMasked: string;
  readonly documentMasked: string;
  readonly createdAt: number;
  readonly kycStatus: number;
  readonly frozen: boolean;
}

interface CaseQuery {
  readonly kind: string | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly operator: Operator;
}

/**
 * Yields the case file of a user, a printable HTML page, in parts: the account, its balances, the timeline of the
 * period, and the ledger entries of the period with their hashes in the ledger's chain. The timeline contains only
 * records that the operator's roles permit to open and, if `query.kind` is set, only those of this kind. The last line
 * is a comment with the SHA-256 of everything before it, and with a signature of the user's UID and that hash, which
 * can be verified with the keys at `/proof/keys`.
 */
export async function* caseFileParts(
  parts: CustomerParts,
  account: CaseAccount,
  query: CaseQuery,
): AsyncGenerator<string, void> {
  const digest = createHash('sha256');
  for await (const part of pageParts(parts, account, query)) {
    digest.update(part);
    yield part;
  }
  const sha256 = digest.digest('hex');
  const { key, signature } = parts.signingKey.sign(`case file|${account.uid}|${sha256}`);
  yield `<!-- case file|${account.uid}|${sha256} key=${key} ed25519=${signature} -->\n`;
}

async function* pageParts(
  parts: CustomerParts,
  account: CaseAccount,
  query: CaseQuery,
): AsyncGenerator<string, void> {
  const now = parts.clock.now();
  yield headOf(account, query, now);
  const holdings = await inLane('operators', () => holdingsOf(parts.database.reader, account.id));
  yield tableStart('Balances', ['Account', 'Coin', 'Available', 'Frozen', 'Locked']);
  for (const { product, asset, available, frozen, locked } of holdings)
    yield rowOf([product, asset, available.toString(), frozen.toString(), locked.toString()]);
  yield '</table>';
  yield tableStart('Timeline', ['Time (UTC)', 'Kind', 'What', 'Amount', 'Status', 'Record', 'Details']);
  yield* timelineRows(parts, account.id, query, now);
  yield '</table>';
  yield tableStart('Ledger', [
    'Time (UTC)',
    'Entry',
    'Kind',
    'Bucket',
    'Amount',
    'Balance after',
    'Hash of the entry',
  ]);
  yield* ledgerRows(parts, account.id, query);
  yield '</table></body></html>\n';
}

async function* timelineRows(
  parts: CustomerParts,
  owner: UserId,
  { operator, ...query }: CaseQuery,
  now: number,
): AsyncGenerator<string, void> {
  const sources = timelineSources(parts.records, operator);
  let before: string | undefined;
  for (let count = 0; count < ROWS_MAX; count += PAGE) {
    const range = { ...query, before, limit: PAGE };
    const { rows, next } = await inLane('operators', () => timelinePage(sources, owner, range, now));
    yield rows.map(timelineRow).join('');
    before = next;
    if (next === undefined) return;
  }
  yield rowOf([`More than ${ROWS_MAX} records: choose a shorter period.`]);
}

function timelineRow({ at, kind, event, amount, asset, status, id, detail }: TimelineRow): string {
  const values = Object.entries(detail).flatMap(([name, value]) =>
    value === '' ? [] : [`${name}: ${value}`],
  );
  const worth = amount === undefined ? '' : `${amount} ${asset ?? ''}`;
  return rowOf([timeOf(at), kind, event, worth, status ?? '', id, values.join('; ')]);
}

async function* ledgerRows(
  { movements }: CustomerParts,
  owner: UserId,
  { from, to }: CaseQuery,
): AsyncGenerator<string, void> {
  let before: string | undefined;
  for (let count = 0; count < ROWS_MAX; count += PAGE) {
    const page = { before, limit: PAGE };
    const rows = await inLane('operators', () => movements.before(owner, { from, to }, page));
    const entries = [...new Set(rows.map(({ id }) => entryOf(id)))];
    const hashes = await inLane('operators', () => movements.hashesOf(entries));
    yield rows
      .map(({ id, at, kind, bucket, asset, amount, balance }) => {
        const entry = entryOf(id);
        const hash = hashes.get(entry) ?? '';
        return rowOf([
          timeOf(at),
          String(entry),
          kind,
          bucket,
          `${amount.toString()} ${asset}`,
          balance.toString(),
          hash,
        ]);
      })
      .join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    before = last.id;
  }
  const [further] = await inLane('operators', () =>
    movements.before(owner, { from, to }, { before, limit: 1 }),
  );
  if (further !== undefined)
    yield rowOf([`More than ${ROWS_MAX} movements of the ledger: choose a shorter period.`]);
}

/** Sequence number of the ledger entry that contains a movement; the movement's id starts with this number. */
function entryOf(id: string): number {
  return Number(id.split('-')[0]);
}

function headOf(account: CaseAccount, { from, to, kind, operator }: CaseQuery, now: number): string {
  const facts = [
    ['UID', account.uid],
    ['Account', account.id],
    ['Mail address', account.email],
    ['Name', account.nameMasked],
    ['Document', account.documentMasked],
    ['Identity', IDENTITY[account.kycStatus] ?? ''],
    ['Registered', timeOf(account.createdAt)],
    ['Frozen', account.frozen ? 'yes' : 'no'],
    [
      'Period',
      `${from === undefined ? 'from the beginning' : timeOf(from)} to ${timeOf(Math.min(to ?? now, now))}`,
    ],
    ['Records', kind ?? 'all kinds'],
    ['Made by', `${operator.name}, ${timeOf(now)}`],
  ] as const;
  const title = `Case file of UID ${account.uid}`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>`,
    `<h1>${escapeHtml(title)}</h1><dl>`,
    ...facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`),
    '</dl>',
  ].join('\n');
}

const STYLE =
  'body{font:12px/1.4 system-ui,sans-serif;margin:24px;color:#111}h1{font-size:18px}h2{font-size:14px;margin-top:24px}' +
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px}dt{color:#555}dd{margin:0}' +
  'table{border-collapse:collapse;width:100%}th,td{border:1px solid #bbb;padding:3px 6px;text-align:left;vertical-align:top;' +
  'overflow-wrap:anywhere}thead{display:table-header-group}tr{break-inside:avoid}@page{size:A4 landscape;margin:12mm}';

function tableStart(title: string, columns: readonly string[]): string {
  const heads = columns.map((column) => `<th>${escapeHtml(column)}</th>`).join('');
  return `\n<h2>${escapeHtml(title)}</h2><table><thead><tr>${heads}</tr></thead>\n`;
}

function rowOf(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>\n`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES.get(character)!);
}
