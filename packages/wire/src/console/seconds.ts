import { describeOperation, ROLES, type OperationField } from '../operation.ts';
import {
  amountIn,
  COUNT,
  EVENT_TIME,
  FIGURE,
  FLAG,
  ID,
  INSTANT,
  optional,
  ORDINAL,
  PAIRS,
  RATE,
  TEXT,
  versionRows,
} from './columns.ts';
import { PAUSE_COLUMNS, PAUSE_FIELDS } from './pauses.ts';
import { FUNDED_ACCOUNT, FUNDING_FIELDS, HOUSE_ACCOUNTS } from './funding.ts';

const TERMS = '/ops/seconds/terms';
const TERMS_COLUMNS = {
  isOpen: FLAG,
  symbols: PAIRS,
  durations: { kind: 'durations' },
  feeRate: RATE,
  maxStake: FIGURE,
  blockedCountries: TEXT,
  openCountries: TEXT,
} as const;
const TERMS_FIELDS = {
  open: {
    label: 'Open for new positions',
    kind: 'switch',
    isOptional: true,
    startsFrom: 'isOpen',
  },
  symbols: { label: 'Pairs, parted by spaces', kind: 'text', isWide: true },
  durations: {
    label: 'Durations',
    kind: 'durations',
    isWide: true,
  },
  feeRate: { label: 'Fee rate', kind: 'percent' },
  maxStake: { label: 'Maximum of one position', kind: 'decimal' },
  blockedCountries: { label: 'Closed in these countries', kind: 'text', isOptional: true },
  openCountries: { label: 'Live mode: open in these countries alone', kind: 'text', isOptional: true },
} as const satisfies Readonly<Record<string, OperationField>>;

export const terms = describeOperation({
  method: 'GET',
  path: TERMS,
  name: 'Terms',
  summary: 'The terms of new positions, as they are published.',
  roles: ROLES,
  rows: {
    in: 'terms',
    key: ['version'],
    shown: ['isOpen', 'feeRate', 'maxStake', 'durations', 'version'],
    columns: {
      ...TERMS_COLUMNS,
      version: ORDINAL,
      at: EVENT_TIME,
      ...PAUSE_COLUMNS,
    },
  },
});

export const termsVersions = describeOperation({
  method: 'GET',
  path: `${TERMS}/versions`,
  name: 'Versions',
  summary: 'The published versions of the terms, newest first.',
  roles: ROLES,
  concerns: [TERMS],
  versionsOf: TERMS,
  fields: TERMS_FIELDS,
  rows: versionRows(TERMS_COLUMNS),
});

export const durations = describeOperation({
  method: 'GET',
  path: '/ops/seconds/durations',
  name: 'Durations',
  summary: 'The durations of the seconds contract, and what came of the positions of each.',
  roles: ROLES,
  rows: {
    in: 'durations',
    key: ['second'],
    columns: {
      second: COUNT,
      rate: RATE,
      minimum: FIGURE,
      feeRate: RATE,
      maxStake: FIGURE,
      wins: COUNT,
      losses: COUNT,
      draws: COUNT,
      voids: COUNT,
      isOpen: FLAG,
      version: ORDINAL,
    },
  },
});

export const reserve = describeOperation({
  method: 'GET',
  path: '/ops/seconds/reserve',
  name: 'Reserve',
  summary: 'The reserve that profits are paid from, and what open positions need of it at worst.',
  roles: ROLES,
  rows: {
    in: 'reserve',
    key: ['asset'],
    title: ['asset'],
    columns: {
      asset: TEXT,
      used: amountIn('asset'),
      funded: amountIn('asset'),
    },
  },
});

export const voids = describeOperation({
  method: 'GET',
  path: '/ops/seconds/voids',
  name: 'Voids',
  summary: 'Declared intervals with the positions that they gave back.',
  roles: ROLES,
  rows: {
    in: 'voids',
    key: ['id'],
    title: ['symbol'],
    empty: 'No interval was declared void.',
    columns: {
      symbol: PAIRS,
      from: INSTANT,
      to: INSTANT,
      reason: TEXT,
      count: COUNT,
      houseGain: FIGURE,
      refundedCount: COUNT,
      refunded: FIGURE,
      at: EVENT_TIME,
      id: ID,
    },
  },
});

export const setTerms = describeOperation({
  method: 'POST',
  path: TERMS,
  name: 'Set terms',
  summary: 'Sets the terms of new positions; open positions keep theirs.',
  roles: ['product'],
  concerns: [TERMS],
  creates: { name: 'Set terms', isOnlyFirst: true },
  canStartLater: true,
  isPreviewed: true,
  isVersioned: true,
  fields: TERMS_FIELDS,
  evidence: {
    facts: {
      versionNow: ORDINAL,
      isOpen: FLAG,
      highestRate: RATE,
      feeRate: RATE,
      maxStake: FIGURE,
      symbols: PAIRS,
    },
    context: {
      highestRateNow: optional(RATE),
      mostOnePositionCosts: FIGURE,
    },
  },
});

export const stopPositions = describeOperation({
  method: 'POST',
  path: '/ops/seconds/stop',
  name: 'Stop new positions',
  summary:
    'Stops new positions at once; open ones settle as usual. Users read the public reason at once. While they are stopped it changes what users read.',
  roles: ['product', 'finance', 'approver'],
  emphasis: 'danger',
  isPreviewed: true,
  fields: PAUSE_FIELDS,
});

export const fundReserve = describeOperation({
  method: 'POST',
  path: '/ops/seconds/reserve/:asset',
  name: 'Fund the reserve',
  summary: 'Brings the reserve up to an amount, out of the house’s fees.',
  roles: ['finance'],
  isFunding: true,
  mayConcern: ['/ops/seconds/reserve', HOUSE_ACCOUNTS],
  fields: FUNDING_FIELDS,
  evidence: FUNDED_ACCOUNT,
});

export const declareVoid = describeOperation({
  method: 'POST',
  path: '/ops/seconds/voids/:symbol',
  name: 'Declare an interval void',
  summary:
    'Declares an interval of a pair void: open positions that touch it are returned in full, and losses in it are refunded by the house. Its reason and cost are published.',
  roles: ['product'],
  fields: {
    from: { label: 'From', kind: 'time' },
    to: { label: 'To', kind: 'time' },
  },
  evidence: {
    facts: {
      symbol: PAIRS,
      fromAt: INSTANT,
      untilAt: INSTANT,
    },
    context: {
      lossesToRefund: COUNT,
      refundCostsHouse: FIGURE,
    },
  },
});
