import { describeOperation, ROLES, type Role, type RowsDescription } from '../operation.ts';
import {
  amountIn,
  COUNT,
  EVENT_TIME,
  FIGURE,
  FLAG,
  ID,
  INSTANT,
  labelled,
  optional,
  ORDINAL,
  status,
  TERM,
  TEXT,
} from './columns.ts';
import { HOUSE_ACCOUNTS } from './funding.ts';
import { PAUSE_COLUMNS, PAUSE_FIELDS } from './pauses.ts';

const READERS: readonly Role[] = ['finance', 'approver', 'product', 'auditor'];
const ASSETS = '/ops/assets';

export const houseAccounts = describeOperation({
  method: 'GET',
  path: HOUSE_ACCOUNTS,
  name: 'Accounts',
  summary:
    'Every account of the house with its coin and what it is for. Accounts are funded by the forms beside.',
  roles: READERS,
  rows: {
    in: 'accounts',
    key: ['account', 'asset'],
    title: ['account', 'asset'],
    columns: {
      account: TERM,
      asset: TEXT,
      balance: amountIn('asset'),
      purpose: TEXT,
    },
  },
});

export const houseCoins = describeOperation({
  method: 'GET',
  path: '/ops/house/coins',
  name: 'Coins',
  summary:
    'Per coin what users are owed, what the house owns, market makers included, and what lies outside. What users are owed is what the other two lack; the daily proof adds up every account.',
  roles: READERS,
  rows: {
    in: 'coins',
    key: ['asset'],
    title: ['asset'],
    columns: {
      asset: TEXT,
      users: amountIn('asset'),
      house: amountIn('asset'),
      outside: amountIn('asset'),
    },
  },
});

export const houseChecks = describeOperation({
  method: 'GET',
  path: '/ops/house/checks',
  name: 'Checks',
  summary: 'What the last reconciliation looked at and found.',
  roles: READERS,
  rows: {
    in: 'checks',
    key: ['checkedAt'],
    columns: {
      checkedAt: optional(INSTANT),
      cleanAt: optional(INSTANT),
      entries: optional(COUNT),
      problems: optional(COUNT),
      first: optional(TEXT),
      failure: optional(TEXT),
    },
  },
});

export const houseEntries = describeOperation({
  method: 'GET',
  path: `${HOUSE_ACCOUNTS}/:account/:asset`,
  name: 'Show last entries',
  summary:
    'The last 20 movements on an account of the house, as far as they lie among the newest 20 000 entries.',
  roles: READERS,
  concerns: [HOUSE_ACCOUNTS],
  rows: {
    in: 'entries',
    key: ['entry'],
    columns: {
      at: EVENT_TIME,
      kind: TERM,
      amount: FIGURE,
      entry: ORDINAL,
      reference: optional(ID),
    },
  },
});

export const haltedAssets = describeOperation({
  method: 'GET',
  path: ASSETS,
  name: 'Assets',
  summary: 'Assets that are halted, and why.',
  roles: ROLES,
  rows: {
    in: 'halted',
    key: ['asset'],
    title: ['asset'],
    empty: 'No asset is halted.',
    columns: {
      asset: TEXT,
      by: TEXT,
      reason: TEXT,
      since: optional(INSTANT),
      ...PAUSE_COLUMNS,
    },
  },
});

export const haltChanges = describeOperation({
  method: 'GET',
  path: '/ops/assets/changes',
  name: 'Changes',
  summary: 'Halts and lifted halts, newest first.',
  roles: ROLES,
  rows: {
    in: 'changes',
    key: ['sequence'],
    title: ['asset'],
    shown: ['at', 'asset', 'isHalted', 'by', 'reason'],
    columns: {
      sequence: ORDINAL,
      asset: TEXT,
      isHalted: FLAG,
      by: TEXT,
      reason: TEXT,
      at: EVENT_TIME,
    },
  },
});

export const haltAsset = describeOperation({
  method: 'POST',
  path: `${ASSETS}/:asset/halt`,
  name: 'Halt',
  summary:
    'Halts an asset: nothing of it moves until the halt is lifted. Users read the public reason at once. On a halted asset it changes what they read.',
  roles: ['finance', 'approver'],
  creates: { name: 'Halt an asset' },
  emphasis: 'danger',
  isPreviewed: true,
  fields: PAUSE_FIELDS,
});

export const liftHalt = describeOperation({
  method: 'POST',
  path: `${ASSETS}/:asset/lift`,
  name: 'Lift',
  summary: 'Lifts the halt of an asset.',
  roles: ['finance', 'approver'],
  concerns: [ASSETS],
  evidence: {
    facts: {
      asset: TEXT,
      haltedBy: TEXT,
      haltReason: TEXT,
      haltedAt: optional(INSTANT),
    },
  },
});

/** Descriptions of the tables in the health report, by the name of the component that reports them. */
export const HEALTH_TABLES: ReadonlyMap<string, RowsDescription> = new Map([
  [
    'coverage',
    {
      in: 'rows',
      key: ['asset'],
      columns: {
        asset: TEXT,
        state: status({ covered: 'good', 'not known': 'waits', short: 'bad' }),
        coveragePercent: labelled('Coverage %', FIGURE),
        owedToUsers: FIGURE,
        held: FIGURE,
        difference: FIGURE,
        ownedByHouse: optional(FIGURE),
        note: optional(TEXT),
      },
    },
  ],
]);
