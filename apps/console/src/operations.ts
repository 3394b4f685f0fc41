import { Decimal } from '@exchange/core/decimal.ts';
import { type Operation, pathParametersOf, formatValue, type Row } from '@exchange/web-kit/console/calls.ts';
import { startOf } from './form-values.ts';
import { withPairNames } from './pair-names.ts';
import { formatNumber, summarize, parseObject } from './texts.ts';
import { areaName, headingOf, WORDS } from './words.ts';

/** Labels of operations whose path does not end in a suitable word. */
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
  '/ops/kyc/submissions/:id/similar': 'Show similar documents',
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
  '/ops/withdrawals/resume': 'Resume sending',
  '/ops/withdrawals/restored': 'Restored payments',
  '/ops/withdrawals/restored/:id/settle': 'Settle a restored payment',
  '/ops/withdrawals/:id/approve': 'Approve',
  '/ops/support/requests/:id/close': 'Close without an answer',
  '/ops/users/:user/end-sessions': 'Sign out everywhere',
  '/ops/users/:user/sessions/:session/end': 'Sign out this device',
  '/ops/sources/:source/off': 'Switch off',
  '/ops/sources/:source/on': 'Switch on',
  '/ops/withdrawals/:id/approve-large': 'Approve with a second person',
};

/**
 * A short name of an operation from the end of its path: `/ops/kyc/submissions/:id/reject` becomes `Reject`.
 */
export function operationName({ path }: Pick<Operation, 'path'>): string {
  const lastSegment = path.split('/').findLast((part) => !part.startsWith(':')) ?? '';
  return NAMES[path] ?? headingOf(lastSegment.replaceAll('-', ' '));
}

/** The name of an operation that creates a record: `Publish a product` becomes `New product`. */
export function creationName(operation: Pick<Operation, 'path'>): string {
  const name = operationName(operation);
  if (operation.path.endsWith('/halt')) return WORDS.haltNew;
  return /^Publish an? /.test(name) ? name.replace(/^Publish an? /, 'New ') : WORDS.inviteNew;
}

const ID = 'id';

/** True when the operation needs a row's id. */
export function needsRow({ path }: Pick<Operation, 'path'>): boolean {
  return pathParametersOf(path).includes(ID);
}

const TITLES = ['email', 'code', 'symbol', 'name', 'source', 'account', 'topic', 'country', 'summary'];
const AMOUNTS = [
  ['amount', 'asset'],
  ['balance', 'asset'],
] as const;

/**
 * A short description of a row for the heading of a form, for example `UID 67487979 · GB` or `150 USDT ·
 * TRC20`.
 */
export function subjectOf(row: Row): string {
  const action = formatValue(row['operation'] ?? row['action']);
  if (action !== '') {
    const parameters = parseObject(row['parameters']) ?? {};
    return [
      actionName(action),
      ...(Object.keys(parameters).length === 0 ? [] : [summarize(parameters)]),
    ].join(' · ');
  }
  const has = (name: string) =>
    ['string', 'number'].includes(typeof row[name]) && formatValue(row[name]) !== '';
  const words = [
    ...(has('uid') ? [`UID ${formatValue(row['uid'])}`] : []),
    ...TITLES.filter(has).map((name) =>
      name === 'account' ? headingOf(formatValue(row[name])) : withPairNames(formatValue(row[name])),
    ),
    ...AMOUNTS.filter(([amount, asset]) => has(amount) && has(asset))
      .slice(0, 1)
      .map(([amount, asset]) => `${formatNumber(formatValue(row[amount]))} ${formatValue(row[asset])}`),
    ...(has('network') ? [formatValue(row['network'])] : []),
  ];
  if (has('account') && has('asset') && !has('amount')) return `${words[0]} · ${formatValue(row['asset'])}`;
  if (words.length > 0) return words.join(' · ');
  if (has('asset')) return formatValue(row['asset']);
  return has(ID) ? formatValue(row[ID]) : '';
}

/**
 * True when a queue's row is still pending; some queues also contain rows that are decided or being
 * processed.
 */
export function isPending({ state, status }: Row): boolean {
  return (state === undefined || state === 'open' || state === 'running') && status !== UNDER_WAY;
}

const UNDER_WAY = 'processing';
/** Withdrawals of at least this value in USDT require two operators. */
const LARGE_WITHDRAWAL = Decimal.parse('10000');

