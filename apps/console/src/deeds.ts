import { Decimal } from '@exchange/core/decimal.ts';
import { isMoment, type Operation, partsOf, textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { headingOf } from './words.ts';

/** What buttons call an operation, where the end of its path is not enough. */
const NAMES: Readonly<Record<string, string>> = {
  '/ops/audit/check': 'Check the log',
  '/ops/board/announcements/:code': 'Publish an announcement',
  '/ops/board/banners/:code': 'Publish a banner',
  '/ops/board/withdraw/:code': 'Take down',
  '/ops/convert/inventory/:asset': 'Fund the inventory',
  '/ops/deposits/reported/:id/picture': 'Show the proof',
  '/ops/finance/interest/:asset': 'Fund interest',
  '/ops/finance/products/:code': 'Publish a product',
  '/ops/fund/accounts/:asset': 'Fund profits or insurance',
  '/ops/fund/funds/:code': 'Publish a fund',
  '/ops/fund/funds/:code/close': 'Close a fund',
  '/ops/house/accounts/:account/:asset': 'Show last entries',
  '/ops/kyc/submissions/:id': 'Show documents',
  '/ops/mining/income/:asset': 'Fund mining income',
  '/ops/mining/products/:code': 'Publish a product',
  '/ops/operators/:name/invite': 'Invite or reset',
  '/ops/operators/:name/roles': 'Change roles',
  '/ops/operators/recovery-codes': 'Renew my recovery codes',
  '/ops/pairs/:symbol/status': 'Change status',
  '/ops/seconds/reserve/:asset': 'Fund the reserve',
  '/ops/seconds/stop': 'Stop new positions',
  '/ops/seconds/terms': 'Set terms',
  '/ops/seconds/voids/:symbol': 'Declare an interval void',
  '/ops/subscription/cancel/:code': 'End a sale',
  '/ops/subscription/projects/:code': 'Publish a project',
  '/ops/users/:user/hold': 'Hold withdrawals',
  '/ops/users/:user/message': 'Write a message',
  '/ops/users/:user/purchases': 'Permit or stop purchases',
  '/ops/withdrawals/:id/approve': 'Approve (up to 10 000 USDT)',
  '/ops/withdrawals/:id/approve-large': 'Approve (above 10 000 USDT)',
};

/** An operation in two or three words: by the end of its path, `/ops/kyc/submissions/:id/reject` is `Reject`. */
export function deedName({ path }: Pick<Operation, 'path'>): string {
  const last = path.split('/').findLast((part) => !part.startsWith(':')) ?? '';
  return NAMES[path] ?? headingOf(last.replaceAll('-', ' '));
}

const ID = 'id';

/** Whether an operation is about one row by its id: without such a row there is nothing to do. */
export function needsRow({ path }: Pick<Operation, 'path'>): boolean {
  return partsOf(path).includes(ID);
}

const TITLES = ['email', 'code', 'symbol', 'name', 'topic', 'country', 'summary'];
const AMOUNTS = [
  ['amount', 'asset'],
  ['balance', 'asset'],
] as const;

/** A row in a few words, so that a form says what it is about: `UID 67487979 · GB`, `150 USDT · TRC20`. */
export function subjectOf(row: Row): string {
  const has = (name: string) => ['string', 'number'].includes(typeof row[name]) && textOf(row[name]) !== '';
  const words = [
    ...(has('uid') ? [`UID ${textOf(row['uid'])}`] : []),
    ...TITLES.filter(has).map((name) => textOf(row[name])),
    ...AMOUNTS.filter(([amount, asset]) => has(amount) && has(asset)).map(
      ([amount, asset]) => `${textOf(row[amount])} ${textOf(row[asset])}`,
    ),
    ...(has('network') ? [textOf(row['network'])] : []),
  ];
  if (words.length > 0) return words.join(' · ');
  return has(ID) ? textOf(row[ID]) : '';
}

/** Whether a row of a queue still waits: some queues show what was decided behind them, or is under way. */
export function waits({ state, status }: Row): boolean {
  return (state === undefined || state === 'open' || state === 'running') && status !== UNDER_WAY;
}

const UNDER_WAY = 'processing';
/** From this value on, in USDT, a withdrawal takes two persons. */
const LARGE = Decimal.parse('10000');

/** Whether an operation can be about a row: what is under way is decided, and each withdrawal has one way out. */
export function isAbout({ path }: Pick<Operation, 'path'>, row: Row): boolean {
  if (!path.startsWith('/ops/withdrawals/:id/')) return true;
  const value = Decimal.tryParse(textOf(row['valueUsdt']));
  const isLarge = value !== undefined && value.isMore(LARGE);
  if (path.endsWith('/approve')) return waits(row) && !isLarge;
  if (path.endsWith('/approve-large')) return waits(row) && isLarge;
  return waits(row);
}

const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

/** How long the oldest of some rows has waited: `25 min`, `3 h 5 min`, `2 d 4 h`; empty where none tells. */
export function waitedFor(rows: readonly Row[], now: number): string {
  const since = rows.flatMap((row) =>
    ['submittedAt', 'createdAt'].flatMap((name) => (isMoment(name, row[name]) ? [row[name] as number] : [])),
  );
  if (since.length === 0) return '';
  const minutes = Math.max(0, Math.floor((now - Math.min(...since)) / MINUTE_MS));
  if (minutes < HOUR_MIN) return `${minutes} min`;
  if (minutes < DAY_MIN) return `${Math.floor(minutes / HOUR_MIN)} h ${minutes % HOUR_MIN} min`;
  return `${Math.floor(minutes / DAY_MIN)} d ${Math.floor((minutes % DAY_MIN) / HOUR_MIN)} h`;
}
