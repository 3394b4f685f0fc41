import { OWNER_REASONS, WITHDRAWAL_GAP_SECONDS, WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import * as z from 'zod/mini';
import {
  coin,
  decimalOrNone,
  decimalText,
  flag,
  flagNumber,
  id,
  instantMs,
  positiveDecimal,
  text,
} from './codecs.ts';
import { networkField } from './deposit.ts';
import { asWritten } from './spelling.ts';
import { endpoint, signedInRead, sessionAlone, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';
import { mailCodeField, tradePasswordField } from './step-up.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };
const addressField = text(120);
const memoField = z.optional(text(64));
/** On a network with memos: the recipient's own wallet needs none, which the recipient has confirmed. */
const withoutMemoField = z.optional(flag);
const remarkField = z.optional(asWritten(text(60)));

/** `status`: 0 pending review, 1 finished, 2 rejected, 3 processing, 4 failed, 5 cancelled. */
export const WITHDRAWAL_STATUS = {
  pending: 0,
  finished: 1,
  rejected: 2,
  processing: 3,
  failed: 4,
  cancelled: 5,
} as const;

export const withdrawalConfig = endpoint({
  path: '/withdraw/getConfig',
  summary: 'What may be withdrawn of a coin on a network, what of the limits is used, and what holds it.',
  access: sessionAlone('reads'),
  charge: signedInRead(2),
  fields: { currency: coin, network: networkField },
  data: z.object({
    min: decimalText,
    max: decimalText,
    fee: decimalText,
    /** Decimals of the amount. */
    precision: z.int(),
    available: decimalText,
    /** In USDT at the index. */
    price: z.optional(decimalText),
    dayLimit: decimalText,
    dayUsed: decimalText,
    monthLimit: decimalText,
    monthUsed: decimalText,
    /** Up to this much, in USDT, goes out by itself within 24 hours. */
    autoLimit: decimalText,
    /** When a hold for the account's safety ends; 0 for none. */
    holdUntil: z.int(),
    memoNeeded: flagNumber,
    /** 1: nothing goes out on this network now. */
    paused: flagNumber,
    whitelistOnly: flagNumber,
    /** Withdrawals that may be asked for within 24 hours, and those that were, whatever became of them. */
    requestLimit: z.int(),
    requestsUsed: z.int(),
    /** When the next one may be asked for; 0 for now. */
    nextRequestTime: z.int(),
    channel: z.enum(['demo', 'evm', 'none']),
  }),
});

export const withdrawalRow = z.object({
  id: z.string(),
  currency: z.string(),
  network: z.string(),
  address: z.string(),
  memo: z.optional(z.string()),
  amount: decimalText,
  realAmount: decimalText,
  fee: decimalText,
  remark: z.optional(z.string()),
  txid: z.optional(z.string()),
  confirm: z.int(),
  needConfirm: z.int(),
  status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]),
  reason: z.optional(z.enum(OWNER_REASONS)),
  createTime: instantMs,
  /** Until when it is promised to be done. */
  promiseTime: instantMs,
  /** From when it may leave: 24 hours after its address was first kept or withdrawn to. */
  addressTime: z.optional(instantMs),
  finishTime: z.optional(instantMs),
});

/** What a withdrawal's mailed code is bound to. */
const BOUND = ['currency', 'network', 'amount', 'addressId', 'address', 'memo', 'withoutMemo'] as const;
const place = {
  currency: coin,
  network: networkField,
  amount: positiveDecimal,
  addressId: z.optional(id),
  address: z.optional(addressField),
  memo: memoField,
  withoutMemo: withoutMemoField,
};

export const withdrawalQuote = endpoint({
  path: '/withdraw/quote',
  summary:
    'What becomes of a withdrawal that is submitted now: its fee, what arrives and until when it is promised. Refused wherever `/withdraw/submit` would be. It holds nothing; send `fee` along with the submission.',
  access: { who: 'user', verified: true, sessionAlone: 'reads' },
  charge: signedInRead(2),
  fields: { ...place, remark: remarkField },
  data: z.object({
    currency: z.string(),
    network: z.string(),
    /** As it is stored: an X-address is its account and tag. */
    address: z.string(),
    memo: z.optional(z.string()),
    amount: decimalText,
    fee: decimalText,
    /** What arrives. */
    realAmount: decimalText,
    /** What counts of the limits, in USDT at the index. */
    value: decimalText,
    dayLimit: decimalText,
    dayUsed: decimalText,
    monthLimit: decimalText,
    monthUsed: decimalText,
    /** 1: somebody looks at it before it leaves. */
    reviewed: flagNumber,
    /** Until when it is promised to be done. */
    promiseTime: instantMs,
    /** From when it may leave, where that is later than now: 24 hours after its address was first kept or withdrawn to. */
    addressTime: z.optional(instantMs),
  }),
});

export const sendWithdrawalCode = endpoint({
  path: '/withdraw/sendCode',
  summary:
    'Mails the code of one withdrawal: it names amount and address, and is good for `/withdraw/submit` with the very same only. `wait` is in seconds.',
  access: { who: 'user', verified: true, sessionAlone: 'mailsCode' },
  charge: { limit: 'mail', weight: 1 },
  fields: place,
  data: z.object({ wait: z.int() }),
});

