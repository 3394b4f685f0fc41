import { REFUSAL_REASONS, RETURN_REASONS } from '@exchange/core/network.ts';
import { describeOperation, type RowCondition } from '../operation.ts';
import {
  AGE,
  amountIn,
  COUNT,
  emailOf,
  EVENT_TIME,
  FIGURE,
  FLAG,
  ID,
  INSTANT,
  labelled,
  optional,
  ORDINAL,
  status,
  TEXT,
  UID,
  USER,
  WORD,
} from './columns.ts';
import { CLAIMED_BY } from './queues.ts';

const LIST = '/ops/withdrawals';
const REJECT_TEMPLATES = [
  'The address belongs to a service that does not accept this network.',
  'The owner does not confirm this withdrawal.',
  'Repeated by mistake; the first one was sent.',
] as const;
const APPROVE_TEMPLATES = [
  'Address, amount and account checked.',
  'The owner confirmed it in a call back.',
  'Known address, usual amount.',
] as const;
export const WITHDRAWAL_STATUS = status({
  finished: 'good',
  pending: 'waits',
  processing: 'waits',
  failed: 'bad',
  rejected: 'bad',
});
/** Facts about the address and the account of a withdrawal, shown to the operators who approve it. */
const APPROVAL_CONTEXT = {
  addressSeenAt: optional(labelled('Address first seen', INSTANT)),
  finishedToAddress: optional(labelled('Earlier withdrawals to this address', COUNT)),
  requestsWithinDay: optional(labelled('Requests of the account within 24 hours', COUNT)),
  requestedWithinDayUsdt: optional(labelled('Requested within 24 hours, USDT', FIGURE)),
  accountCreatedAt: optional(labelled('Account since', INSTANT)),
  newDevices: optional(labelled('New devices since 24 hours before the request', COUNT)),
  securityChanges: optional(labelled('Security changes since 24 hours before the request', COUNT)),
} as const;
const CONFIRMATION = {
  confirmedDigest: optional(labelled('Digest of what the owner confirmed', ID)),
  isChanged: optional(labelled('Differs from what the owner confirmed', FLAG)),
} as const;
const IS_PENDING: RowCondition = { column: 'status', is: ['pending'] };

const WITHDRAWAL_FACTS = {
  owner: USER,
  amount: amountIn('asset'),
  asset: TEXT,
  network: TEXT,
  address: ID,
  memo: optional(TEXT),
  fee: amountIn('asset'),
  arrives: amountIn('asset'),
  valueUsdt: FIGURE,
  status: WITHDRAWAL_STATUS,
  remark: optional(TEXT),
  apiKey: optional(labelled('Requested by API key', TEXT)),
  createdAt: INSTANT,
  uid: optional(UID),
  email: optional(emailOf('owner')),
  ...CONFIRMATION,
  id: ID,
} as const;
const WITHDRAWAL_CONTEXT = {
  ...APPROVAL_CONTEXT,
  valueNowUsdt: optional(labelled('Value now, USDT', FIGURE)),
  addressKeptAt: optional(labelled('In the address book since', INSTANT)),
  addressKnownAt: optional(INSTANT),
  addressInBook: labelled('In the address book', FLAG),
  finishedOfAccount: labelled('Earlier withdrawals of the account', COUNT),
  approvedByOneUsdt: optional(labelled('Approved by one person within 24 hours, USDT', FIGURE)),
  isVerified: FLAG,
  isFrozen: FLAG,
  withdrawalsHeldUntil: optional(INSTANT),
} as const;
/**
 * Facts about the payment of a withdrawal: its stage, the number of transactions that were signed for it so
 * far, and the newest of them.
 */
