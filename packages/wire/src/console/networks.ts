import { describeOperation } from '../operation.ts';
import {
  AGE,
  amountIn,
  COUNT,
  FIGURE,
  ID,
  INSTANT,
  labelled,
  MONEY_READERS,
  optional,
  ORDINAL,
  status,
  TEXT,
  TEXTS,
  textFields,
  USER,
  WORD,
} from './columns.ts';

const NETWORKS = '/ops/networks/all';
const NETWORK = `${NETWORKS}/:network`;
const READERS = [...MONEY_READERS, 'support'] as const;
const DECIDERS = ['finance', 'approver', 'support'] as const;
const FEE_DECIDERS = ['finance', 'approver'] as const;
const OPEN_OR_PAUSED = status({ open: 'good', paused: 'bad', none: 'waits' });

export const networks = describeOperation({
  method: 'GET',
  path: NETWORKS,
  name: 'Networks',
  summary:
    'Every network with its node, its withdrawals and sweeps on their way, its fees of the last 24 hours, and what is paused.',
  roles: READERS,
  rows: {
    in: 'networks',
    key: ['network'],
    title: ['name'],
    shown: [
      'name',
      'state',
      'statusPage',
      'deposits',
      'withdrawals',
      'waiting',
      'inFlight',
      'stuck',
      'testedOn',
      'height',
      'behind',
      'refills',
      'fees',
    ],
    columns: {
      network: TEXT,
      name: TEXT,
      channel: WORD,
      state: status({
        working: 'good',
        troubled: 'bad',
        simulated: 'waits',
        byHand: 'waits',
        closed: 'waits',
      }),
      statusPage: labelled('Status page', status({ normal: 'good', delayed: 'bad' })),
      testedOn: optional(
        labelled('Tested on', status({ testNodes: 'good', litecoinNode: 'waits', recordedAnswers: 'waits' })),
      ),
      problem: optional(TEXT),
      height: optional(labelled('Block read', ORDINAL)),
      head: optional(labelled('Block of the node', ORDINAL)),
      behind: optional(labelled('Blocks behind', COUNT)),
      deposits: OPEN_OR_PAUSED,
      depositsNote: optional(labelled('Note on deposits', TEXTS)),
      depositsExpectedAt: optional(labelled('Deposits expected again', INSTANT)),
      depositsPausedAt: optional(labelled('Deposits paused since', INSTANT)),
      depositsPausedBy: optional(labelled('Deposits paused by', TEXT)),
      withdrawals: OPEN_OR_PAUSED,
      withdrawalsNote: optional(labelled('Note on withdrawals', TEXTS)),
      withdrawalsExpectedAt: optional(labelled('Withdrawals expected again', INSTANT)),
      withdrawalsPausedAt: optional(labelled('Withdrawals paused since', INSTANT)),
      withdrawalsPausedBy: optional(labelled('Withdrawals paused by', TEXT)),
      waiting: labelled('Not signed', COUNT),
      inFlight: labelled('In flight', COUNT),
      stuck: labelled('Stuck over 2 h', COUNT),
      late: labelled('Later than promised', COUNT),
      sweepsOpen: labelled('Open sweeps', COUNT),
      sweepsStuck: labelled('Stuck sweeps', COUNT),
      refills: labelled('Refills to make', COUNT),
      fees: optional(labelled('Fees in 24 h', TEXT)),
      feeSource: labelled(
        'Withdrawal fees',
        status({ live: 'good', table: 'waits', fixed: 'waits', none: 'waits' }),
      ),
    },
  },
});

export const networkWallets = describeOperation({
  method: 'GET',
  path: `${NETWORK}/wallets`,
  name: 'Wallets',
  summary: 'The coins of the wallet that pays withdrawals on the network, with their bounds.',
  roles: READERS,
  concerns: [NETWORKS],
  rows: {
    in: 'wallets',
    key: ['asset'],
    title: ['asset'],
    empty: 'No bounds are configured for this network: its wallet is not watched.',
    columns: {
      asset: TEXT,
      state: status({ short: 'bad', full: 'waits', enough: 'good', unknown: 'waits' }),
      balance: optional(FIGURE),
      needed: labelled('For withdrawals', FIGURE),
      least: FIGURE,
      target: FIGURE,
      most: FIGURE,
      wallet: labelled('Hot wallet', ID),
      cold: optional(labelled('Cold wallet', ID)),
    },
  },
});

export const networkFees = describeOperation({
  method: 'GET',
  path: `${NETWORK}/fees`,
  name: 'Withdrawal fees',
  summary:
    'The fee of a withdrawal of each coin of the network: live if it follows the cost of a payment, with its bounds, or that of the table.',
  roles: READERS,
  concerns: [NETWORKS],
  rows: {
    in: 'fees',
    key: ['asset'],
    title: ['asset'],
    empty: 'No coin is withdrawn on this network.',
    columns: {
      asset: TEXT,
      fee: amountIn('asset'),
      source: status({ live: 'good', table: 'waits' }),
      tableFee: labelled('Fee of the table', FIGURE),
      least: FIGURE,
      most: FIGURE,
      cost: optional(labelled('Cost of a payment', FIGURE)),
      readAt: optional(labelled('Cost read at', INSTANT)),
    },
  },
});

