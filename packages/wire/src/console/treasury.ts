import { CAPITAL_ACCOUNTS } from '@exchange/core/capital.ts';
import { describeOperation, type OperationField } from '../operation.ts';
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
  MONEY_READERS,
  optional,
  ORDINAL,
  status,
  TEXT,
  UID,
  USER,
  versionRows,
  WORD,
} from './columns.ts';
import { USER_PAGE } from './users.ts';

const ARRIVALS = '/ops/treasury/arrivals';
const DEBTS = '/ops/treasury/debts';
const PAUSES = '/ops/treasury/pauses';
const VALUE_NOW = optional(labelled('Value now, USDT', FIGURE));
/** Column with what the node of the network reports about a payment. */
const ON_CHAIN = labelled('On the chain', TEXT);
/** Column with the user whose deposit address received the coins; absent if the address is not a user's. */
const DEPOSIT_ADDRESS_OF = optional(labelled('Deposit address of', USER));

const ACCOUNT_FIELD = {
  label: 'Account of the house',
  kind: 'choice',
  choices: CAPITAL_ACCOUNTS,
} as const satisfies OperationField;
const PAYMENT_FIELDS = {
  network: { label: 'Network (e.g. ERC20)', kind: 'text' },
  asset: { label: 'Coin, or contract of an unlisted token', kind: 'text' },
  amount: { label: 'Amount', kind: 'decimal' },
  txid: { label: 'Transaction ID, or number of the bank paper', kind: 'text' },
  output: {
    label: 'Output or log number, where the transaction has more than one payment to the house',
    kind: 'whole',
    isOptional: true,
  },
} as const;
const ARRIVAL_FACTS = {
  asset: TEXT,
  amount: amountIn('asset'),
  network: TEXT,
  address: ID,
  sender: optional(ID),
  memo: optional(TEXT),
  txid: ID,
  output: ORDINAL,
  remark: optional(TEXT),
  registeredBy: optional(TEXT),
  createdAt: INSTANT,
  id: ID,
} as const;

export const arrivals = describeOperation({
  method: 'GET',
  path: ARRIVALS,
  name: 'Arrivals',
  isQueue: true,
  summary:
    'Transfers that are no deposit of a user: capital, wrong memos, watched tokens that are not listed, and payments registered by hand. Oldest first.',
  roles: MONEY_READERS,
  rows: {
    in: 'arrivals',
    key: ['id'],
    title: ['amount', 'network'],
    since: 'createdAt',
    shown: [AGE, 'amount', 'token', 'network', 'memo', 'txid', 'remark', 'lastReturn', 'goneAt'],
    empty: 'No transfer without an owner waits.',
    columns: {
      ...ARRIVAL_FACTS,
      token: optional(labelled('Token that is not listed', TEXT)),
      lastReturn: optional(labelled('Last return', WORD)),
      goneAt: optional(INSTANT),
    },
  },
});

const CEILINGS = '/ops/treasury/ceilings';
const CEILING = `${CEILINGS}/:role` as const;
const CEILING_FIELDS = {
  most: { label: 'Ceiling, USDT (empty for none)', kind: 'decimal', isOptional: true },
} as const satisfies Readonly<Record<string, OperationField>>;
const CEILING_VALUE = optional(labelled('Ceiling, USDT', FIGURE));

export const ceilings = describeOperation({
  method: 'GET',
  path: CEILINGS,
  name: 'Ceilings',
  summary:
    'The highest value that an operator of each role may propose or approve in one operation on money of the house or of users. Of several roles of an operator the highest holds.',
  roles: MONEY_READERS,
  rows: {
    in: 'ceilings',
    key: ['role'],
    title: ['role'],
    shown: ['role', 'most', 'state', 'version'],
    columns: {
      role: WORD,
      most: CEILING_VALUE,
      state: TEXT,
      version: ORDINAL,
    },
  },
});

export const ceilingVersions = describeOperation({
  method: 'GET',
  path: `${CEILING}/versions`,
  name: 'Versions',
  summary: 'The ceilings that were set for a role, newest first.',
  roles: MONEY_READERS,
  concerns: [CEILINGS],
  versionsOf: CEILING,
  fields: CEILING_FIELDS,
  rows: versionRows({ most: CEILING_VALUE }),
});

