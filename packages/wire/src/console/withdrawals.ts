import { REFUSAL_REASONS } from '@exchange/core/network.ts';
import { describeOperation, type RowCondition } from '../operation.ts';
import {
  AGE,
  amountIn,
  COUNT,
  emailOf,
  FIGURE,
  FLAG,
  ID,
  INSTANT,
  labelled,
  optional,
  status,
  TEXT,
  UID,
  USER,
  WORD,
} from './columns.ts';

const LIST = '/ops/withdrawals';
export const WITHDRAWAL_STATUS = status({
  finished: 'good',
  pending: 'waits',
  processing: 'waits',
  failed: 'bad',
  rejected: 'bad',
});
const IS_PENDING: RowCondition = { column: 'status', is: ['pending'] };

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
    pending: IS_PENDING,
    shown: [AGE, 'amount', 'network', 'address', 'valueUsdt', 'status', 'owner'],
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
      isAuto: FLAG,
      createdAt: INSTANT,
      promisedAt: INSTANT,
      txid: optional(ID),
      reason: optional(WORD),
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
  concerns: [LIST],
  appliesWhere: [IS_PENDING, { column: 'needsSecondPerson', is: [false] }],
  emphasis: 'main',
  key: 'a',
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
  evidence: {
    facts: {
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
      createdAt: INSTANT,
      uid: optional(UID),
      email: optional(emailOf('owner')),
      id: ID,
    },
    context: {
      valueNowUsdt: optional(labelled('Value now, USDT', FIGURE)),
      addressKeptAt: optional(labelled('In the address book since', INSTANT)),
      addressKnownAt: optional(INSTANT),
      addressInBook: labelled('In the address book', FLAG),
      finishedToAddress: labelled('Earlier withdrawals to this address', COUNT),
      finishedOfAccount: labelled('Earlier withdrawals of the account', COUNT),
      approvedByOneUsdt: optional(labelled('Approved by one person within 24 hours, USDT', FIGURE)),
      isVerified: FLAG,
      isFrozen: FLAG,
      withdrawalsHeldUntil: optional(INSTANT),
    },
  },
});

export const rejectWithdrawal = describeOperation({
  method: 'POST',
  path: `${LIST}/:id/reject`,
  name: 'Reject',
  summary: 'Refuses a withdrawal that is pending; the amount goes back to its owner.',
  roles: ['finance'],
  concerns: [LIST],
  appliesWhere: [IS_PENDING],
  emphasis: 'danger',
  key: 'r',
  fields: {
    because: {
      label: 'Why (owners read of sanctions and holds as a review)',
      kind: 'choice',
      choices: REFUSAL_REASONS,
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
  evidence: {
    facts: { restoredFrom: optional(TEXT) },
    context: {
      waiting: COUNT,
      valueUsdt: FIGURE,
    },
  },
});
