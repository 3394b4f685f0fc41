import { Decimal } from '@exchange/core/decimal.ts';
import { type Operation, partsOf, textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { startOf } from './form-values.ts';
import { withPairNames } from './pair-names.ts';
import { grouped, inShort, objectIn } from './texts.ts';
import { areaName, headingOf, WORDS } from './words.ts';

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
  '/ops/withdrawals/:id/approve': 'Approve',
  '/ops/support/requests/:id/close': 'Close without an answer',
  '/ops/users/:user/end-sessions': 'Sign out everywhere',
  '/ops/users/:user/sessions/:session/end': 'Sign out this device',
  '/ops/sources/:source/off': 'Switch off',
  '/ops/sources/:source/on': 'Switch on',
  '/ops/withdrawals/:id/approve-large': 'Approve with a second person',
};

/** An operation in two or three words: by the end of its path, `/ops/kyc/submissions/:id/reject` is `Reject`. */
export function deedName({ path }: Pick<Operation, 'path'>): string {
  const last = path.split('/').findLast((part) => !part.startsWith(':')) ?? '';
  return NAMES[path] ?? headingOf(last.replaceAll('-', ' '));
}

/** The same where it makes something that is not there yet: `Publish a product` is `New product`. */
export function newName(operation: Pick<Operation, 'path'>): string {
  const name = deedName(operation);
  if (operation.path.endsWith('/halt')) return WORDS.haltNew;
  return /^Publish an? /.test(name) ? name.replace(/^Publish an? /, 'New ') : WORDS.inviteNew;
}

const ID = 'id';

/** Whether an operation is about one row by its id: without such a row there is nothing to do. */
export function needsRow({ path }: Pick<Operation, 'path'>): boolean {
  return partsOf(path).includes(ID);
}

const TITLES = ['email', 'code', 'symbol', 'name', 'source', 'account', 'topic', 'country', 'summary'];
const AMOUNTS = [
  ['amount', 'asset'],
  ['balance', 'asset'],
] as const;

/** A row in a few words, so that a form says what it is about: `UID 67487979 · GB`, `150 USDT · TRC20`. */
export function subjectOf(row: Row): string {
  const action = textOf(row['operation'] ?? row['action']);
  if (action !== '') {
    const about = objectIn(row['parameters']) ?? {};
    return [actionName(action), ...(Object.keys(about).length === 0 ? [] : [inShort(about)])].join(' · ');
  }
  const has = (name: string) => ['string', 'number'].includes(typeof row[name]) && textOf(row[name]) !== '';
  const words = [
    ...(has('uid') ? [`UID ${textOf(row['uid'])}`] : []),
    ...TITLES.filter(has).map((name) =>
      name === 'account' ? headingOf(textOf(row[name])) : withPairNames(textOf(row[name])),
    ),
    ...AMOUNTS.filter(([amount, asset]) => has(amount) && has(asset))
      .slice(0, 1)
      .map(([amount, asset]) => `${grouped(textOf(row[amount]))} ${textOf(row[asset])}`),
    ...(has('network') ? [textOf(row['network'])] : []),
  ];
  if (has('account') && has('asset') && !has('amount')) return `${words[0]} · ${textOf(row['asset'])}`;
  if (words.length > 0) return words.join(' · ');
  if (has('asset')) return textOf(row['asset']);
  return has(ID) ? textOf(row[ID]) : '';
}

/** Whether a row of a queue still waits: some queues show what was decided behind them, or is under way. */
export function waits({ state, status }: Row): boolean {
  return (state === undefined || state === 'open' || state === 'running') && status !== UNDER_WAY;
}

const UNDER_WAY = 'processing';
/** From this value on, in USDT, a withdrawal takes two persons. */
const LARGE = Decimal.parse('10000');