export const setCeiling = describeOperation({
  method: 'POST',
  path: CEILING,
  name: 'Set the ceiling',
  summary:
    'Sets the ceiling of a role; an empty one is none. Open proposals above it cannot be approved any more.',
  roles: [],
  concerns: [CEILINGS],
  canStartLater: true,
  isVersioned: true,
  fields: CEILING_FIELDS,
  evidence: {
    facts: {
      role: WORD,
      mostNow: labelled('Ceiling now, USDT', TEXT),
      mostNext: labelled('Ceiling proposed, USDT', TEXT),
    },
  },
});

const WATCHED_TOKENS = '/ops/treasury/watched-tokens';
const TOKEN_FACTS = {
  network: TEXT,
  contract: ID,
  symbol: labelled('Calls itself', TEXT),
  name: labelled('Name that it states', TEXT),
  digits: labelled('Decimals', ORDINAL),
  least: labelled('Shown from this amount', FIGURE),
} as const;

export const watchedTokens = describeOperation({
  method: 'GET',
  path: WATCHED_TOKENS,
  name: 'Watched tokens',
  summary:
    'Tokens that are not listed and whose transfers to addresses of the exchange are shown under Arrivals: at most 50 of a token and day, and none below the amount of the token. The others are only counted.',
  roles: MONEY_READERS,
  rows: {
    in: 'tokens',
    key: ['network', 'contract'],
    title: ['symbol', 'network'],
    shown: ['symbol', 'network', 'contract', 'least', 'shownOnDay', 'notShown', 'allowedAt'],
    empty: 'No token is watched: only transfers of listed coins are seen.',
    columns: {
      ...TOKEN_FACTS,
      shownOnDay: labelled('Shown on the last day with a transfer', COUNT),
      notShown: labelled('Not shown', COUNT),
      allowedAt: labelled('Watched since', INSTANT),
      allowedBy: TEXT,
    },
  },
});

export const watchToken = describeOperation({
  method: 'POST',
  path: WATCHED_TOKENS,
  name: 'Watch a token',
  summary:
    'Shows transfers of a token that is not listed from the next block on. Earlier ones are registered by hand. It is watched only, not listed: its transfers are returned or dismissed, and those of EVM networks can be credited once the token is listed.',
  roles: ['finance'],
  creates: { name: 'Watch a token' },
  fields: {
    network: { label: 'Network (e.g. ERC20)', kind: 'text' },
    contract: { label: 'Contract of the token, or TRX', kind: 'text' },
    least: { label: 'Smallest amount that is shown', kind: 'decimal' },
  },
  evidence: { facts: TOKEN_FACTS },
});

export const endTokenWatch = describeOperation({
  method: 'POST',
  path: `${WATCHED_TOKENS}/:network/:contract/end`,
  name: 'End the watch',
  summary: 'Transfers of the token are not read any more. Those that were seen stay.',
  roles: ['finance', 'approver'],
  concerns: [WATCHED_TOKENS],
  emphasis: 'danger',
});

export const registerPayment = describeOperation({
  method: 'POST',
  path: '/ops/treasury/register',
  name: 'Register a payment',
  summary:
    'Registers a payment that no channel reports: from inside a contract, of an unlisted token, or a bank paper. It moves nothing until it is decided.',
  roles: ['finance'],
  creates: { name: 'Register a payment' },
  fields: {
    ...PAYMENT_FIELDS,
    remark: { label: 'Where it was seen', kind: 'text' },
  },
});

export const assignArrival = describeOperation({
  method: 'POST',
  path: `${ARRIVALS}/:id/assign`,
  name: 'Assign as capital',
  summary: 'Books an arrival as capital of an account of the house.',
  roles: ['finance'],
  concerns: [ARRIVALS],
  fields: { account: ACCOUNT_FIELD },
  evidence: {
    facts: { ...ARRIVAL_FACTS, account: WORD },
    context: {
      valueNowUsdt: VALUE_NOW,
      onChain: ON_CHAIN,
      depositAddressOf: DEPOSIT_ADDRESS_OF,
      holdsNow: labelled('The account holds', FIGURE),
    },
  },
});

