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
    shown: [AGE, 'amount', 'network', 'remark', 'owner'],
    columns: {
      owner: USER,
      asset: TEXT,
      network: TEXT,
      address: ID,
      amount: amountIn('asset'),
      remark: optional(TEXT),
      createdAt: INSTANT,
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
  concerns: [REPORTED],
  emphasis: 'danger',
  key: 'r',
  fields: {
    because: {
      label: 'Why (owners read of sanctions and risk as a review)',
      kind: 'choice',
      choices: PROOF_REASONS,
    },
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