/** Predicates that tell whether an operation would change a row. */
const APPLICABLE: Readonly<Record<string, (row: Row) => boolean>> = {
  '/ops/assets/:asset/halt': () => false,
  '/ops/assets/:asset/lift': ({ asset }) => asset !== undefined,
  '/ops/board/withdraw/:code': ({ isWithdrawn }) => isWithdrawn === false,
  '/ops/operators/:name/disable': ({ isDisabled }) => isDisabled === false,
  '/ops/operators/:name/enable': ({ isDisabled }) => isDisabled === true,
  '/ops/proposals/:id/approve': ({ state }) => state === 'open',
  '/ops/proposals/:id/reject': ({ state }) => state === 'open',
  '/ops/sources/:source/off': ({ state }) => state === 'on',
  '/ops/sources/:source/on': ({ state }) => state === 'off',
  '/ops/users/:user/freeze': ({ isFrozen }) => isFrozen === false,
  '/ops/users/:user/unfreeze': ({ isFrozen }) => isFrozen === true,
};

/** True when the operation applies only to certain rows. */
export function dependsOnRow(path: string): boolean {
  return APPLICABLE[path] !== undefined;
}

/**
 * True when the operation applies to the row: rows being processed cannot be decided, each withdrawal has a
 * single kind of approval, and terms can be changed only from a row that contains all of them.
 */
export function appliesTo(operation: Operation, row: Row): boolean {
  const { path, fields, isVersioned } = operation;
  if (isVersioned)
    return (
      !isStoredVersion(row) &&
      Object.entries(fields).every(
        ([name, { isOptional }]) => isOptional === true || startOf(row, name) !== '',
      )
    );
  if (APPLICABLE[path] !== undefined) return APPLICABLE[path](row);
  if (!path.startsWith('/ops/withdrawals/:id/')) return true;
  const takesTwo = row['needsSecondPerson'] === true || isLarge(row);
  if (path.endsWith('/approve')) return isPending(row) && !takesTwo;
  if (path.endsWith('/approve-large')) return isPending(row) && takesTwo;
  return isPending(row);
}

/** True when a withdrawal's value alone requires two operators. */
function isLarge({ valueUsdt }: Row): boolean {
  return Decimal.tryParse(formatValue(valueUsdt))?.isMore(LARGE_WITHDRAWAL) === true;
}

/** The reason why a withdrawal requires two operators. */
function twoOperatorsFlag(row: Row): readonly string[] {
  if (isLarge(row)) return [WORDS.flags.large];
  if (row['needsSecondPerson'] !== true) return [];
  return [`${WORDS.flags.largeDay} ${formatNumber(formatValue(row['approvedByOneUsdt']))} USDT`];
}

/** True when the row is a stored version with its author, which need not be the published version. */
function isStoredVersion({ by, version }: Row): boolean {
  return by !== undefined && version !== undefined;
}

/** Emphasis of an action's button: `main` for approvals, `danger` for refusals and restrictions. */
export function emphasisOf({ path }: Pick<Operation, 'path'>): 'main' | 'danger' | '' {
  const lastSegment = path.split('/').at(-1) ?? '';
  if (['approve', 'approve-large', 'credit', 'answer'].includes(lastSegment)) return 'main';
  return ['reject', 'disable', 'freeze', 'halt', 'close', 'off', 'stop'].includes(lastSegment)
    ? 'danger'
    : '';
}

/** The keyboard shortcut that opens an action's form. */
export function keyOf({ path }: Pick<Operation, 'path'>): string | undefined {
  const lastSegment = path.split('/').at(-1) ?? '';
  return Object.entries(DEED_KEYS).find(([, deeds]) => deeds.includes(lastSegment))?.[0];
}

const DEED_KEYS: Readonly<Record<string, readonly string[]>> = {
  a: ['approve', 'approve-large', 'credit', 'answer'],
  r: ['reject'],
};

/**
 * A readable name of an operation in the log and in proposals: `POST /ops/kyc/submissions/:id/reject` becomes
 * `Identity: Reject`.
 */
export function actionName(action: string): string {
  const [method = '', path = ''] = action.split(' ');
  if (!path.startsWith('/ops/')) return headingOf(action);
  const area = path.split('/')[2] ?? '';
  const name = operationName({ path });
  const areaTitle = areaName(area);
  if (name.toLowerCase() === area) return areaTitle;
  return `${areaTitle}: ${method === 'GET' ? name.toLowerCase() : name}`;
}

/** Warnings about a row that need attention. */
export function flagsOf(row: Row, now: number): readonly string[] {
  const count = (name: string) => Number(row[name] ?? 0);
  const promisedAt = count('promisedAt');
  return [
    ...(row['documentTaken'] === true ? [WORDS.flags.documentTaken] : []),
    ...(count('sameDocument') > 0 ? [WORDS.flags.sameDocument] : []),
    ...(count('similarDocuments') > count('sameDocument') ? [WORDS.flags.similarDocuments] : []),
    ...(row['sameSide'] === true ? [WORDS.flags.sameSide] : []),
    ...(count('earlier') > 0 ? [WORDS.flags.earlier] : []),
    ...twoOperatorsFlag(row),
    ...(promisedAt > 0 && promisedAt < now && row['txid'] === undefined ? [WORDS.flags.late] : []),
  ];
}