export const returnArrival = describeOperation({
  method: 'POST',
  path: `${ARRIVALS}/:id/return`,
  name: 'Returned to the sender',
  summary:
    'Records that an arrival was sent back to its sender by hand, with the transaction that returned it. “Send back” lets the signer pay it.',
  roles: ['finance'],
  concerns: [ARRIVALS],
  fields: { returnTxid: { label: 'Transaction ID of the return', kind: 'text' } },
  evidence: {
    facts: ARRIVAL_FACTS,
    context: {
      valueNowUsdt: VALUE_NOW,
      onChain: ON_CHAIN,
      depositAddressOf: DEPOSIT_ADDRESS_OF,
    },
  },
});

const RETURNS = '/ops/treasury/returns';
const RETURN_STATE = status({
  approved: 'waits',
  signing: 'waits',
  signed: 'waits',
  sent: 'waits',
  confirming: 'waits',
  cancelling: 'waits',
  done: 'good',
  failed: 'bad',
  cancelled: 'bad',
});
const SENDER_RETURN = {
  network: TEXT,
  asset: TEXT,
  amount: labelled('Sent', amountIn('asset')),
  fee: labelled('Kept for the network', amountIn('asset')),
  address: labelled('To', ID),
  memo: optional(TEXT),
  isFromChain: labelled('Receiver is the sender on the network', FLAG),
  state: RETURN_STATE,
  approvedBy: TEXT,
  reason: TEXT,
  txid: optional(ID),
  arrival: ID,
} as const;

export const sendBackArrival = describeOperation({
  method: 'POST',
  path: `${ARRIVALS}/:id/send-back`,
  name: 'Send back',
  summary:
    'Lets the signer pay an arrival back, less the network’s fee. The receiver is the sender whom the network names; where it names none, or another one is right, the address is typed and the evidence says so. Nothing else can be decided about the arrival until the payment has ended.',
  roles: ['finance'],
  concerns: [ARRIVALS],
  fields: {
    address: {
      label: 'Receiver (empty: the sender on the network)',
      kind: 'text',
      isOptional: true,
      startsFrom: 'sender',
    },
    // The field is initially empty (`isNew`), because the column `memo` of the selected arrival contains the
    // memo of the exchange's receiving address, not one of the sender.
    memo: {
      label: 'Memo of the receiver (empty for none)',
      kind: 'text',
      isOptional: true,
      isNew: true,
    },
    fee: {
      label: 'Fee, in the coin (empty: that of a withdrawal)',
      kind: 'decimal',
      isOptional: true,
    },
  },
  evidence: {
    facts: {
      ...ARRIVAL_FACTS,
      receiver: labelled('Is paid to', ID),
      receiverMemo: optional(labelled('With the memo', TEXT)),
      receiverFrom: labelled('The receiver is from', TEXT),
      fee: labelled('Kept for the network', amountIn('asset')),
      sent: labelled('Sent', amountIn('asset')),
    },
    context: {
      valueNowUsdt: VALUE_NOW,
      onChain: ON_CHAIN,
      depositAddressOf: DEPOSIT_ADDRESS_OF,
      receiverIs: labelled('Known about the receiver', TEXT),
      hotHolds: optional(labelled('The hot wallet holds', FIGURE)),
      earlierReturns: labelled('Returns that were tried before', COUNT),
    },
  },
});

export const senderReturns = describeOperation({
  method: 'GET',
  path: RETURNS,
  name: 'Returns to senders',
  isQueue: true,
  summary:
    'Arrivals that the signer sends back, until their payment is final. One that ends without a payment is among the arrivals again. Oldest first.',
  roles: MONEY_READERS,
  rows: {
    in: 'returns',
    key: ['id'],
    title: ['amount', 'network'],
    since: 'approvedAt',
    shown: [AGE, 'amount', 'fee', 'network', 'state', 'waitsFor', 'address', 'txid'],
    empty: 'Nothing is being sent back.',
    columns: {
      ...SENDER_RETURN,
      waitsFor: optional(labelled('Waits because', TEXT)),
      approvedAt: INSTANT,
      id: ID,
    },
  },
});