const SIGNED_CONTEXT = {
  stage: optional(WORD),
  waitsBecause: optional(labelled('Waits because', TEXT)),
  signedTransactions: labelled('Signed transactions', COUNT),
  newestTransaction: optional(labelled('Newest transaction', ID)),
  newestFee: optional(labelled('Its highest fee', TEXT)),
  isVoided: optional(labelled('Voided', FLAG)),
} as const;
const EXIT_EVIDENCE = {
  facts: {
    ...WITHDRAWAL_FACTS,
    returnedBecause: optional(labelled('Returned because', WORD)),
    isPaidByHand: optional(labelled('Paid by hand', FLAG)),
    transaction: optional(ID),
  },
  context: { ...WITHDRAWAL_CONTEXT, ...SIGNED_CONTEXT },
} as const;
const IS_PROCESSING: RowCondition = { column: 'status', is: ['processing'] };
/**
 * Condition of rows for which a transaction may have been signed: the stage of the withdrawal is one of those from
 * `signing` on.
 */
const MAY_BE_SIGNED: RowCondition = {
  column: 'stage',
  is: ['signing', 'signed', 'sent', 'byHand', 'returning'],
};

export const openWithdrawals = describeOperation({
  method: 'GET',
  path: LIST,
  name: 'Withdrawals',
  isQueue: true,
  summary: 'Withdrawals that are pending or under way, oldest first.',
  roles: ['finance', 'approver', 'support', 'auditor'],
  rows: {
    in: 'withdrawals',
    key: ['id'],
    title: ['amount', 'network'],
    since: 'createdAt',
    promised: 'promisedAt',
    pending: IS_PENDING,
    shown: [
      AGE,
      'amount',
      'waitsFor',
      'claimedBy',
      'valueUsdt',
      'status',
      'stage',
      'network',
      'address',
      'owner',
    ],
    columns: {
      owner: USER,
      asset: TEXT,
      network: TEXT,
      address: ID,
      memo: optional(TEXT),
      amount: amountIn('asset'),
      fee: amountIn('asset'),
      valueUsdt: FIGURE,
      status: WITHDRAWAL_STATUS,
      stage: optional(WORD),
      waitsBecause: optional(labelled('Waits because', TEXT)),
      isAuto: FLAG,
      createdAt: INSTANT,
      promisedAt: INSTANT,
      waitsFor: optional(labelled('Reviewed because', TEXT)),
      claimedBy: CLAIMED_BY,
      txid: optional(ID),
      reason: optional(WORD),
      exit: optional(WORD),
      exitReadyAt: optional(labelled('May be paid by hand since', INSTANT)),
      ...CONFIRMATION,
      ...APPROVAL_CONTEXT,
      needsSecondPerson: optional(FLAG),
      approvedByOneUsdt: optional(labelled('Approved by one person within 24 hours, USDT', FIGURE)),
      id: ID,
    },
  },
});

export const approveWithdrawal = describeOperation({
  method: 'POST',
  path: `${LIST}/:id/approve`,
  name: 'Approve',
  summary: 'Lets a withdrawal out: of one account up to 10,000 USDT within 24 hours.',
  roles: ['finance'],
  isRoutine: true,
  takesSeveral: true,
  concerns: [LIST],
  appliesWhere: [IS_PENDING, { column: 'needsSecondPerson', is: [false] }],
  emphasis: 'main',
  key: 'a',
  templates: APPROVE_TEMPLATES,
});

export const approveLargeWithdrawal = describeOperation({
  method: 'POST',
  path: `${LIST}/:id/approve-large`,
  name: 'Approve with a second person',
  summary:
    'Lets a withdrawal out with a second person: above 10,000 USDT, alone or with what one person has let out of the account within 24 hours.',
  roles: ['finance'],
  concerns: [LIST],
  appliesWhere: [IS_PENDING, { column: 'needsSecondPerson', is: [true] }],
  emphasis: 'main',
  key: 'a',
  templates: APPROVE_TEMPLATES,
  evidence: { facts: WITHDRAWAL_FACTS, context: WITHDRAWAL_CONTEXT },
});

export const rejectWithdrawal = describeOperation({
  method: 'POST',
  path: `${LIST}/:id/reject`,
  name: 'Reject',
  summary: 'Refuses a withdrawal that is pending; the amount goes back to its owner.',
  roles: ['finance'],
  isRoutine: true,
  takesSeveral: true,
  concerns: [LIST],
  appliesWhere: [IS_PENDING],
  emphasis: 'danger',
  key: 'r',
  templates: REJECT_TEMPLATES,
  fields: {
    because: {
      label: 'Why (owners read of sanctions and holds as a review)',
      kind: 'choice',
      choices: REFUSAL_REASONS,
    },
  },
});