/** What a row has to be like for an operation to change anything of it. */
const FITS: Readonly<Record<string, (row: Row) => boolean>> = {
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

/** Whether it depends on the row whether there is anything to do. */
export function needsAnother(path: string): boolean {
  return FITS[path] !== undefined;
}

/**
 * Whether an operation can be about a row: what is under way is decided, each withdrawal has one way out, and terms are
 * changed from a row that holds all of them.
 */
export function isAbout(operation: Operation, row: Row): boolean {
  const { path, fields, isVersioned } = operation;
  if (isVersioned)
    return (
      !isKept(row) &&
      Object.entries(fields).every(
        ([name, { isOptional }]) => isOptional === true || startOf(row, name) !== '',
      )
    );
  if (FITS[path] !== undefined) return FITS[path](row);
  if (!path.startsWith('/ops/withdrawals/:id/')) return true;
  const takesTwo = row['needsSecondPerson'] === true || isLarge(row);
  if (path.endsWith('/approve')) return waits(row) && !takesTwo;
  if (path.endsWith('/approve-large')) return waits(row) && takesTwo;
  return waits(row);
}

/** Whether a withdrawal takes two persons by itself, whatever was approved before. */
function isLarge({ valueUsdt }: Row): boolean {
  return Decimal.tryParse(textOf(valueUsdt))?.isMore(LARGE) === true;
}

/** Why a withdrawal takes two persons, in words. */
function personsFlag(row: Row): readonly string[] {
  if (isLarge(row)) return [WORDS.flags.large];
  if (row['needsSecondPerson'] !== true) return [];
  return [`${WORDS.flags.largeDay} ${grouped(textOf(row['approvedByOneUsdt']))} USDT`];
}

/** Whether a row is a version with who made it, which may not be what is published now. */
function isKept({ by, version }: Row): boolean {
  return by !== undefined && version !== undefined;
}

/** How weighty a deed's button looks: what lets something through, and what refuses or restricts. */
export function weightOf({ path }: Pick<Operation, 'path'>): 'main' | 'danger' | '' {
  const last = path.split('/').at(-1) ?? '';
  if (['approve', 'approve-large', 'credit', 'answer'].includes(last)) return 'main';
  return ['reject', 'disable', 'freeze', 'halt', 'close', 'off', 'stop'].includes(last) ? 'danger' : '';
}

/** The key that opens a deed's form. */
export function keyOf({ path }: Pick<Operation, 'path'>): string | undefined {
  const last = path.split('/').at(-1) ?? '';
  return Object.entries(DEED_KEYS).find(([, deeds]) => deeds.includes(last))?.[0];
}

const DEED_KEYS: Readonly<Record<string, readonly string[]>> = {
  a: ['approve', 'approve-large', 'credit', 'answer'],
  r: ['reject'],
};

/** An operation as the log and proposals name it, in words: `POST /ops/kyc/submissions/:id/reject` is `Identity: Reject`. */
export function actionName(action: string): string {
  const [method = '', path = ''] = action.split(' ');
  if (!path.startsWith('/ops/')) return headingOf(action);
  const area = path.split('/')[2] ?? '';
  const name = deedName({ path });
  const of = areaName(area);
  if (name.toLowerCase() === area) return of;
  return `${of}: ${method === 'GET' ? name.toLowerCase() : name}`;
}

/** What of a row has to be looked at twice. */
export function flagsOf(row: Row, now: number): readonly string[] {
  const count = (name: string) => Number(row[name] ?? 0);
  const promisedAt = count('promisedAt');
  return [
    ...(row['documentTaken'] === true ? [WORDS.flags.documentTaken] : []),
    ...(count('sameDocument') > 0 ? [WORDS.flags.sameDocument] : []),
    ...(count('similarDocuments') > count('sameDocument') ? [WORDS.flags.similarDocuments] : []),
    ...(row['sameSide'] === true ? [WORDS.flags.sameSide] : []),
    ...(count('earlier') > 0 ? [WORDS.flags.earlier] : []),
    ...personsFlag(row),
    ...(promisedAt > 0 && promisedAt < now && row['txid'] === undefined ? [WORDS.flags.late] : []),
  ];
}