export const closedReturns = describeOperation({
  method: 'GET',
  path: '/ops/treasury/closed-returns',
  name: 'Closed returns to senders',
  summary: 'Returns that were paid, that the network rejected, or that were cancelled, newest first.',
  roles: MONEY_READERS,
  rows: {
    in: 'returns',
    key: ['id'],
    title: ['amount', 'network'],
    shown: ['closedAt', 'amount', 'fee', 'network', 'state', 'address', 'txid'],
    empty: 'Nothing was sent back.',
    columns: {
      closedAt: optional(EVENT_TIME),
      ...SENDER_RETURN,
      approvedAt: INSTANT,
      id: ID,
    },
  },
});

export const cancelReturn = describeOperation({
  method: 'POST',
  path: `${RETURNS}/:id/cancel`,
  name: 'Cancel the return',
  summary:
    'Cancels a return. What was signed is replaced by a transfer of nothing, or ends by itself where the network allows no replacement. The arrival is among the arrivals again when it is certain that it was not paid.',
  roles: ['finance'],
  concerns: [RETURNS],
  emphasis: 'danger',
  fields: {
    txid: {
      label: 'Only if a transaction that is not in our records used its nonce: that transaction',
      kind: 'text',
      isOptional: true,
      isNew: true,
    },
  },
});

export const raiseReturnFee = describeOperation({
  method: 'POST',
  path: `${RETURNS}/:id/raise-fee`,
  name: 'Raise the fee of the return',
  summary:
    'Sends the signed transaction of a return again with a higher fee, with a second person. Needed above the bound up to which this happens automatically.',
  roles: ['finance'],
  concerns: [RETURNS],
  appliesWhere: [{ column: 'state', is: ['signed', 'sent', 'cancelling'] }],
  fields: {
    gwei: {
      label: 'Highest fee (Gwei; Bitcoin family: units per virtual byte; XRP: drops)',
      kind: 'text',
    },
  },
  evidence: {
    facts: {
      id: ID,
      network: TEXT,
      asset: TEXT,
      amount: amountIn('asset'),
      address: labelled('To', ID),
      highest: labelled('Highest fee', TEXT),
    },
    context: {
      txid: optional(ID),
      raisedCost: labelled('Costs at most', TEXT),
    },
  },
});

export const addReturnChild = describeOperation({
  method: 'POST',
  path: `${RETURNS}/:id/add-child`,
  name: 'Add a child to the return',
  summary:
    'Bitcoin family: signs a transaction without payments that spends the change of the return’s transaction and pays the fee of both, with a second person. Helps where nodes or miners refuse a replacement.',
  roles: ['finance'],
  concerns: [RETURNS],
  appliesWhere: [{ column: 'state', is: ['signed', 'sent'] }],
  fields: {
    gwei: {
      label: 'Fee of the transaction with all its children (units per virtual byte)',
      kind: 'text',
    },
  },
  evidence: {
    facts: {
      id: ID,
      network: TEXT,
      asset: TEXT,
      amount: amountIn('asset'),
      address: labelled('To', ID),
      highest: labelled('Highest fee', TEXT),
    },
    context: {
      txid: optional(ID),
      raisedCost: labelled('Costs at most', TEXT),
    },
  },
});

export const dismissArrival = describeOperation({
  method: 'POST',
  path: `${ARRIVALS}/:id/dismiss`,
  name: 'Dismiss',
  summary: 'Closes an arrival that is nobody’s money: a transfer between own wallets, or a worthless token.',
  roles: ['finance'],
  concerns: [ARRIVALS],
  emphasis: 'danger',
  evidence: {
    facts: ARRIVAL_FACTS,
    context: {
      valueNowUsdt: VALUE_NOW,
      onChain: ON_CHAIN,
      depositAddressOf: DEPOSIT_ADDRESS_OF,
    },
  },
});

