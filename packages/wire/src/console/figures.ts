import { describeOperation, type OperationField, type Role } from '../operation.ts';
import {
  amountIn,
  COUNT,
  FIGURE,
  ID,
  INSTANT,
  MONEY_READERS,
  optional,
  ORDINAL,
  PAIRS,
  status,
  TERM,
  TEXT,
  versionRows,
  WORD,
} from './columns.ts';

/** Maximum number of days in a list of daily figures; an exported file can contain more. */
export const FIGURE_DAYS_MAX = 92;

const READERS: readonly Role[] = [...MONEY_READERS, 'product'];
const DAYS = {
  from: { label: 'From day, UTC', kind: 'day', isOptional: true },
  to: { label: 'To day, UTC', kind: 'day', isOptional: true },
} as const satisfies Readonly<Record<string, OperationField>>;
const USDT = { kind: 'figure' } as const;

export const figureDays = describeOperation({
  method: 'GET',
  path: '/ops/figures/days',
  name: 'Days',
  summary: `Figures of the house by UTC day in USDT at each day’s closing price, newest first; 30 days, or at most ${FIGURE_DAYS_MAX}. What has no price is named and is in no sum.`,
  roles: READERS,
  fields: DAYS,
  rows: {
    in: 'days',
    key: ['day'],
    title: ['day'],
    shown: [
      'day',
      'result',
      'fees',
      'turnover',
      'deposits',
      'withdrawals',
      'newUsers',
      'capital',
      'unpriced',
    ],
    columns: {
      day: TEXT,
      result: USDT,
      fees: USDT,
      turnover: USDT,
      deposits: USDT,
      withdrawals: USDT,
      newUsers: COUNT,
      capital: USDT,
      unpriced: optional(TEXT),
    },
  },
});

export const figureProducts = describeOperation({
  method: 'GET',
  path: '/ops/figures/products',
  name: 'Products',
  summary: `Result, fees and turnover by UTC day and product in USDT, newest first; 7 days, or at most ${FIGURE_DAYS_MAX}.`,
  roles: READERS,
  fields: DAYS,
  rows: {
    in: 'products',
    key: ['day', 'product'],
    title: ['product', 'day'],
    shown: ['day', 'product', 'result', 'fees', 'turnover'],
    columns: {
      day: TEXT,
      product: TERM,
      result: USDT,
      fees: USDT,
      turnover: USDT,
    },
  },
});

export const figureMeasures = describeOperation({
  method: 'GET',
  path: '/ops/figures/now',
  name: 'Now',
  summary:
    'Risks and obligations at present against their limits, those beyond a limit first. They are read every half minute.',
  roles: READERS,
  rows: {
    in: 'measures',
    key: ['measure', 'subject'],
    title: ['title', 'subject'],
    shown: ['title', 'subject', 'value', 'unit', 'least', 'most', 'state'],
    columns: {
      measure: WORD,
      title: TEXT,
      subject: PAIRS,
      value: optional(FIGURE),
      unit: TEXT,
      least: optional(FIGURE),
      most: optional(FIGURE),
      state: status({
        'too low': 'bad',
        'too high': 'bad',
        unknown: 'waits',
        within: 'good',
      }),
      version: ORDINAL,
    },
  },
});

const LIMITS = '/ops/figures/limits/:measure/:subject';
const LIMIT_FIELDS = {
  least: { label: 'Alarm below', kind: 'decimal', isOptional: true },
  most: { label: 'Alarm above', kind: 'decimal', isOptional: true },
} as const satisfies Readonly<Record<string, OperationField>>;

export const limitVersions = describeOperation({
  method: 'GET',
  path: `${LIMITS}/versions`,
  name: 'Versions',
  summary: 'The limits of a measure that were set, newest first.',
  roles: READERS,
  concerns: [figureMeasures.path],
  versionsOf: LIMITS,
  fields: LIMIT_FIELDS,
  rows: versionRows({ least: optional(FIGURE), most: optional(FIGURE) }),
});

export const setLimit = describeOperation({
  method: 'POST',
  path: LIMITS,
  name: 'Set limits',
  summary:
    'Sets the limits of a measure, beyond which it alarms; an empty one is none. Needs a second person.',
  roles: ['finance', 'approver'],
  concerns: [figureMeasures.path],
  isVersioned: true,
  fields: LIMIT_FIELDS,
  evidence: {
    facts: {
      measure: TEXT,
      subject: PAIRS,
      leastNow: optional(FIGURE),
      mostNow: optional(FIGURE),
      leastNext: optional(FIGURE),
      mostNext: optional(FIGURE),
    },
    context: { valueNow: optional(FIGURE), unit: TEXT },
  },
});

