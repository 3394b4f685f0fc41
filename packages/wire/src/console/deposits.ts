import { PROOF_REASONS } from '@exchange/core/deposit-proof.ts';
import { describeOperation } from '../operation.ts';
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
  MONEY_READERS,
  optional,
  ORDINAL,
  status,
  TEXT,
  UID,
  USER,
} from './columns.ts';
import { CLAIMED_BY } from './queues.ts';

const REPORTED = '/ops/deposits/reported';
const REPORT_STATUS = status({
  credited: 'good',
  pending: 'waits',
  rejected: 'bad',
});

export const reportedDeposits = describeOperation({
  method: 'GET',
  path: REPORTED,
  name: 'Reported',
  isQueue: true,
  summary: 'Deposits that were reported with a proof, that which waits longest first.',
  roles: MONEY_READERS,
  rows: {
    in: 'reported',
    key: ['id'],
    title: ['amount', 'network'],
    since: 'createdAt',
    shown: [AGE, 'amount', 'network', 'remark', 'claimedBy', 'owner'],
    columns: {
      owner: USER,
      asset: TEXT,
      network: TEXT,
      address: ID,
      amount: amountIn('asset'),
      remark: optional(TEXT),
      createdAt: INSTANT,
      claimedBy: CLAIMED_BY,
      id: ID,
    },
  },
});

export const reportPicture = describeOperation({
  method: 'GET',
  path: `${REPORTED}/:id/picture`,
  name: 'Show the proof',
  summary: 'The proof that was uploaded with a report.',
  roles: MONEY_READERS,
  isPicture: true,
  concerns: [REPORTED],
});

export const creditReport = describeOperation({
  method: 'POST',
  path: `${REPORTED}/:id/credit`,
  name: 'Credit',
  summary: 'Credits what really came to the house’s address, with a second person.',
  roles: ['finance'],
  concerns: [REPORTED],
  emphasis: 'main',
  key: 'a',
  templates: [
    'Seen on the network with this amount and address.',
    'The amount differs from the report; what came is credited.',
  ],
  fields: {
    amount: { label: 'Amount that came', kind: 'decimal' },
    txid: { label: 'Transaction ID on the network', kind: 'text' },
    output: {
      label: 'Output or log number, where the transaction pays the house more than once',
      kind: 'whole',
      isOptional: true,
    },
  },
  evidence: {
    facts: {
      owner: USER,
      uid: optional(UID),
      email: optional(emailOf('owner')),
      amount: amountIn('asset'),
      asset: TEXT,
      reportedAmount: amountIn('asset'),
      network: TEXT,
      address: ID,
      txid: ID,
      output: optional(ORDINAL),
      remark: optional(TEXT),
      status: REPORT_STATUS,
      createdAt: INSTANT,
      id: ID,
    },
    context: {
      valueNowUsdt: optional(labelled('Value now, USDT', FIGURE)),
      differsFromReport: FLAG,
      reportsOfAccount: labelled('Reports of the account, with this one', COUNT),
      transactionCredited: TEXT,
      transactionPayments: COUNT,
    },
  },
});

export const rejectReport = describeOperation({
  method: 'POST',
  path: `${REPORTED}/:id/reject`,
  name: 'Reject',
  summary: 'Refuses a report; its owner reads why.',
  roles: ['finance'],
  isRoutine: true,
  takesSeveral: true,
  concerns: [REPORTED],
  emphasis: 'danger',
  key: 'r',
  templates: ['No such payment came to the address.', 'The payment was credited before.'],
  fields: {
    because: {
      label: 'Why (owners read of sanctions and risk as a review)',
      kind: 'choice',
      choices: PROOF_REASONS,
    },
  },
});

export const claimGoneDeposit = describeOperation({
  method: 'POST',
  path: '/ops/deposits/gone/:id/claim',
  name: 'Claim back',
  summary:
    'Debits a deposit that its network has taken back: the balance pays at once, the rest is a debt that the user sees. It is cancelled by itself if the transfer returns.',
  roles: ['finance'],
  concerns: ['/ops/deposits/gone'],
  emphasis: 'danger',
  evidence: {
    facts: {
      owner: USER,
      uid: optional(UID),
      email: optional(emailOf('owner')),
      amount: amountIn('asset'),
      asset: TEXT,
      network: TEXT,
      address: ID,
      txid: ID,
      createdAt: INSTANT,
      goneAt: optional(INSTANT),
      id: ID,
    },
    context: { valueNowUsdt: optional(labelled('Value now, USDT', FIGURE)) },
  },
});

export const goneDeposits = describeOperation({
  method: 'GET',
  path: '/ops/deposits/gone',
  name: 'Gone',
  summary: 'Deposits that were credited and that their network has taken back since.',
  roles: MONEY_READERS,
  rows: {
    in: 'gone',
    key: ['id'],
    title: ['amount', 'network'],
    shown: ['goneAt', 'amount', 'network', 'txid', 'owner'],
    empty: 'No credited deposit has left its chain.',
    columns: {
      owner: USER,
      asset: TEXT,
      network: TEXT,
      address: ID,
      amount: amountIn('asset'),
      txid: ID,
      createdAt: INSTANT,
      goneAt: optional(INSTANT),
      id: ID,
    },
  },
});
