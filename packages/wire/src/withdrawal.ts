import {
  OWNER_REASONS,
  WITHDRAWAL_GAP_SECONDS,
  WITHDRAWAL_STAGES,
  WITHDRAWALS_PER_DAY,
} from '@exchange/core/network.ts';
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
import { networkField, networkPause } from './deposit.ts';
import { keepCompatibilityForms } from './spelling.ts';
import { endpoint, signedInRead, sessionAlone, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';
import { mailCodeField, tradePasswordField } from './step-up.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };
const addressField = text(120);
const memoField = z.optional(text(64));
/** 1 if the user confirms that the recipient needs no memo, on a network with memos. */
const withoutMemoField = z.optional(flag);
const remarkField = z.optional(keepCompatibilityForms(text(60)));

/** Values of a withdrawal's field `status`. */
export const WITHDRAWAL_STATUS = {
  pending: 0,
  finished: 1,
  rejected: 2,
  processing: 3,
  failed: 4,
  cancelled: 5,
  returned: 6,
} as const;

export const withdrawalConfig = endpoint({
  path: '/withdraw/getConfig',
  summary: 'Limits of withdrawals of a coin on a network, their used parts, and holds.',
  access: sessionAlone('reads'),
  charge: signedInRead(2),
  fields: { currency: coin, network: networkField },
  data: z.object({
    min: decimalText,
    max: decimalText,
    fee: decimalText,
    /**
     * 1 if `fee` follows the network's cost and can change every minute; 0 if it is the fixed fee. The fixed fee also
     * applies while the network's cost is unknown, so `feeLive` can change from 0 to 1 at any time.
     */
    feeLive: z.optional(flagNumber),
    /** Maximum number of decimals of a withdrawn amount. */
    precision: z.int(),
    available: decimalText,
    /** Index price of the coin in USDT; absent while it is unknown. */
    price: z.optional(decimalText),
    dayLimit: decimalText,
    dayUsed: decimalText,
    monthLimit: decimalText,
    monthUsed: decimalText,
    /**
     * Maximum value in USDT of the user's withdrawals in any 24 hours that are sent without a review; only withdrawals
     * to addresses in the address book are sent without a review.
     */
    autoLimit: decimalText,
    /** Time in milliseconds UTC at which a hold on the user's withdrawals ends; 0 without a hold. */
    holdUntil: z.int(),
    memoNeeded: flagNumber,
    /**
     * 1 while withdrawals of the coin on this network are refused, because operators have paused withdrawals on the
     * network or halted the coin, or because the exchange has no way to send the coin on the network (`channel` is
     * `none`); otherwise 0.
     */
    paused: flagNumber,
    /** The operators' pause of withdrawals on the network; absent while there is none. */
    pause: z.optional(networkPause),
    whitelistOnly: flagNumber,
    /**
     * Maximum number of the user's withdrawal requests within 24 hours, for all coins and networks together;
     * `requestsUsed` is the number of accepted requests in the last 24 hours, including withdrawals that operators
     * refused or returned later.
     */
    requestLimit: z.int(),
    requestsUsed: z.int(),
    /**
     * Time in milliseconds UTC from which the user can request the next withdrawal; 0 if it is possible now.
     */
    nextRequestTime: z.int(),
    channel: z.enum(['demo', 'evm', 'utxo', 'xrp', 'tron', 'none']),
    /**
     * Value of a withdrawal in USDT from which the user must state the recipient; absent if a recipient is never
     * required.
     */
    recipientFrom: z.optional(decimalText),
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
  /** URL of a block explorer's page about the transaction; absent if there is no such page. */
  explorer: z.optional(z.string()),
  confirm: z.int(),
  needConfirm: z.int(),
  status: z.union([
    z.literal(0),
    z.literal(1),
    z.literal(2),
    z.literal(3),
    z.literal(4),
    z.literal(5),
    z.literal(6),
  ]),
  /**
   * Progress of a withdrawal that is being processed. `refused`: the network does not accept the payment, and
   * the exchange tries again. `byHand`: operators pay it from another wallet; `returning`: it will not be
   * sent, and its amount is being returned. `paused`, which is also possible during the review: the sending
   * of the coin or all sending on the network is paused. Absent in all other cases.
   */
  stage: z.optional(z.enum(WITHDRAWAL_STAGES)),
  reason: z.optional(z.enum(OWNER_REASONS)),
  createTime: instantMs,
  /**
   * Promised time of completion: 24 hours after the request, or if the withdrawal may only be sent later, 24 hours
   * after that time.
   */
  promiseTime: instantMs,
  /**
   * Time from which the withdrawal may be sent: 24 hours after the address was first saved or first used for a
   * withdrawal. Absent if no such wait applies.
   */
  addressTime: z.optional(instantMs),
  finishTime: z.optional(instantMs),
});

/**
 * The recipient of a withdrawal; the request must contain it if the value of the withdrawal in USDT is at
 * least `recipientFrom` of `/withdraw/getConfig`.
 */
const recipientFields = {
  /** 1 if the caller is the recipient, with a wallet or account of the caller's own. */
  recipientOwn: z.optional(flag),
  /** Full name of the recipient, if it is not the caller. */
  recipientName: z.optional(text(100)),
  /** Name of the exchange or other provider to which the address belongs; absent for a private wallet. */
  recipientProvider: z.optional(text(100)),
};

/** Request fields to which the email code of a withdrawal is bound. */
const CODE_FIELDS = ['currency', 'network', 'amount', 'addressId', 'address', 'memo', 'withoutMemo'] as const;
const withdrawalFields = {
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
    'A preview of a withdrawal: fee, received amount and promised time. Refused in the same cases as `/withdraw/submit`. It holds no funds; send `fee` with the submission.',
  access: { who: 'user', verified: true, sessionAlone: 'reads' },
  charge: signedInRead(2),
  fields: { ...withdrawalFields, ...recipientFields, remark: remarkField },
  data: z.object({
    currency: z.string(),
    network: z.string(),
    /** Address in the format in which it is stored: an X-address is converted to account and tag. */
    address: z.string(),
    memo: z.optional(z.string()),
    amount: decimalText,
    fee: decimalText,
    /** Amount of the withdrawn coin that the recipient receives, after the fee. */
    realAmount: decimalText,
    /** Value of the withdrawal for the limits, in USDT at the index price. */
    value: decimalText,
    dayLimit: decimalText,
    dayUsed: decimalText,
    monthLimit: decimalText,
    monthUsed: decimalText,
    /** 1 if operators will review the withdrawal before it is sent, otherwise 0. */
    reviewed: flagNumber,
    /** Promised time of completion of the withdrawal. */
    promiseTime: instantMs,
    /**
     * Time from which the withdrawal may be sent: 24 hours after the address was first saved or first used for a
     * withdrawal. Absent if that time has passed.
     */
    addressTime: z.optional(instantMs),
  }),
});

export const sendWithdrawalCode = endpoint({
  path: '/withdraw/sendCode',
  summary:
    'Mails the code of one withdrawal; the mail names amount and address, and the code is valid only for `/withdraw/submit` with the same fields. `wait` is in seconds.',
  access: { who: 'user', verified: true, sessionAlone: 'mailsCode' },
  charge: { limit: 'mail', weight: 1 },
  fields: withdrawalFields,
  data: z.object({ wait: z.int() }),
});

export const submitWithdrawal = endpoint({
  path: '/withdraw/submit',
  summary: `Requests a withdrawal to an address; the amount is held immediately and includes the fee. At most ${WITHDRAWALS_PER_DAY} requests are accepted within 24 hours, and one request in ${WITHDRAWAL_GAP_SECONDS} seconds. \`fee\` is the displayed fee: the request is refused if the fee has risen since, and the lower fee is charged if it has fallen. A repetition with the same \`clientId\` does not count.`,
  access: {
    who: 'user',
    verified: true,
    tradePassword: true,
    mailCode: 'withdraw',
    mailCodeBinds: CODE_FIELDS,
  },
  charge: transfer,
  spacing: { charge: { limit: 'withdrawal', weight: 1 }, refusalKey: 'l.withdraw_often' },
  idempotent: true,
  fields: {
    ...withdrawalFields,
    ...recipientFields,
    fee: z.optional(decimalOrNone),
    remark: remarkField,
    ...tradePasswordField,
    ...mailCodeField,
  },
  data: withdrawalRow,
});

export const cancelWithdrawal = endpoint({
  path: '/withdraw/cancel',
  summary: 'Cancels a pending withdrawal; a repeated request gets the same answer.',
  access: sessionAlone('keepsFunds'),
  charge: transfer,
  idempotent: true,
  fields: { id },
  data: withdrawalRow,
});

export const withdrawalRecords = endpoint({
  path: '/withdraw/getRecord',
  summary: 'The caller’s withdrawals, newest first.',
  access: sessionAlone('reads'),
  charge: signedInRead(2),
  fields: {
    currency: z.optional(coin),
    status: z.optional(z.enum(['0', '1', '2', '3', '4', '5', '6'], 'l.field_choice')),
    ...pagingFields,
  },
  data: pageOf(withdrawalRow),
});

export const withdrawalDetail = endpoint({
  path: '/withdraw/getDetail',
  summary: 'One of the caller’s withdrawals.',
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
  /** Time from which the user may withdraw to this address; an earlier withdrawal request is refused. */
  activeTime: instantMs,
  createTime: instantMs,
  /** Time of the last withdrawal to this address; absent if there was none, and in responses other than the list. */
  lastTime: z.optional(instantMs),
});

export const addressList = endpoint({
  path: '/address/getList',
  summary: 'The caller’s address book, newest first, and whether withdrawals are restricted to it.',
  access: sessionAlone('reads'),
  charge: signedInRead(1),
  fields: { currency: z.optional(coin), network: z.optional(networkField), ...pagingFields },
  data: z.extend(pageOf(addressRow), {
    whitelistOnly: flagNumber,
    /** Time at which the restriction to the address book will end, if the user has requested that; otherwise absent. */
    whitelistOffTime: z.optional(instantMs),
    most: z.int(),
  }),
});

export const addAddress = endpoint({
  path: '/address/add',
  summary:
    'Adds an address to the address book; nothing is sent to it until 24 hours after it was first saved or used for a withdrawal.',
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
  summary: 'Changes the remark of an address; without `remark` the remark is removed.',
  access: sessionAlone('personalises'),
  charge: transfer,
  fields: { id, remark: remarkField },
  data: addressRow,
});

export const removeAddress = endpoint({
  path: '/address/delete',
  summary:
    'Removes an address from the book, with a code mailed for this address only. A repetition with the same `clientId` gets the same answer; removing a removed address changes nothing.',
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
  summary:
    'Restricts withdrawals to the address book, effective immediately; switching it off takes effect after 24 hours.',
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
