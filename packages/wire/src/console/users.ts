import { describeOperation, ROLES, type Role } from '../operation.ts';
import {
  amountIn,
  COUNT,
  emailOf,
  EVENT_TIME,
  FIGURE,
  FLAG,
  ID,
  IDENTITY,
  INSTANT,
  labelled,
  optional,
  ORDINAL,
  RECORD,
  status,
  TERM,
  TEXT,
  textFields,
  UID,
  USER,
  WORD,
} from './columns.ts';
import { AUDIT_COLUMNS } from './operators.ts';
import { WITHDRAWAL_STATUS } from './withdrawals.ts';

/** Operator roles, besides the owner role, that may view users. The audit log records every view. */
const VIEWERS: readonly Role[] = ['support', 'reviewer', 'finance', 'approver', 'auditor'];
const LIST = '/ops/users';
/** Path of the console's page about a user; the paths of all operations on a user begin with this path. */
export const USER_PAGE = '/ops/users/:user';
const SESSIONS = `${USER_PAGE}/sessions`;
const PASSKEYS = `${USER_PAGE}/passkeys`;
const API_KEYS = `${USER_PAGE}/api-keys`;

export const users = describeOperation({
  method: 'GET',
  path: LIST,
  name: 'Users',
  summary:
    'Users, the newest first; a search finds mail address, UID, nickname or ID, whole or from the beginning.',
  roles: VIEWERS,
  fields: { query: { label: 'Mail address, UID, nickname or ID', kind: 'text', isOptional: true } },
  rows: {
    in: 'users',
    key: ['user'],
    title: ['uid', 'email'],
    shown: ['email', 'uid', 'nickname', 'identity', 'isFrozen', 'createdAt'],
    columns: {
      user: USER,
      uid: UID,
      email: emailOf('user'),
      nickname: TEXT,
      isFrozen: FLAG,
      createdAt: INSTANT,
      identity: IDENTITY,
    },
  },
});

export const userProfile = describeOperation({
  method: 'GET',
  path: USER_PAGE,
  name: 'Profile',
  summary: 'Who a user is, and what they may do.',
  roles: VIEWERS,
  concerns: [LIST],
  rows: {
    in: 'profile',
    key: ['user'],
    title: ['uid', 'email'],
    columns: {
      user: USER,
      uid: UID,
      email: emailOf('user'),
      nickname: TEXT,
      locale: TEXT,
      createdAt: INSTANT,
      isFrozen: FLAG,
      mayPurchase: FLAG,
      identity: IDENTITY,
      level: ORDINAL,
      nameMasked: TEXT,
      documentMasked: TEXT,
      withdrawalsHeldUntil: optional(INSTANT),
      heldBecause: optional(TEXT),
      hasTradePassword: FLAG,
      hasAuthenticator: FLAG,
      userAgreement: TEXT,
      privacyPolicy: TEXT,
      acceptedAt: optional(INSTANT),
    },
  },
});

/** Form fields that filter a user's timeline and case file. */
const STORY_FIELDS = {
  kind: {
    label: 'Kind',
    kind: 'choice',
    // The list of choices is empty in this description. The server fills it with the kinds of records that its modules
    // can report.
    choices: [],
    isOptional: true,
  },
  from: { label: 'From day', kind: 'day', isOptional: true },
  to: { label: 'To day', kind: 'day', isOptional: true },
} as const;

