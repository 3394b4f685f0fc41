import { describeOperation, ROLES, type OperationField } from '../operation.ts';
import {
  amountIn,
  COUNT,
  FIGURE,
  FLAG,
  ID,
  INSTANT,
  labelled,
  optional,
  ORDINAL,
  PAIRS,
  RATE,
  SALE_STATUS,
  status,
  TEXT,
  textFields,
  TEXTS,
  versionRows,
  WORD,
} from './columns.ts';
import { FUNDED_ACCOUNT, FUNDING_FIELDS, HOUSE_ACCOUNTS } from './funding.ts';

/** Columns with those terms that fixed-term and mining products both have. */
const EARN_TERMS = {
  asset: TEXT,
  name: TEXTS,
  source: TEXTS,
  dailyRate: RATE,
  startAmount: amountIn('asset'),
  maxAmount: amountIn('asset'),
  capacity: amountIn('asset'),
  opensAt: INSTANT,
  closesAt: optional(INSTANT),
  agreementVersion: ORDINAL,
} as const;
/**
 * Columns that the lists of fixed-term and mining products have before the columns of the products' terms.
 */
const EARN_NAME = { code: TEXT, version: ORDINAL } as const;
const EARN_SALE = {
  status: SALE_STATUS,
  remaining: amountIn('asset'),
  isCovered: FLAG,
  id: ID,
} as const;
const EARN_EVIDENCE = {
  facts: {
    code: TEXT,
    asset: TEXT,
    versionNow: ORDINAL,
    dailyRate: RATE,
    yearlyRate: RATE,
    startAmount: amountIn('asset'),
    maxAmount: amountIn('asset'),
    capacity: amountIn('asset'),
  },
  context: {
    dailyRateNow: optional(RATE),
    capacityNow: optional(amountIn('asset')),
    housePaysDailyAtCapacity: amountIn('asset'),
  },
} as const;

const FINANCE = '/ops/finance/products';
const FINANCE_PRODUCT = `${FINANCE}/:code` as const;
const FINANCE_TERMS = {
  period: COUNT,
  isManual: FLAG,
  payMode: WORD,
  ...EARN_TERMS,
} as const;
const FINANCE_FIELDS = {
  asset: { label: 'Coin', kind: 'text' },
  ...textFields('name', 'Name', 'text'),
  ...textFields('source', 'Source of yield', 'longText'),
  period: { label: 'Term, days', kind: 'whole' },
  dailyRate: { label: 'Daily rate', kind: 'percent' },
  payMode: { label: 'Interest is paid', kind: 'choice', choices: ['maturity', 'daily'] },
  startAmount: { label: 'Minimum', kind: 'decimal' },
  maxAmount: { label: 'Maximum per person', kind: 'decimal' },
  capacity: { label: 'Capacity', kind: 'decimal' },
  manual: {
    label: 'Released by hand',
    kind: 'switch',
    isOptional: true,
    startsFrom: 'isManual',
  },
  opensAt: { label: 'On sale from', kind: 'time' },
  closesAt: { label: 'On sale until', kind: 'time', isOptional: true },
} as const satisfies Readonly<Record<string, OperationField>>;

/** The operator operations on fixed-term products. */
export const finance = {
  products: describeOperation({
    method: 'GET',
    path: FINANCE,
    name: 'Products',
    summary: 'Fixed-term products with what is left of each.',
    roles: ROLES,
    rows: {
      in: 'products',
      key: ['code'],
      title: ['code'],
      shown: ['code', 'asset', 'period', 'dailyRate', 'capacity', 'remaining', 'status', 'version'],
      columns: { ...EARN_NAME, ...FINANCE_TERMS, ...EARN_SALE },
    },
  }),
  versions: describeOperation({
    method: 'GET',
    path: `${FINANCE_PRODUCT}/versions`,
    name: 'Versions',
    summary: 'The published versions of a product’s terms, newest first.',
    roles: ROLES,
    concerns: [FINANCE],
    versionsOf: FINANCE_PRODUCT,
    fields: FINANCE_FIELDS,
    rows: versionRows({ ...FINANCE_TERMS, closedAt: optional(INSTANT) }),
  }),
  publish: describeOperation({
    method: 'POST',
    path: FINANCE_PRODUCT,
    name: 'Publish a product',
    summary: 'Publishes a fixed-term product, or the next version of its terms; running orders keep theirs.',
    roles: ['product'],
    concerns: [FINANCE],
    creates: { name: 'New product' },
    canStartLater: true,
    isVersioned: true,
    isPreviewed: true,
    fields: FINANCE_FIELDS,
    evidence: EARN_EVIDENCE,
  }),
  fund: describeOperation({
    method: 'POST',
    path: '/ops/finance/interest/:asset',
    name: 'Fund interest',
    summary: 'Brings the account that interest is paid from to an amount, out of the house’s fees.',
    roles: ['finance'],
    isFunding: true,
    mayConcern: [FINANCE, HOUSE_ACCOUNTS],
    fields: FUNDING_FIELDS,
    evidence: FUNDED_ACCOUNT,
  }),
} as const;