export const networkPayments = describeOperation({
  method: 'GET',
  path: `${NETWORK}/payments`,
  name: 'Payments on their way',
  summary: 'Approved withdrawals of the network that have not ended, the oldest 200 first.',
  roles: MONEY_READERS,
  concerns: [NETWORKS],
  rows: {
    in: 'payments',
    key: ['id'],
    title: ['amount'],
    since: 'createdAt',
    shown: [AGE, 'amount', 'state', 'confirmations', 'needed', 'txid', 'owner', 'id'],
    empty: 'No withdrawal of this network is on its way.',
    columns: {
      id: ID,
      owner: USER,
      asset: TEXT,
      amount: amountIn('asset'),
      address: ID,
      state: status({ waiting: 'waits', signed: 'waits', inBlock: 'good', stuck: 'bad' }),
      txid: optional(ID),
      confirmations: labelled('Confirmations', COUNT),
      needed: labelled('Of', COUNT),
      createdAt: INSTANT,
    },
  },
});

export const networkChildren = describeOperation({
  method: 'GET',
  path: `${NETWORK}/children`,
  name: 'Child transactions',
  summary:
    'Transactions without payments that spend the change of a waiting transaction and pay the fee of both (Bitcoin family), the oldest first, until they are final.',
  roles: READERS,
  concerns: [NETWORKS],
  appliesWhere: [{ column: 'channel', is: ['utxo'] }],
  rows: {
    in: 'children',
    key: ['id'],
    title: ['txid'],
    since: 'createdAt',
    shown: [AGE, 'state', 'fee', 'txid', 'spends', 'transactions'],
    empty: 'No transaction of this network has a child.',
    columns: {
      id: ID,
      state: status({ signing: 'waits', waiting: 'waits', inFlight: 'waits', inBlock: 'good', stuck: 'bad' }),
      asset: TEXT,
      fee: amountIn('asset'),
      txid: optional(ID),
      spends: labelled('Pays for', ID),
      transactions: labelled('Signed transactions', COUNT),
      createdAt: INSTANT,
    },
  },
});

export const fixFees = describeOperation({
  method: 'POST',
  path: `${NETWORK}/fix-fees`,
  name: 'Charge the fees of the table',
  summary:
    'Charges the fees of the table for withdrawals on the network from now on, whatever a payment costs. A user who has seen a lower fee is asked again.',
  roles: FEE_DECIDERS,
  concerns: [NETWORKS],
  appliesWhere: [{ column: 'feeSource', is: ['live', 'table'] }],
});

export const followFees = describeOperation({
  method: 'POST',
  path: `${NETWORK}/follow-fees`,
  name: 'Let fees follow the network',
  summary: 'Charges fees that follow the cost of a payment on the network again, within a minute.',
  roles: FEE_DECIDERS,
  concerns: [NETWORKS],
  appliesWhere: [{ column: 'feeSource', is: ['fixed'] }],
});

const EXPECTED = { label: 'Expected again (users see it)', kind: 'time', isOptional: true } as const;

export const pauseDeposits = describeOperation({
  method: 'POST',
  path: `${NETWORK}/pause-deposits`,
  name: 'Pause deposits',
  summary:
    'Shows no deposit addresses of the network and credits nothing that arrives until deposits are resumed. Users read the note at once. On a paused network it changes note and time.',
  roles: DECIDERS,
  concerns: [NETWORKS],
  emphasis: 'danger',
  fields: {
    ...textFields('depositsNote', 'Public note', 'longText'),
    depositsExpectedAt: EXPECTED,
  },
});

export const resumeDeposits = describeOperation({
  method: 'POST',
  path: `${NETWORK}/resume-deposits`,
  name: 'Resume deposits',
  summary: 'Shows addresses again and credits what was confirmed meanwhile.',
  roles: DECIDERS,
  concerns: [NETWORKS],
  appliesWhere: [{ column: 'deposits', is: ['paused'] }],
});

export const pauseWithdrawals = describeOperation({
  method: 'POST',
  path: `${NETWORK}/pause-withdrawals`,
  name: 'Pause withdrawals',
  summary:
    'Accepts and signs no withdrawals on the network until they are resumed; what was signed is followed. Users read the note at once. On a paused network it changes note and time.',
  roles: DECIDERS,
  concerns: [NETWORKS],
  emphasis: 'danger',
  fields: {
    ...textFields('withdrawalsNote', 'Public note', 'longText'),
    withdrawalsExpectedAt: EXPECTED,
  },
});

export const resumeWithdrawals = describeOperation({
  method: 'POST',
  path: `${NETWORK}/resume-withdrawals`,
  name: 'Resume withdrawals',
  summary: 'Accepts withdrawals again and signs those that wait.',
  roles: DECIDERS,
  concerns: [NETWORKS],
  appliesWhere: [{ column: 'withdrawals', is: ['paused'] }],
});