export const userTimeline = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/timeline`,
  name: 'Timeline',
  summary: 'What a user did and what was decided about them, newest first; a row opens with all its values.',
  roles: VIEWERS,
  fields: { ...STORY_FIELDS, record: { label: 'Record', kind: 'text', isOptional: true } },
  rows: {
    in: 'timeline',
    key: ['kind', 'id'],
    title: ['event'],
    shown: ['at', 'event', 'amount', 'status'],
    empty: 'No records in this period.',
    columns: {
      at: EVENT_TIME,
      kind: WORD,
      event: TEXT,
      amount: optional(amountIn('asset')),
      asset: optional(TEXT),
      status: optional(WORD),
      detail: RECORD,
      id: ID,
    },
  },
});

export const userShared = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/shared`,
  name: 'Shared',
  summary:
    'Other accounts with a device, a network or a document number of this user: the latest 50 of each kind, by the newest sign-ins. A network may belong to many people.',
  roles: VIEWERS,
  rows: {
    in: 'shared',
    key: ['user', 'shares', 'detail'],
    title: ['uid'],
    shown: ['lastAt', 'uid', 'email', 'shares', 'detail'],
    empty: 'No other account shares a device, a network or a document with this one.',
    columns: {
      user: USER,
      uid: UID,
      email: emailOf('user'),
      shares: WORD,
      detail: TEXT,
      lastAt: EVENT_TIME,
    },
  },
});

export const userCaseFile = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/case-file`,
  name: 'Case file',
  summary:
    'Account, balances, timeline and ledger entries with their hashes as a signed page to print, for the period and kind of the timeline.',
  roles: VIEWERS,
  fields: STORY_FIELDS,
  isFile: true,
});

export const noteUser = describeOperation({
  method: 'POST',
  path: `${USER_PAGE}/note`,
  name: 'Add a note',
  summary: 'Writes a note for other operators on the timeline of a user; the user never sees it.',
  roles: ['support', 'reviewer', 'finance', 'approver'],
  concerns: [USER_PAGE],
  withoutCode: 'It changes nothing for the user.',
  reasonLabel: 'Note (kept permanently, for operators only)',
});

export const userBalances = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/balances`,
  name: 'Balances',
  summary: 'What a user has on every account.',
  roles: VIEWERS,
  rows: {
    in: 'balances',
    key: ['account', 'asset'],
    title: ['account', 'asset'],
    shown: ['account', 'asset', 'available', 'frozen', 'locked', 'worthUsdt'],
    columns: {
      account: TERM,
      asset: TEXT,
      available: amountIn('asset'),
      frozen: amountIn('asset'),
      locked: amountIn('asset'),
      total: amountIn('asset'),
      worthUsdt: optional(FIGURE),
    },
  },
});

export const userOpenOrders = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/open`,
  name: 'Open',
  summary: 'How many orders and positions a user has open.',
  roles: VIEWERS,
  rows: {
    in: 'open',
    key: ['product'],
    title: ['product'],
    columns: { product: TEXT, open: COUNT },
  },
});

export const userEntries = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/entries`,
  name: 'Entries',
  summary: 'What moved on a user’s accounts, newest first.',
  roles: VIEWERS,
  rows: {
    in: 'entries',
    key: ['entry', 'bucket', 'asset'],
    title: ['amount'],
    shown: ['at', 'kind', 'amount', 'balance', 'bucket'],
    columns: {
      at: EVENT_TIME,
      kind: TERM,
      asset: TEXT,
      amount: amountIn('asset'),
      balance: amountIn('asset'),
      bucket: TERM,
      sumOf: optional(COUNT),
      entry: ORDINAL,
      reference: optional(ID),
    },
  },
});

export const userLimits = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/limits`,
  name: 'Limits',
  summary: 'What a user may withdraw, and what of it is used.',
  roles: VIEWERS,
  rows: {
    in: 'limits',
    key: ['limit'],
    title: ['limit'],
    columns: {
      limit: TEXT,
      level: COUNT,
      most: FIGURE,
      used: FIGURE,
    },
  },
});

export const userDeposits = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/deposits`,
  name: 'Deposits',
  summary: 'A user’s latest deposits.',
  roles: VIEWERS,
  rows: {
    in: 'deposits',
    key: ['id'],
    title: ['amount', 'network'],
    shown: ['createdAt', 'amount', 'network', 'status', 'txid'],
    columns: {
      asset: TEXT,
      network: TEXT,
      address: ID,
      memo: optional(TEXT),
      txid: ID,
      remark: optional(TEXT),
      amount: amountIn('asset'),
      block: ORDINAL,
      isSmall: FLAG,
      isClaimed: FLAG,
      confirmations: COUNT,
      status: status({ finished: 'good', pending: 'waits', rejected: 'bad' }),
      createdAt: INSTANT,
      finishedAt: optional(INSTANT),
      goneAt: optional(INSTANT),
      id: ID,
    },
  },
});