export const creditArrival = describeOperation({
  method: 'POST',
  path: `${ARRIVALS}/:id/credit`,
  name: 'Credit to a user',
  summary: 'Credits an arrival to the user whom it was meant for, as a deposit.',
  roles: ['finance'],
  concerns: [ARRIVALS],
  emphasis: 'main',
  fields: { owner: { label: 'User (UID, email address or ID)', kind: 'text' } },
  evidence: {
    facts: {
      ...ARRIVAL_FACTS,
      owner: USER,
      uid: optional(UID),
      email: optional(emailOf('owner')),
    },
    context: {
      valueNowUsdt: VALUE_NOW,
      onChain: ON_CHAIN,
      depositAddressOf: DEPOSIT_ADDRESS_OF,
    },
  },
});

export const payments = describeOperation({
  method: 'GET',
  path: '/ops/treasury/payments',
  name: 'Payments',
  summary: 'Capital and fees that left, and network fees of payments, newest first.',
  roles: MONEY_READERS,
  rows: {
    in: 'payments',
    key: ['id'],
    title: ['amount', 'account'],
    columns: {
      paidAt: EVENT_TIME,
      kind: WORD,
      account: WORD,
      asset: TEXT,
      amount: amountIn('asset'),
      network: TEXT,
      txid: ID,
      output: ORDINAL,
      by: TEXT,
      reason: TEXT,
      id: ID,
    },
  },
});

export const payOut = describeOperation({
  method: 'POST',
  path: '/ops/treasury/pay',
  name: 'Book a payment',
  summary: 'Books capital or earned fees that left the house by a transaction.',
  roles: ['finance'],
  creates: { name: 'Book a payment' },
  fields: { account: ACCOUNT_FIELD, ...PAYMENT_FIELDS },
  evidence: {
    facts: {
      account: WORD,
      asset: TEXT,
      amount: amountIn('asset'),
      network: TEXT,
      txid: ID,
      output: ORDINAL,
    },
    context: {
      valueNowUsdt: VALUE_NOW,
      onChain: ON_CHAIN,
      holdsNow: labelled('The account holds', FIGURE),
    },
  },
});

export const corrections = describeOperation({
  method: 'GET',
  path: '/ops/treasury/corrections',
  name: 'Corrections',
  summary: 'Corrections between users and the house with their cases, newest first.',
  roles: MONEY_READERS,
  rows: {
    in: 'corrections',
    key: ['id'],
    title: ['amount', 'side'],
    columns: {
      postedAt: EVENT_TIME,
      owner: USER,
      side: WORD,
      asset: TEXT,
      amount: amountIn('asset'),
      account: WORD,
      caseRef: labelled('Case', TEXT),
      by: TEXT,
      reason: TEXT,
      id: ID,
    },
  },
});

export const correctBalance = describeOperation({
  method: 'POST',
  path: `${USER_PAGE}/correct`,
  name: 'Correct the balance',
  summary:
    'Credits or debits a user’s spot balance against an account of the house, with its case. A debit above the balance leaves a debt that the user sees.',
  roles: ['finance'],
  concerns: [USER_PAGE],
  fields: {
    side: {
      label: 'Credit or debit',
      kind: 'choice',
      choices: ['credit', 'debit'],
    },
    asset: { label: 'Coin', kind: 'text' },
    amount: { label: 'Amount', kind: 'decimal' },
    account: ACCOUNT_FIELD,
    caseRef: { label: 'Case (number of the ticket)', kind: 'text' },
  },
  evidence: {
    facts: {
      owner: USER,
      uid: optional(UID),
      email: optional(emailOf('owner')),
      side: WORD,
      asset: TEXT,
      amount: amountIn('asset'),
      account: WORD,
      caseRef: labelled('Case', TEXT),
    },
    context: {
      valueNowUsdt: VALUE_NOW,
      availableNow: labelled('The user has available', FIGURE),
      becomesDebt: optional(labelled('Becomes a debt', FIGURE)),
      houseHoldsNow: labelled('The account holds', FIGURE),
    },
  },
});