const RESTORED_COLUMNS = {
  asset: TEXT,
  amount: amountIn('asset'),
  address: ID,
  txid: ID,
  owner: optional(USER),
  withdrawal: labelled('Withdrawal in the restored database', WORD),
  settledBy: labelled('Settled by', WORD),
  id: ID,
} as const;
const VARIANTS = {
  txid: ID,
  isVoid: labelled('Void', FLAG),
  nonce: optional(labelled('Nonce or sequence', ORDINAL)),
  maxFee: labelled('Highest fee', TEXT),
  tip: optional(labelled('Tip', TEXT)),
  signedAt: optional(EVENT_TIME),
} as const;

export const travelRuleRecord = describeOperation({
  method: 'GET',
  path: `${LIST}/:id/travel-rule`,
  name: 'Travel-rule record',
  summary:
    'Who sends and who receives a withdrawal, with the fields of IVMS101, as a file. Reading it is logged with your name. Withdrawals below TRAVEL_RULE_USDT have none.',
  roles: ['finance', 'approver'],
  concerns: [LIST],
  isFile: true,
});

export const signedTransactions = describeOperation({
  method: 'GET',
  path: `${LIST}/:id/transactions`,
  name: 'Transactions',
  summary: 'The transactions that were signed for a withdrawal. At most one of them can be mined.',
  roles: ['finance', 'approver', 'support', 'auditor'],
  concerns: [LIST],
  rows: {
    in: 'transactions',
    key: ['txid'],
    shown: ['txid', 'maxFee', 'signedAt', 'isVoid', 'nonce', 'tip'],
    columns: VARIANTS,
  },
});

export const returnWithdrawal = describeOperation({
  method: 'POST',
  path: `${LIST}/:id/return`,
  name: 'Return to owner',
  summary:
    'Returns an approved withdrawal to its owner, with a second person: at once if nothing was signed for it, otherwise when a transfer of nothing has taken the place of its transaction for good.',
  roles: ['finance'],
  concerns: [LIST],
  appliesWhere: [IS_PROCESSING],
  emphasis: 'danger',
  fields: {
    because: {
      label: 'Why (owners read of sanctions and holds as a review)',
      kind: 'choice',
      choices: RETURN_REASONS,
    },
    txid: {
      label: 'Only if its nonce was used by a transaction that was not signed for it: that transaction',
      kind: 'text',
      isOptional: true,
      isNew: true,
    },
  },
  evidence: EXIT_EVIDENCE,
});

export const payWithdrawalByHand = describeOperation({
  method: 'POST',
  path: `${LIST}/:id/pay-by-hand`,
  name: 'Take out to pay by hand',
  summary:
    'Takes a withdrawal out of automatic payment, with a second person, so that it can be paid by hand. Pay it only when “May be paid by hand since” is shown: then its own transaction cannot be mined any more.',
  roles: ['finance'],
  concerns: [LIST],
  appliesWhere: [IS_PROCESSING],
  evidence: EXIT_EVIDENCE,
});

export const finishWithdrawal = describeOperation({
  method: 'POST',
  path: `${LIST}/:id/finish`,
  name: 'Finish with a transaction',
  summary:
    'Ends a withdrawal that was paid by hand, with a second person: its transaction must be in a confirmed block and pay exactly this coin and amount to this address.',
  roles: ['finance'],
  concerns: [LIST],
  appliesWhere: [IS_PROCESSING],
  fields: { txid: { label: 'Transaction that paid it', kind: 'text', isNew: true } },
  evidence: EXIT_EVIDENCE,
});