export const userWithdrawals = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/withdrawals`,
  name: 'Withdrawals',
  summary: 'A user’s latest withdrawals.',
  roles: VIEWERS,
  rows: {
    in: 'withdrawals',
    key: ['id'],
    title: ['amount', 'network'],
    shown: ['createdAt', 'amount', 'network', 'address', 'valueUsdt', 'status'],
    columns: {
      asset: TEXT,
      network: TEXT,
      address: ID,
      memo: optional(TEXT),
      amount: amountIn('asset'),
      fee: amountIn('asset'),
      remark: optional(TEXT),
      apiKey: optional(labelled('Requested by API key', TEXT)),
      isAuto: FLAG,
      status: WITHDRAWAL_STATUS,
      stage: optional(WORD),
      exit: optional(WORD),
      reason: optional(WORD),
      txid: optional(ID),
      block: optional(ORDINAL),
      confirmations: COUNT,
      decidedBy: optional(TEXT),
      knownAt: optional(INSTANT),
      createdAt: INSTANT,
      finishedAt: optional(INSTANT),
      valueUsdt: FIGURE,
      id: ID,
    },
  },
});

export const userVoids = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/voids`,
  name: 'Voids',
  summary: 'Positions of the seconds contract that a user got back without a result, counted by cause.',
  roles: VIEWERS,
  rows: {
    in: 'voids',
    key: ['reason'],
    title: ['reason'],
    columns: { reason: WORD, count: COUNT, lastAt: INSTANT },
  },
});

export const userSessions = describeOperation({
  method: 'GET',
  path: SESSIONS,
  name: 'Sessions',
  summary: 'Where a user is signed in now.',
  roles: VIEWERS,
  rows: {
    in: 'sessions',
    key: ['session'],
    title: ['device'],
    columns: {
      device: TEXT,
      address: TEXT,
      method: WORD,
      createdAt: INSTANT,
      seenAt: INSTANT,
      session: ID,
    },
  },
});

export const userPasskeys = describeOperation({
  method: 'GET',
  path: PASSKEYS,
  name: 'Passkeys',
  summary: 'The passkeys with which a user signs in and confirms actions, newest first.',
  roles: VIEWERS,
  rows: {
    in: 'passkeys',
    key: ['passkey'],
    title: ['name'],
    columns: {
      name: TEXT,
      kind: WORD,
      createdAt: INSTANT,
      lastUsedAt: optional(INSTANT),
      warnedAt: optional(labelled('Warned about its counter', INSTANT)),
      passkey: ID,
    },
  },
});

export const userApiKeys = describeOperation({
  method: 'GET',
  path: API_KEYS,
  name: 'API keys',
  summary:
    'The keys with which programs act for a user and its sub-accounts, newest first; revoked ones are not shown.',
  roles: VIEWERS,
  rows: {
    in: 'apiKeys',
    key: ['key'],
    title: ['name', 'kind'],
    shown: [
      'name',
      'subAccount',
      'kind',
      'mayTrade',
      'lastUsedAt',
      'lastUsedAddress',
      'createdAt',
      'expiresAt',
    ],
    columns: {
      name: TEXT,
      kind: WORD,
      subAccount: optional(TEXT),
      mayTrade: FLAG,
      mayTransfer: FLAG,
      withdrawalLimitUsdt: optional(labelled('May withdraw within 24 hours, USDT', FIGURE)),
      isExpired: FLAG,
      addresses: optional(TEXT),
      lastUsedAt: optional(INSTANT),
      lastUsedAddress: optional(TEXT),
      createdAt: INSTANT,
      expiresAt: optional(INSTANT),
      publicHalf: ID,
      key: ID,
    },
  },
});