const MINING = '/ops/mining/products';
const MINING_PRODUCT = `${MINING}/:code` as const;
const MINING_TERMS = { cycle: COUNT, ...EARN_TERMS } as const;
const MINING_FIELDS = {
  asset: { label: 'Coin', kind: 'text' },
  ...textFields('name', 'Name', 'text'),
  ...textFields('source', 'Source of yield', 'longText'),
  cycle: { label: 'Cycle, days', kind: 'whole' },
  dailyRate: { label: 'Daily rate', kind: 'percent' },
  startAmount: { label: 'Minimum', kind: 'decimal' },
  maxAmount: { label: 'Maximum per person', kind: 'decimal' },
  capacity: { label: 'Capacity', kind: 'decimal' },
  opensAt: { label: 'On sale from', kind: 'time' },
  closesAt: { label: 'On sale until', kind: 'time', isOptional: true },
} as const satisfies Readonly<Record<string, OperationField>>;

/** The operator operations on mining products. */
export const mining = {
  products: describeOperation({
    method: 'GET',
    path: MINING,
    name: 'Products',
    summary: 'Mining products with what is left of each.',
    roles: ROLES,
    rows: {
      in: 'products',
      key: ['code'],
      title: ['code'],
      shown: ['code', 'asset', 'cycle', 'dailyRate', 'capacity', 'remaining', 'status', 'version'],
      columns: { ...EARN_NAME, ...MINING_TERMS, ...EARN_SALE },
    },
  }),
  versions: describeOperation({
    method: 'GET',
    path: `${MINING_PRODUCT}/versions`,
    name: 'Versions',
    summary: 'The published versions of a product’s terms, newest first.',
    roles: ROLES,
    concerns: [MINING],
    versionsOf: MINING_PRODUCT,
    fields: MINING_FIELDS,
    rows: versionRows({ ...MINING_TERMS, closedAt: optional(INSTANT) }),
  }),
  publish: describeOperation({
    method: 'POST',
    path: MINING_PRODUCT,
    name: 'Publish a product',
    summary: 'Publishes a mining product, or the next version of its terms; running orders keep theirs.',
    roles: ['product'],
    concerns: [MINING],
    creates: { name: 'New product' },
    canStartLater: true,
    isVersioned: true,
    isPreviewed: true,
    fields: MINING_FIELDS,
    evidence: EARN_EVIDENCE,
  }),
  fund: describeOperation({
    method: 'POST',
    path: '/ops/mining/income/:asset',
    name: 'Fund mining income',
    summary: 'Brings the account that mining income is paid from to an amount, out of the house’s fees.',
    roles: ['finance'],
    isFunding: true,
    mayConcern: [MINING, HOUSE_ACCOUNTS],
    fields: FUNDING_FIELDS,
    evidence: FUNDED_ACCOUNT,
  }),
} as const;

const FUNDS = '/ops/fund/funds';
const FUND = `${FUNDS}/:code` as const;
const FUND_TERMS = {
  asset: TEXT,
  name: TEXTS,
  divisor: FIGURE,
  minAmount: amountIn('asset'),
  step: FIGURE,
  manageRate: RATE,
  financeRate: RATE,
  mmr: labelled('MMR', RATE),
  liqFee: labelled('Liquidation fee', RATE),
  isOpen: FLAG,
  leverages: TEXT,
  constituents: PAIRS,
  document: optional(TEXTS),
} as const;
const FUND_FIELDS = {
  asset: { label: 'Currency', kind: 'text' },
  ...textFields('name', 'Name', 'text'),
  constituents: {
    label: 'Basket, e.g. BTC/USDT=0.001 ETH/USDT=0.02',
    kind: 'text',
    isWide: true,
  },
  divisor: { label: 'Divisor', kind: 'decimal' },
  leverages: { label: 'Leverages, e.g. 1 2 3', kind: 'text' },
  minAmount: { label: 'Least margin', kind: 'decimal' },
  step: { label: 'Least part of a unit', kind: 'decimal' },
  manageRate: { label: 'Management per day', kind: 'percent' },
  financeRate: { label: 'Financing per day', kind: 'percent' },
  mmr: { label: 'Maintenance margin', kind: 'percent' },
  liqFee: { label: 'Liquidation fee', kind: 'percent' },
  ...textFields('document', 'Document', 'longText'),
  open: {
    label: 'Takes purchases',
    kind: 'switch',
    isOptional: true,
    startsFrom: 'isOpen',
  },
} as const satisfies Readonly<Record<string, OperationField>>;