export const raiseWithdrawalFee = describeOperation({
  method: 'POST',
  path: `${LIST}/:id/raise-fee`,
  name: 'Raise the fee',
  summary:
    'Sends the signed transaction of a withdrawal again with a higher fee, with a second person. Needed above the bound up to which this happens automatically.',
  roles: ['finance'],
  concerns: [LIST],
  appliesWhere: [IS_PROCESSING, MAY_BE_SIGNED],
  fields: {
    gwei: {
      label: 'Highest fee (Gwei; Bitcoin family: units per virtual byte; XRP: drops)',
      kind: 'text',
    },
  },
  evidence: {
    facts: {
      id: ID,
      transactions: labelled('Signed transactions', COUNT),
      highest: labelled('Highest fee', TEXT),
    },
    context: { ...WITHDRAWAL_FACTS, ...SIGNED_CONTEXT },
  },
});

export const addWithdrawalChild = describeOperation({
  method: 'POST',
  path: `${LIST}/:id/add-child`,
  name: 'Add a child',
  summary:
    'Bitcoin family: signs a transaction without payments that spends the change of the withdrawal’s transaction and pays the fee of both, with a second person. Helps where nodes or miners refuse a replacement.',
  roles: ['finance'],
  concerns: [LIST],
  appliesWhere: [IS_PROCESSING, MAY_BE_SIGNED],
  fields: {
    gwei: {
      label: 'Fee of the transaction with all its children (units per virtual byte)',
      kind: 'text',
    },
  },
  evidence: {
    facts: {
      id: ID,
      highest: labelled('Highest fee', TEXT),
      costs: labelled('Costs with it', TEXT),
    },
    context: { ...WITHDRAWAL_FACTS, ...SIGNED_CONTEXT },
  },
});

const RESTORED = `${LIST}/restored`;

export const restoredPayments = describeOperation({
  method: 'GET',
  path: RESTORED,
  name: 'Restored payments',
  isQueue: true,
  summary:
    'After a restore: payments that left the wallet and that the restored database does not count as sent.',
  roles: ['finance', 'approver', 'auditor'],
  rows: {
    in: 'payments',
    key: ['id'],
    title: ['amount', 'txid'],
    empty: 'No payment is unknown to the database.',
    columns: RESTORED_COLUMNS,
  },
});

export const settleRestored = describeOperation({
  method: 'POST',
  path: `${RESTORED}/:id/settle`,
  name: 'Settle a restored payment',
  summary:
    'After a restore: lets a pending withdrawal follow the transaction that paid it, or says by which booking a payment without one was debited from its owner. Needs a second person.',
  roles: ['finance'],
  concerns: [RESTORED],
  emphasis: 'main',
  fields: {
    settlement: {
      label: 'The booking that debited the owner, unless its withdrawal settles it',
      kind: 'text',
      isOptional: true,
    },
  },
  evidence: {
    facts: RESTORED_COLUMNS,
    context: { waiting: COUNT },
  },
});

const SENDING_PAUSE = `${LIST}/pause`;

export const sendingPause = describeOperation({
  method: 'GET',
  path: SENDING_PAUSE,
  name: 'Sending after a restore',
  isQueue: true,
  summary:
    'The restored backup because of which no withdrawal is sent, until it was compared with signer and chain and two persons resume sending.',
  roles: ['finance', 'approver', 'auditor'],
  rows: {
    in: 'pauses',
    key: ['restoredFrom'],
    title: ['restoredFrom'],
    empty: 'Withdrawals are sent.',
    columns: {
      restoredFrom: labelled('Restored from the backup of', TEXT),
      isCompared: labelled('Compared with signer and chain', FLAG),
      unsettled: labelled('Restored payments that are not settled', COUNT),
      waiting: labelled('Withdrawals that are pending or under way', COUNT),
      valueUsdt: labelled('Their value, USDT', FIGURE),
    },
  },
});

export const resumeWithdrawals = describeOperation({
  method: 'POST',
  path: `${LIST}/resume`,
  name: 'Resume sending',
  summary:
    'After a restore: lets withdrawals be sent again, once they were compared with their chains. Needs a second person.',
  roles: ['finance'],
  concerns: [SENDING_PAUSE],
  emphasis: 'main',
  evidence: {
    facts: { restoredFrom: optional(TEXT) },
    context: {
      waiting: COUNT,
      valueUsdt: FIGURE,
    },
  },
});