export const userSubAccounts = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/sub-accounts`,
  name: 'Sub-accounts',
  summary:
    'The sub-accounts of a user with their balances, newest first, archived ones last. Freezes and limits are the user’s.',
  roles: VIEWERS,
  rows: {
    in: 'subAccounts',
    key: ['subAccount'],
    title: ['name'],
    columns: {
      name: TEXT,
      uid: TEXT,
      note: optional(TEXT),
      worthUsdt: FIGURE,
      balances: TEXT,
      createdAt: INSTANT,
      archivedAt: optional(INSTANT),
      subAccount: ID,
    },
  },
});

export const userSecurity = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/security`,
  name: 'Security',
  summary: 'Sign-ins and changes of a user’s protection, newest first.',
  roles: VIEWERS,
  rows: {
    in: 'events',
    key: ['id'],
    title: ['kind'],
    columns: {
      at: EVENT_TIME,
      kind: TERM,
      device: TEXT,
      address: TEXT,
      detail: RECORD,
      id: ID,
    },
  },
});

export const userMessages = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/messages`,
  name: 'Messages',
  summary: 'What was sent to a user’s inbox last.',
  roles: VIEWERS,
  rows: {
    in: 'messages',
    key: ['id'],
    title: ['summary'],
    shown: ['createdAt', 'title', 'summary', 'isRead'],
    columns: {
      kind: TERM,
      title: TEXT,
      summary: TEXT,
      isRead: FLAG,
      createdAt: INSTANT,
      id: ID,
    },
  },
});

export const userDecisions = describeOperation({
  method: 'GET',
  path: `${USER_PAGE}/decisions`,
  name: 'Decisions',
  summary: 'What operators did and saw of a user, newest first.',
  roles: VIEWERS,
  rows: {
    in: 'decisions',
    key: ['sequence'],
    title: ['action', 'parameters'],
    shown: ['at', 'operator', 'action', 'event', 'reason', 'approvedBy'],
    columns: AUDIT_COLUMNS,
  },
});

export const search = describeOperation({
  method: 'GET',
  path: '/ops/search',
  name: 'Search',
  summary:
    'Users, records and products by ID, mail address, UID, name, document number, transaction, address, API key or code.',
  roles: ROLES,
  fields: { query: { label: 'What to look for', kind: 'text' } },
  rows: {
    in: 'found',
    key: ['kind', 'to', 'label'],
    title: ['label'],
    columns: {
      kind: WORD,
      label: TEXT,
      to: TEXT,
      user: optional(USER),
    },
  },
});

/** Facts that the console shows to the second operator, who approves a change of an account's restrictions. */
const RESTRICTION_FACTS = {
  user: USER,
  uid: UID,
  email: emailOf('user'),
  isFrozen: FLAG,
  withdrawalsHeldUntil: optional(INSTANT),
  heldBecause: optional(TEXT),
} as const;
const RESTRICTION_CONTEXT = {
  nameMasked: TEXT,
  createdAt: INSTANT,
  lastChange: optional(RECORD),
  lastChangeAt: optional(INSTANT),
} as const;

export const freezeUser = describeOperation({
  method: 'POST',
  path: `${USER_PAGE}/freeze`,
  name: 'Freeze',
  summary: 'Freezes an account: every session ends, and nothing leaves it.',
  roles: ['support', 'approver'],
  concerns: [USER_PAGE],
  appliesWhere: [{ column: 'isFrozen', is: [false] }],
  emphasis: 'danger',
});

export const unfreezeUser = describeOperation({
  method: 'POST',
  path: `${USER_PAGE}/unfreeze`,
  name: 'Unfreeze',
  summary: 'Unfreezes an account.',
  roles: ['support', 'approver'],
  concerns: [USER_PAGE],
  appliesWhere: [{ column: 'isFrozen', is: [true] }],
  evidence: { facts: RESTRICTION_FACTS, context: RESTRICTION_CONTEXT },
});

export const permitPurchases = describeOperation({
  method: 'POST',
  path: `${USER_PAGE}/purchases`,
  name: 'Permit or stop purchases',
  summary: 'Permits or stops purchases; selling, redeeming and withdrawing never depend on it.',
  roles: ['support', 'approver'],
  concerns: [USER_PAGE],
  fields: { mayPurchase: { label: 'May purchase', kind: 'switch' } },
});

export const holdWithdrawals = describeOperation({
  method: 'POST',
  path: `${USER_PAGE}/hold`,
  name: 'Hold withdrawals',
  summary: 'Holds withdrawals for so many hours from now, at most 720; 0 ends a hold.',
  roles: ['support', 'finance', 'approver'],
  concerns: [USER_PAGE],
  fields: { hours: { label: 'Hours', kind: 'whole' } },
  evidence: {
    facts: { ...RESTRICTION_FACTS, hours: COUNT },
    context: RESTRICTION_CONTEXT,
  },
});

export const endUserSessions = describeOperation({
  method: 'POST',
  path: `${USER_PAGE}/end-sessions`,
  name: 'Sign out everywhere',
  summary: 'Signs a user out on every device.',
  roles: ['support', 'approver'],
  concerns: [USER_PAGE],
});

export const endUserSession = describeOperation({
  method: 'POST',
  path: `${SESSIONS}/:session/end`,
  name: 'Sign out this device',
  summary: 'Signs a user out on one device.',
  roles: ['support', 'approver'],
  concerns: [SESSIONS],
});

export const removeUserPasskey = describeOperation({
  method: 'POST',
  path: `${PASSKEYS}/:passkey/remove`,
  name: 'Remove this passkey',
  summary:
    'Removes a passkey that a user lost or somebody else may have: every session ends, withdrawals are on hold for 24 hours, and the user gets a mail. Their password, mailbox and authenticator stay.',
  roles: ['support', 'approver'],
  concerns: [PASSKEYS],
  emphasis: 'danger',
  evidence: {
    facts: {
      user: USER,
      uid: UID,
      email: emailOf('user'),
      passkey: ID,
      name: TEXT,
      kind: WORD,
      createdAt: INSTANT,
      lastUsedAt: optional(INSTANT),
    },
    context: {
      nameMasked: TEXT,
      hasAuthenticator: FLAG,
      otherPasskeys: COUNT,
    },
  },
});

export const revokeUserApiKeys = describeOperation({
  method: 'POST',
  path: `${USER_PAGE}/revoke-api-keys`,
  name: 'Revoke all API keys',
  summary: 'Revokes all API keys of a user: programs stop at once, open orders stay.',
  roles: ['support', 'approver'],
  concerns: [USER_PAGE],
  emphasis: 'danger',
});

export const revokeUserApiKey = describeOperation({
  method: 'POST',
  path: `${API_KEYS}/:key/revoke`,
  name: 'Revoke this API key',
  summary: 'Revokes one API key: programs that use it stop at once, open orders stay.',
  roles: ['support', 'approver'],
  concerns: [API_KEYS],
  emphasis: 'danger',
});

export const messageUser = describeOperation({
  method: 'POST',
  path: `${USER_PAGE}/message`,
  name: 'Write a message',
  summary: 'Writes to a user’s inbox, in the language that they read.',
  roles: ['support'],
  concerns: [USER_PAGE],
  fields: {
    ...textFields('title', 'Title', 'text'),
    ...textFields('text', 'Text', 'longText'),
  },
});