export const funds = describeOperation({
  method: 'GET',
  path: FUNDS,
  name: 'Funds',
  summary: 'Leveraged funds with their unit values and what the house still covers.',
  roles: ROLES,
  rows: {
    in: 'funds',
    key: ['code'],
    title: ['code'],
    shown: ['code', 'asset', 'value', 'openNotional', 'coverable', 'status', 'version'],
    columns: {
      code: TEXT,
      version: ORDINAL,
      status: SALE_STATUS,
      value: optional(amountIn('asset')),
      openNotional: amountIn('asset'),
      coverable: amountIn('asset'),
      ...FUND_TERMS,
    },
  },
});

export const fundVersions = describeOperation({
  method: 'GET',
  path: `${FUND}/versions`,
  name: 'Versions',
  summary: 'The published versions of a fund’s terms, newest first.',
  roles: ROLES,
  concerns: [FUNDS],
  versionsOf: FUND,
  fields: FUND_FIELDS,
  rows: versionRows(FUND_TERMS),
});

export const publishFund = describeOperation({
  method: 'POST',
  path: FUND,
  name: 'Publish a fund',
  summary: 'Publishes a leveraged fund, or the next version of its terms; open positions keep theirs.',
  roles: ['product'],
  concerns: [FUNDS],
  creates: { name: 'New fund' },
  canStartLater: true,
  isVersioned: true,
  isPreviewed: true,
  fields: FUND_FIELDS,
  evidence: {
    facts: {
      code: TEXT,
      asset: TEXT,
      versionNow: ORDINAL,
      leverages: TEXT,
      minAmount: amountIn('asset'),
      manageRate: RATE,
      financeRate: RATE,
      mmr: labelled('MMR', RATE),
      liqFee: labelled('Liquidation fee', RATE),
      takesPurchases: FLAG,
    },
    context: {
      openNotional: optional(amountIn('asset')),
      coverable: optional(amountIn('asset')),
      value: optional(amountIn('asset')),
    },
  },
});

export const closeFund = describeOperation({
  method: 'POST',
  path: `${FUND}/close`,
  name: 'Close a fund',
  summary: 'Closes a leveraged fund for good: every position exits at the next unit value.',
  roles: ['product'],
  concerns: [FUNDS],
  emphasis: 'danger',
  evidence: {
    facts: {
      code: TEXT,
      asset: TEXT,
      versionNow: ORDINAL,
    },
    context: {
      openNotional: amountIn('asset'),
      value: optional(amountIn('asset')),
    },
  },
});

export const fundFundAccounts = describeOperation({
  method: 'POST',
  path: '/ops/fund/accounts/:asset',
  name: 'Fund profits or insurance',
  summary: 'Brings the account that pays profits, or the insurance pool, to an amount, out of the fees.',
  roles: ['finance'],
  isFunding: true,
  mayConcern: [FUNDS, HOUSE_ACCOUNTS],
  fields: {
    account: { label: 'Account', kind: 'choice', choices: ['fund', 'insurance'] },
    amount: FUNDING_FIELDS.amount,
  },
  evidence: FUNDED_ACCOUNT,
});