export const submitWithdrawal = endpoint({
  path: '/withdraw/submit',
  summary: `Asks for coins to be sent to an address; the amount is held at once and the fee is taken from it. At most ${WITHDRAWALS_PER_DAY} are taken within 24 hours, and one request in ${WITHDRAWAL_GAP_SECONDS} seconds. With \`fee\`, the fee that was shown, it is refused when another fee is in force by now. The same one sent again under its \`clientId\` is none.`,
  access: { who: 'user', verified: true, tradePassword: true, mailCode: 'withdraw', mailCodeBinds: BOUND },
  charge: transfer,
  spacing: { charge: { limit: 'withdrawal', weight: 1 }, told: 'l.withdraw_often' },
  idempotent: true,
  fields: {
    ...place,
    fee: z.optional(decimalOrNone),
    remark: remarkField,
    ...tradePasswordField,
    ...mailCodeField,
  },
  data: withdrawalRow,
});

export const cancelWithdrawal = endpoint({
  path: '/withdraw/cancel',
  summary: 'Takes back a withdrawal that is still pending; a second time gives the same answer.',
  access: sessionAlone('keepsFunds'),
  charge: transfer,
  idempotent: true,
  fields: { id },
  data: withdrawalRow,
});

export const withdrawalRecords = endpoint({
  path: '/withdraw/getRecord',
  summary: 'The own withdrawals, newest first.',
  access: sessionAlone('reads'),
  charge: signedInRead(2),
  fields: {
    currency: z.optional(coin),
    status: z.optional(z.enum(['0', '1', '2', '3', '4', '5'], 'l.field_choice')),
    ...pagingFields,
  },
  data: pageOf(withdrawalRow),
});

export const withdrawalDetail = endpoint({
  path: '/withdraw/getDetail',
  summary: 'One of the own withdrawals.',
  access: sessionAlone('reads'),
  charge: signedInRead(1),
  fields: { id },
  data: withdrawalRow,
});

export const addressRow = z.object({
  id: z.string(),
  currency: z.string(),
  network: z.string(),
  address: z.string(),
  memo: z.optional(z.string()),
  remark: z.optional(z.string()),
  /** From when coins can be sent to it. */
  activeTime: instantMs,
  createTime: instantMs,
  /** When coins were last withdrawn to it, where any were; in the list alone. */
  lastTime: z.optional(instantMs),
});

export const addressList = endpoint({
  path: '/address/getList',
  summary: 'The own address book, newest first, and whether only its addresses may be withdrawn to.',
  access: sessionAlone('reads'),
  charge: signedInRead(1),
  fields: { currency: z.optional(coin), network: z.optional(networkField), ...pagingFields },
  data: z.extend(pageOf(addressRow), {
    whitelistOnly: flagNumber,
    /** While the switch is being turned off: when that takes effect. */
    whitelistOffTime: z.optional(instantMs),
    most: z.int(),
  }),
});

export const addAddress = endpoint({
  path: '/address/add',
  summary:
    'Keeps an address to withdraw to; nothing is sent to it until 24 hours after it was first kept or withdrawn to.',
  access: {
    who: 'user',
    tradePassword: true,
    mailCode: 'address',
    mailCodeBinds: ['currency', 'network', 'address', 'memo', 'withoutMemo'],
  },
  charge: transfer,
  idempotent: true,
  fields: {
    currency: coin,
    network: networkField,
    address: addressField,
    memo: memoField,
    withoutMemo: withoutMemoField,
    remark: remarkField,
    ...tradePasswordField,
    ...mailCodeField,
  },
  data: addressRow,
});

export const renameAddress = endpoint({
  path: '/address/update',
  summary: 'Changes the remark of an address; without one it is removed.',
  access: sessionAlone('personalises'),
  charge: transfer,
  fields: { id, remark: remarkField },
  data: addressRow,
});

export const removeAddress = endpoint({
  path: '/address/delete',
  summary:
    'Removes an address from the book, with a code mailed for this address alone. The same call sent again under its `clientId` gives the same answer; one that is removed already is left as it is.',
  access: {
    who: 'user',
    tradePassword: true,
    mailCode: 'address',
    mailCodeBinds: ['id'],
  },
  charge: transfer,
  idempotent: true,
  fields: {
    id,
    ...tradePasswordField,
    ...mailCodeField,
  },
  data: z.object({}),
});

export const setWhitelist = endpoint({
  path: '/address/setWhitelist',
  summary: 'Lets withdrawals go to the address book only, at once; turning that off takes 24 hours.',
  access: {
    who: 'user',
    ownAccount: true,
    tradePassword: true,
    mailCode: 'address',
    mailCodeBinds: ['on'],
  },
  charge: transfer,
  idempotent: true,
  fields: { on: flag, ...tradePasswordField, ...mailCodeField },
  data: z.object({ whitelistOnly: flagNumber, whitelistOffTime: z.optional(instantMs) }),
});