export const debts = describeOperation({
  method: 'GET',
  path: DEBTS,
  name: 'Debts',
  isQueue: true,
  summary: 'What users owe the house, oldest first. Their next deposits pay it.',
  roles: MONEY_READERS,
  rows: {
    in: 'debts',
    key: ['id'],
    title: ['remaining', 'cause'],
    since: 'createdAt',
    shown: [AGE, 'remaining', 'amount', 'cause', 'owner'],
    empty: 'Nobody owes the house anything.',
    columns: {
      owner: USER,
      asset: TEXT,
      amount: amountIn('asset'),
      paid: amountIn('asset'),
      remaining: amountIn('asset'),
      cause: WORD,
      reason: TEXT,
      createdAt: INSTANT,
      id: ID,
    },
  },
});

const DEBT_EVIDENCE = {
  facts: {
    id: ID,
    owner: USER,
    uid: optional(UID),
    email: optional(emailOf('owner')),
    asset: TEXT,
    amount: amountIn('asset'),
    cause: WORD,
    becauseOf: labelled('Because of', TEXT),
    paysTo: labelled('Pays to', WORD),
    createdAt: INSTANT,
    account: optional(WORD),
  },
  context: { paid: labelled('Paid so far', FIGURE), remaining: FIGURE },
} as const;

export const writeOffDebt = describeOperation({
  method: 'POST',
  path: `${DEBTS}/:id/write-off`,
  name: 'Write off',
  summary: 'Ends a debt that nobody will pay; an account of the house pays what is missing outside.',
  roles: ['finance'],
  concerns: [DEBTS],
  emphasis: 'danger',
  fields: { account: ACCOUNT_FIELD },
  evidence: DEBT_EVIDENCE,
});

export const cancelDebt = describeOperation({
  method: 'POST',
  path: `${DEBTS}/:id/cancel`,
  name: 'Cancel',
  summary: 'Cancels a debt that was raised in error; its owner gets back what was paid.',
  roles: ['finance'],
  concerns: [DEBTS],
  evidence: DEBT_EVIDENCE,
});

export const pauses = describeOperation({
  method: 'GET',
  path: PAUSES,
  name: 'Paused coins',
  isQueue: true,
  summary:
    'Coins of which less is held than users own: nothing of them is sent, and large deposits wait, until two persons lift it.',
  roles: MONEY_READERS,
  rows: {
    in: 'pauses',
    key: ['asset'],
    title: ['asset'],
    since: 'since',
    shown: [AGE, 'asset', 'missing', 'missingNow'],
    empty: 'No coin is short.',
    columns: {
      asset: TEXT,
      missing: amountIn('asset'),
      missingNow: labelled('Missing at the last comparison', amountIn('asset')),
      since: INSTANT,
    },
  },
});

export const liftPause = describeOperation({
  method: 'POST',
  path: `${PAUSES}/:asset/lift`,
  name: 'Lift the pause',
  summary: 'Lifts the pause of a coin and accepts its shortage for a day.',
  roles: ['finance', 'approver'],
  concerns: [PAUSES],
  evidence: {
    facts: {
      asset: TEXT,
      missing: amountIn('asset'),
      pausedAt: INSTANT,
    },
    context: { missingNow: labelled('Missing at the last comparison', FIGURE) },
  },
});

const WALLET_TRANSFERS = '/ops/treasury/transfers';
const WALLET_TRANSFER = {
  kind: WORD,
  network: TEXT,
  asset: TEXT,
  amount: amountIn('asset'),
  source: labelled('From', ID),
  destination: labelled('To', ID),
  state: WORD,
  approvedBy: optional(TEXT),
  txid: optional(ID),
} as const;