export const dueLiabilities = describeOperation({
  method: 'GET',
  path: '/ops/figures/due',
  name: 'Due',
  summary: 'What products pay users on each of the next 30 UTC days, by coin, beside what pays it.',
  roles: READERS,
  rows: {
    in: 'due',
    key: ['day', 'asset'],
    title: ['day', 'asset'],
    columns: {
      day: TEXT,
      asset: TEXT,
      principal: amountIn('asset'),
      earnings: amountIn('asset'),
      total: amountIn('asset'),
      payable: amountIn('asset'),
    },
  },
});

export const openStakes = describeOperation({
  method: 'GET',
  path: '/ops/figures/stakes',
  name: 'Open stakes',
  summary: 'Open seconds stakes by pair and second of their end, with the worst case for the house.',
  roles: READERS,
  rows: {
    in: 'stakes',
    key: ['symbol', 'endsAt', 'asset'],
    title: ['symbol'],
    shown: ['endsAt', 'symbol', 'positions', 'upStake', 'downStake', 'worst'],
    columns: {
      symbol: PAIRS,
      endsAt: { kind: 'instant', isExact: true },
      asset: TEXT,
      positions: COUNT,
      upStake: amountIn('asset'),
      downStake: amountIn('asset'),
      worst: amountIn('asset'),
    },
    empty: 'No stakes are open.',
  },
});

export const definitions = describeOperation({
  method: 'GET',
  path: '/ops/figures/definitions',
  name: 'Definitions',
  summary: 'How each figure and measure is computed, and from what.',
  roles: READERS,
  rows: {
    in: 'definitions',
    key: ['name'],
    title: ['title'],
    shown: ['title', 'formula', 'source'],
    columns: {
      name: WORD,
      title: TEXT,
      formula: TEXT,
      source: TEXT,
    },
  },
});

export const figureFile = describeOperation({
  method: 'GET',
  path: '/ops/figures/export',
  name: 'Save as CSV',
  summary:
    'The figures of a period by day, product or network and coin, with the day’s price and the value in USDT, as a file.',
  roles: READERS,
  fields: DAYS,
  isFile: true,
});

export const recount = describeOperation({
  method: 'POST',
  path: '/ops/figures/recount',
  name: 'Count again',
  summary:
    'Adds up the figures of all days again from the ledger. Until it has caught up, past days are incomplete. Closed periods do not change.',
  roles: ['finance'],
});

const PERIODS = '/ops/figures/periods';

export const figurePeriods = describeOperation({
  method: 'GET',
  path: PERIODS,
  name: 'Periods',
  summary:
    'UTC months with their figures in USDT, newest first. A closed month is frozen and signed; what is posted later counts in the next one.',
  roles: READERS,
  rows: {
    in: 'periods',
    key: ['month'],
    title: ['month', 'state'],
    shown: [
      'month',
      'state',
      'result',
      'fees',
      'turnover',
      'deposits',
      'withdrawals',
      'newUsers',
      'closedBy',
      'closedAt',
    ],
    columns: {
      month: TEXT,
      state: status({ running: 'waits', open: 'waits', closed: 'good' }),
      result: optional(USDT),
      fees: optional(USDT),
      turnover: optional(USDT),
      deposits: optional(USDT),
      withdrawals: optional(USDT),
      capital: optional(USDT),
      newUsers: optional(COUNT),
      lastEntry: optional(ORDINAL),
      sha256: optional(ID),
      key: optional(TEXT),
      signature: optional(ID),
      closedBy: optional(TEXT),
      closedAt: optional(INSTANT),
      reason: optional(TEXT),
    },
  },
});

export const closePeriod = describeOperation({
  method: 'POST',
  path: `${PERIODS}/:month/close`,
  name: 'Close the month',
  summary:
    'Freezes the figures of a month that is over, and signs the hash of their file. Months are closed in order. Needs a second person.',
  roles: ['finance'],
  concerns: [PERIODS],
  appliesWhere: [{ column: 'state', is: ['open'] }],
  evidence: {
    facts: {
      month: TEXT,
      result: USDT,
      fees: USDT,
      turnover: USDT,
      deposits: USDT,
      withdrawals: USDT,
      capital: USDT,
      newUsers: COUNT,
    },
  },
});

export const periodFile = describeOperation({
  method: 'GET',
  path: `${PERIODS}/:month/file`,
  name: 'Save the closed month',
  summary:
    'The figures of a closed month as CSV. The last line has the SHA-256 of everything before it and its signature.',
  roles: READERS,
  concerns: [PERIODS],
  appliesWhere: [{ column: 'state', is: ['closed'] }],
  isFile: true,
  isDownload: true,
});