const PROJECTS = '/ops/subscription/projects';
const PROJECT = `${PROJECTS}/:code` as const;
const STAGE = status({ settled: 'good', refunded: 'bad' });
const PROJECT_TERMS = {
  symbol: TEXT,
  startAt: INSTANT,
  endAt: INSTANT,
  listAt: INSTANT,
  name: TEXTS,
  about: TEXTS,
  tokenomics: TEXTS,
  whitepaper: TEXTS,
  totalSupply: FIGURE,
  ratio: FIGURE,
  issueAmount: FIGURE,
  hardCapUser: FIGURE,
  quote: TEXT,
  tokenDigits: COUNT,
  minAmount: amountIn('quote'),
  maxAmount: amountIn('quote'),
  softCap: optional(amountIn('quote')),
  lockDays: COUNT,
  linearDays: COUNT,
} as const;
const PROJECT_FIELDS = {
  symbol: { label: 'Token', kind: 'text' },
  ...textFields('name', 'Name', 'text'),
  ...textFields('about', 'About', 'longText'),
  ...textFields('tokenomics', 'Tokenomics', 'longText'),
  ...textFields('whitepaper', 'Whitepaper', 'longText'),
  totalSupply: { label: 'Total supply', kind: 'decimal' },
  issueAmount: { label: 'Offered', kind: 'decimal' },
  ratio: { label: 'Tokens per quote unit', kind: 'decimal' },
  hardCapUser: { label: 'Most tokens of one person', kind: 'decimal' },
  tokenDigits: { label: 'Decimals of the token', kind: 'whole' },
  quote: { label: 'Quote coin', kind: 'text' },
  minAmount: { label: 'Minimum commitment', kind: 'decimal' },
  maxAmount: { label: 'Maximum commitment', kind: 'decimal' },
  softCap: { label: 'Soft cap', kind: 'decimal', isOptional: true },
  startAt: { label: 'Sale from', kind: 'time' },
  endAt: { label: 'Sale until', kind: 'time' },
  listAt: { label: 'Listing', kind: 'time' },
  lockDays: { label: 'Locked, days from listing', kind: 'whole' },
  linearDays: { label: 'Released over, days', kind: 'whole' },
} as const satisfies Readonly<Record<string, OperationField>>;

export const projects = describeOperation({
  method: 'GET',
  path: PROJECTS,
  name: 'Projects',
  summary: 'Projects with what is committed to each, and how far their allocation is.',
  roles: ROLES,
  rows: {
    in: 'projects',
    key: ['code'],
    title: ['code', 'symbol'],
    shown: ['code', 'symbol', 'committed', 'participants', 'stage', 'startAt', 'version'],
    columns: {
      code: TEXT,
      version: ORDINAL,
      status: status({ open: 'good', warming: 'waits', closed: 'bad' }),
      stage: STAGE,
      committed: amountIn('quote'),
      participants: COUNT,
      sold: optional(FIGURE),
      ...PROJECT_TERMS,
    },
  },
});

export const projectVersions = describeOperation({
  method: 'GET',
  path: `${PROJECT}/versions`,
  name: 'Versions',
  summary: 'The published versions of a project’s terms, newest first.',
  roles: ROLES,
  concerns: [PROJECTS],
  versionsOf: PROJECT,
  fields: PROJECT_FIELDS,
  rows: versionRows(PROJECT_TERMS),
});

export const publishProject = describeOperation({
  method: 'POST',
  path: PROJECT,
  name: 'Publish a project',
  summary: 'Publishes a project, or the next version of its terms before its sale begins.',
  roles: ['product'],
  concerns: [PROJECTS],
  creates: { name: 'New project' },
  canStartLater: true,
  isVersioned: true,
  isPreviewed: true,
  takesDocuments: true,
  fields: PROJECT_FIELDS,
  evidence: {
    facts: {
      code: TEXT,
      symbol: TEXT,
      versionNow: ORDINAL,
      issueAmount: FIGURE,
      ratio: FIGURE,
      quote: TEXT,
      hardCapUser: FIGURE,
      startAt: INSTANT,
      endAt: INSTANT,
      listAt: INSTANT,
    },
    context: { raisesAtMost: FIGURE },
  },
});

export const cancelProject = describeOperation({
  method: 'POST',
  path: '/ops/subscription/cancel/:code',
  name: 'End a sale',
  summary: 'Ends a sale before its allocation; every commitment is refunded in full.',
  roles: ['product'],
  concerns: [PROJECTS],
  evidence: {
    facts: {
      code: TEXT,
      symbol: TEXT,
      versionNow: ORDINAL,
      stage: STAGE,
      quote: TEXT,
    },
    context: {
      committed: FIGURE,
      participants: COUNT,
      endAt: INSTANT,
    },
  },
});

export const convertInventory = describeOperation({
  method: 'GET',
  path: '/ops/convert/inventory',
  name: 'Inventory',
  summary: 'What instant exchange can hand out of each coin.',
  roles: ROLES,
  rows: {
    in: 'inventory',
    key: ['asset'],
    title: ['asset'],
    columns: { asset: TEXT, held: amountIn('asset') },
  },
});

export const fundInventory = describeOperation({
  method: 'POST',
  path: '/ops/convert/inventory/:asset',
  name: 'Fund the inventory',
  summary: 'Brings the inventory of a coin to an amount, out of the house’s fees.',
  roles: ['finance'],
  isFunding: true,
  mayConcern: ['/ops/convert/inventory', HOUSE_ACCOUNTS],
  fields: FUNDING_FIELDS,
  evidence: FUNDED_ACCOUNT,
});