export const hotWallets = describeOperation({
  method: 'GET',
  path: '/ops/treasury/hot-wallets',
  name: 'Hot wallets',
  summary:
    'Coins of the wallets that pay withdrawals, with the bounds of the settings and what approved withdrawals take that are in no block yet.',
  roles: MONEY_READERS,
  rows: {
    in: 'wallets',
    key: ['network', 'asset'],
    title: ['asset', 'network'],
    shown: ['asset', 'network', 'state', 'balance', 'needed', 'least', 'target', 'most'],
    empty: 'No bounds are configured (EVM_HOT_BOUNDS): no hot wallet is watched, and no refill is requested.',
    columns: {
      network: TEXT,
      asset: TEXT,
      state: status({ short: 'bad', full: 'waits', enough: 'good', unknown: 'waits' }),
      balance: optional(labelled('Holds', amountIn('asset'))),
      needed: labelled('For withdrawals', amountIn('asset')),
      least: amountIn('asset'),
      target: amountIn('asset'),
      most: amountIn('asset'),
      wallet: ID,
      cold: optional(labelled('Cold wallet', ID)),
    },
  },
});

export const walletTransfers = describeOperation({
  method: 'GET',
  path: WALLET_TRANSFERS,
  name: 'Refills and surplus',
  isQueue: true,
  summary:
    'Refills that people send from the cold wallet to the hot wallet, which end when they arrive, and surplus that goes back to the cold wallet after two persons approved it. Oldest first.',
  roles: MONEY_READERS,
  rows: {
    in: 'transfers',
    key: ['id'],
    title: ['kind', 'amount'],
    since: 'createdAt',
    shown: [AGE, 'kind', 'amount', 'network', 'state', 'holdsNow', 'source', 'destination'],
    empty: 'No hot wallet needs a refill or has a surplus.',
    columns: {
      ...WALLET_TRANSFER,
      holdsNow: optional(labelled('The hot wallet holds', amountIn('asset'))),
      createdAt: INSTANT,
      id: ID,
    },
  },
});

export const closedTransfers = describeOperation({
  method: 'GET',
  path: '/ops/treasury/closed-transfers',
  name: 'Closed refills and surplus',
  summary: 'Transfers between hot and cold wallets that ended or were not needed any more, newest first.',
  roles: MONEY_READERS,
  rows: {
    in: 'transfers',
    key: ['id'],
    title: ['kind', 'amount'],
    columns: {
      closedAt: optional(EVENT_TIME),
      ...WALLET_TRANSFER,
      received: optional(labelled('Arrived', amountIn('asset'))),
      createdAt: INSTANT,
      id: ID,
    },
  },
});

export const moveSurplus = describeOperation({
  method: 'POST',
  path: `${WALLET_TRANSFERS}/:id/move`,
  name: 'Move to the cold wallet',
  summary:
    'Lets the signer move the surplus to the cold wallet of the settings. The signer refuses any other receiver.',
  roles: ['finance'],
  concerns: [WALLET_TRANSFERS],
  appliesWhere: [
    { column: 'kind', is: ['surplus'] },
    { column: 'state', is: ['open'] },
  ],
  emphasis: 'main',
  evidence: {
    facts: {
      network: TEXT,
      asset: TEXT,
      amount: amountIn('asset'),
      source: labelled('From', ID),
      destination: labelled('To', ID),
      id: ID,
    },
    context: {
      holdsNow: optional(labelled('The hot wallet holds', FIGURE)),
      needed: optional(labelled('For withdrawals', FIGURE)),
      remains: optional(labelled('Remains', FIGURE)),
      valueNowUsdt: VALUE_NOW,
    },
  },
});

export const cancelSurplus = describeOperation({
  method: 'POST',
  path: `${WALLET_TRANSFERS}/:id/cancel`,
  name: 'Cancel the move',
  summary: 'Cancels an approved move. What was signed is replaced by a transfer of nothing.',
  roles: ['finance'],
  concerns: [WALLET_TRANSFERS],
  appliesWhere: [
    { column: 'kind', is: ['surplus'] },
    { column: 'state', is: ['approved'] },
  ],
});

const SWEEP_NETWORKS = '/ops/treasury/sweep-networks';
const SWEEP = {
  network: TEXT,
  asset: TEXT,
  amount: amountIn('asset'),
  address: labelled('From', ID),
  destination: labelled('To', ID),
  state: WORD,
  coin: optional(labelled('Coin of the fees', TEXT)),
  gas: optional(labelled('Gas sent first', amountIn('coin'))),
  fee: labelled('Network fees', amountIn('coin')),
  gasTxid: optional(labelled('Transaction of the gas', ID)),
  txid: optional(ID),
} as const;

