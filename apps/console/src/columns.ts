import { formatValue, type Row } from '@exchange/web-kit/console/calls.ts';

/** Column with the waiting time of a row, computed from its submission time. */
export const AGE = 'age';

/** Columns of lists whose rows have too many fields for a table; the details show all fields. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  '/ops/proposals': [AGE, 'operation', 'parameters', 'operator', 'reason', 'state'],
  '/ops/kyc/submissions': [AGE, 'uid', 'country', 'sameDocument', 'similarDocuments', 'earlier', 'sameSide'],
  '/ops/deposits/reported': [AGE, 'amount', 'network', 'remark', 'owner'],
  '/ops/deposits/gone': ['goneAt', 'amount', 'network', 'txid', 'owner'],
  '/ops/withdrawals': [AGE, 'amount', 'network', 'address', 'valueUsdt', 'status', 'owner'],
  '/ops/support/requests': [AGE, 'topic', 'email', 'content'],
  '/ops/users': ['email', 'uid', 'nickname', 'identity', 'isFrozen', 'createdAt'],
  '/ops/operators': ['name', 'email', 'roles', 'hasSignedIn', 'isDisabled'],
  '/ops/audit': ['at', 'operator', 'action', 'parameters', 'event', 'reason', 'approvedBy'],
  '/ops/users/:user/decisions': ['at', 'operator', 'action', 'event', 'reason', 'approvedBy'],
  '/ops/users/:user/balances': ['account', 'asset', 'available', 'frozen', 'locked', 'worthUsdt'],
  '/ops/users/:user/entries': ['at', 'kind', 'amount', 'balance', 'bucket'],
  '/ops/users/:user/deposits': ['createdAt', 'amount', 'network', 'status', 'txid'],
  '/ops/users/:user/withdrawals': ['createdAt', 'amount', 'network', 'address', 'valueUsdt', 'status'],
  '/ops/users/:user/messages': ['createdAt', 'title', 'summary', 'isRead'],
  '/ops/finance/products': [
    'code',
    'asset',
    'period',
    'dailyRate',
    'capacity',
    'remaining',
    'status',
    'version',
  ],
  '/ops/mining/products': [
    'code',
    'asset',
    'cycle',
    'dailyRate',
    'capacity',
    'remaining',
    'status',
    'version',
  ],
  '/ops/fund/funds': ['code', 'asset', 'value', 'openNotional', 'coverable', 'status', 'version'],
  '/ops/subscription/projects': [
    'code',
    'symbol',
    'committed',
    'participants',
    'stage',
    'startAt',
    'version',
  ],
  '/ops/seconds/terms': ['isOpen', 'feeRate', 'maxStake', 'durations', 'version'],
  '/ops/board/announcements': ['code', 'title', 'isShown', 'fromAt', 'untilAt', 'version'],
  '/ops/board/banners': ['code', 'title', 'position', 'isShown', 'fromAt', 'untilAt', 'version'],
  '/ops/board/history': ['at', 'code', 'version', 'by', 'reason', 'title'],
};

/** The columns of a list: configured ones, or all fields of its rows except ids and structured values. */
export function columnsOf(path: string, rows: readonly Row[]): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const configured = COLUMNS[path];
  if (configured !== undefined) return configured.filter((name) => name === AGE || names.includes(name));
  return names.filter((name) => name !== 'id' && name !== 'user' && rows.some((row) => isPlain(row[name])));
}

function isPlain(value: unknown): boolean {
  return value !== null && value !== undefined && (typeof value !== 'object' || isByLocale(value));
}

const ENGLISH = 'en-US';

/** True when the value is a text in several languages, by locale. */
export function isByLocale(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && ENGLISH in value;
}

/** The coin of an amount when the table has no column for it. */
export function unitOf(name: string, row: Row, columns: readonly string[]): string {
  const isAmount = ['amount', 'balance', 'fee', 'held', 'committed'].includes(name);
  return isAmount && !columns.includes('asset') ? formatValue(row['asset'] ?? row['quote']) : '';
}
