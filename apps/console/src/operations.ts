import {
  openWithdrawals,
  operationNamed,
  type AnsweredRow,
  type RowCondition,
  submission,
  submissions,
} from '@exchange/web-kit/console/described.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import {
  type Column,
  formatValue,
  type Operation,
  type Row,
  type RowsDescription,
} from '@exchange/web-kit/console/calls.ts';
import { columnOf } from './columns.ts';
import { formatNumber, nameInWords, parseObject, summarize } from './texts.ts';
import { withPairNames } from './pair-names.ts';
import { areaName, headingOf, WORDS } from './words.ts';

/**
 * Returns a short description of a row for headings, made of the columns that the list's description names as
 * its title; empty if it names none or they are empty. For example `UID 67487979 · GB` or `150 USDT · TRC20`.
 */
export function subjectOf({ columns, title = [] }: RowsDescription, row: Row): string {
  return title
    .filter((name) => !['', '{}'].includes(formatValue(row[name])))
    .map((name) => titleText(columnOf(columns, name), formatValue(row[name]), row))
    .join(' · ');
}

function titleText({ kind, assetIn = '' }: Column, text: string, row: Row): string {
  if (kind === 'uid') return `UID ${text}`;
  if (kind === 'amount') return `${formatNumber(text)} ${formatValue(row[assetIn])}`;
  if (kind === 'term') return nameInWords(text);
  if (kind === 'pairs') return withPairNames(text);
  if (kind === 'operation') return actionName(text);
  return kind === 'record' ? summarize(parseObject(text) ?? { text }) : text;
}

/**
 * Returns the values of the key columns of a row as one text, which distinguishes the row from all other rows
 * of the list.
 */
export function keyOfRow({ key }: RowsDescription, row: Row): string {
  return key.map((name) => formatValue(row[name])).join(' ');
}

function holds({ column, is }: RowCondition, row: Row): boolean {
  return is.includes(row[column] as string | boolean);
}

/**
 * True when a row of a queue still waits for a decision, and for every row of a list whose description has no condition
 * for that. False for rows that are already decided or being processed.
 */
export function isPending(rows: RowsDescription | undefined, row: Row): boolean {
  return rows?.pending === undefined || holds(rows.pending, row);
}

/**
 * True when the row meets all conditions under which the operation may be applied to it, e.g. a status; true for an
 * operation without conditions.
 */
export function appliesTo({ appliesWhere }: Pick<Operation, 'appliesWhere'>, row: Row): boolean {
  return appliesWhere.every((condition) => holds(condition, row));
}

/**
 * True when the operation applies to rows of the list at the path `list`, whether it always needs a selected row or
 * only may have one.
 */
export function concerns(
  { concerns: needed, mayConcern }: Pick<Operation, 'concerns' | 'mayConcern'>,
  list: string | undefined,
): boolean {
  return list !== undefined && (needed.includes(list) || mayConcern.includes(list));
}

/**
 * Returns a readable name of an operation for the log and for proposals: `POST
 * /ops/kyc/submissions/:id/reject` becomes `Identity: Reject`. An operation that only an earlier release had
 * is named by the last segment of its path. A text without a path of the console is converted to a heading.
 */
export function actionName(action: string): string {
  const [method = '', path = ''] = action.split(' ');
  if (!path.startsWith('/ops/')) return headingOf(action);
  const area = path.split('/')[2] ?? '';
  const name = operationNamed(action)?.name ?? endOfPath(path);
  const areaTitle = areaName(area);
  if (name.toLowerCase() === area) return areaTitle;
  return `${areaTitle}: ${method === 'GET' ? name.toLowerCase() : name}`;
}

function endOfPath(path: string): string {
  const lastSegment = path.split('/').findLast((part) => !part.startsWith(':')) ?? '';
  return headingOf(lastSegment.replaceAll('-', ' '));
}

/**
 * Value in USDT up to which a single operator may approve a withdrawal; a larger withdrawal needs two operators. The
 * same value limits the total that single operators may approve for an account within 24 hours.
 */
const LARGE_WITHDRAWAL = Decimal.parse('10000');

function withdrawalFlags(
  row: AnsweredRow<typeof openWithdrawals.rows.columns>,
  now: number,
): readonly string[] {
  const { valueUsdt, needsSecondPerson, approvedByOneUsdt, promisedAt, txid } = row;
  const isLarge = Decimal.tryParse(formatValue(valueUsdt))?.isMore(LARGE_WITHDRAWAL) === true;
  const isLate = typeof promisedAt === 'number' && promisedAt < now && txid === undefined;
  const largeDay = `${WORDS.flags.largeDay} ${formatNumber(formatValue(approvedByOneUsdt))} USDT`;
  return [
    ...(isLarge ? [WORDS.flags.large] : needsSecondPerson === true ? [largeDay] : []),
    ...(isLate ? [WORDS.flags.late] : []),
  ];
}

function submissionFlags(row: AnsweredRow<typeof submissions.rows.columns>): readonly string[] {
  const [same, similar, earlier] = [row.sameDocument, row.similarDocuments, row.earlier].map((count) =>
    Number(count ?? 0),
  ) as [number, number, number];
  return [
    ...(same > 0 ? [WORDS.flags.sameDocument] : []),
    ...(similar > same ? [WORDS.flags.similarDocuments] : []),
    ...(row.sameSide === true ? [WORDS.flags.sameSide] : []),
    ...(earlier > 0 ? [WORDS.flags.earlier] : []),
  ];
}

function documentFlags({ documentTaken }: AnsweredRow<typeof submission.rows.columns>): readonly string[] {
  return documentTaken === true ? [WORDS.flags.documentTaken] : [];
}

const FLAGS: ReadonlyMap<string, (row: Row, now: number) => readonly string[]> = new Map<
  string,
  (row: Row, now: number) => readonly string[]
>([
  [openWithdrawals.path, withdrawalFlags],
  [submissions.path, submissionFlags],
  [submission.path, documentFlags],
]);

/**
 * Returns warnings about unusual properties of a row in the list at `path`; empty for a list without such
 * warnings.
 */
export function flagsOf(path: string, row: Row, now: number): readonly string[] {
  return FLAGS.get(path)?.(row, now) ?? [];
}