export const sweepNetworks = describeOperation({
  method: 'GET',
  path: SWEEP_NETWORKS,
  name: 'Sweeps by network',
  summary:
    'Networks whose deposit addresses are swept into the hot wallet, with what is open, and what was swept and its gas in the last 24 hours.',
  roles: MONEY_READERS,
  rows: {
    in: 'networks',
    key: ['network'],
    title: ['network'],
    shown: [
      'network',
      'state',
      'planned',
      'inFlight',
      'stuck',
      'sweptDay',
      'failedDay',
      'gasDay',
      'coin',
      'reason',
    ],
    empty:
      'No deposit address is swept (EVM_SWEEP_FACTOR, or EVM_SWEEP_LEAST where the coin of the gas is not listed): coins stay where users sent them.',
    columns: {
      network: TEXT,
      coin: TEXT,
      state: status({ running: 'good', paused: 'waits', unread: 'waits', stuck: 'bad' }),
      planned: COUNT,
      inFlight: labelled('In flight', COUNT),
      stuck: COUNT,
      sweptDay: labelled('Swept in 24 h', COUNT),
      failedDay: labelled('Failed in 24 h', COUNT),
      gasDay: labelled('Gas in 24 h', amountIn('coin')),
      wallet: labelled('Hot wallet', ID),
      pausedBy: optional(labelled('Paused by', TEXT)),
      reason: optional(TEXT),
    },
  },
});

export const sweeps = describeOperation({
  method: 'GET',
  path: '/ops/treasury/sweeps',
  name: 'Open sweeps',
  summary:
    'Transfers of coins from deposit addresses into the hot wallet that are not confirmed, oldest first. They need no decision; after two hours they are stuck.',
  roles: MONEY_READERS,
  rows: {
    in: 'sweeps',
    key: ['id'],
    title: ['asset', 'amount'],
    since: 'createdAt',
    shown: [AGE, 'asset', 'amount', 'network', 'state', 'waitsFor', 'address'],
    empty: 'Nothing is being swept.',
    columns: {
      ...SWEEP,
      waitsFor: optional(labelled('Waits because', TEXT)),
      createdAt: INSTANT,
      id: ID,
    },
  },
});

export const closedSweeps = describeOperation({
  method: 'GET',
  path: '/ops/treasury/closed-sweeps',
  name: 'Closed sweeps',
  summary: 'Sweeps that were confirmed, failed, or were dropped before anything was signed, newest first.',
  roles: MONEY_READERS,
  rows: {
    in: 'sweeps',
    key: ['id'],
    title: ['asset', 'amount'],
    since: 'closedAt',
    shown: [AGE, 'asset', 'amount', 'network', 'state', 'fee', 'reason', 'txid'],
    empty: 'No sweep has ended.',
    columns: {
      ...SWEEP,
      reason: optional(TEXT),
      createdAt: INSTANT,
      closedAt: optional(INSTANT),
      id: ID,
    },
  },
});

export const pauseSweeps = describeOperation({
  method: 'POST',
  path: `${SWEEP_NETWORKS}/:network/pause`,
  name: 'Pause sweeps',
  summary:
    'Nothing more is planned or signed for deposit addresses of the network. What was signed is followed.',
  roles: ['finance', 'approver'],
  concerns: [SWEEP_NETWORKS],
  appliesWhere: [{ column: 'state', is: ['running', 'unread', 'stuck'] }],
});

export const resumeSweeps = describeOperation({
  method: 'POST',
  path: `${SWEEP_NETWORKS}/:network/resume`,
  name: 'Resume sweeps',
  summary: 'Deposit addresses of the network are swept again.',
  roles: ['finance', 'approver'],
  concerns: [SWEEP_NETWORKS],
  appliesWhere: [{ column: 'state', is: ['paused'] }],
});
