import { PROOF_OWNER_REASONS } from '@exchange/core/deposit-proof.ts';
import { isUuid } from '@exchange/core/ids.ts';
import * as z from 'zod/mini';
import { keepCompatibilityForms } from './spelling.ts';
import { coin, decimalText, flagNumber, id, instantMs, positiveDecimal, text } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/** Code of a network, e.g. `TRC20`. */
export const networkField = z.pipe(
  z.string('l.field_required').check(z.regex(/^[A-Za-z0-9]{2,10}$/, 'l.field_invalid')),
  z.transform((value: string) => value.toUpperCase()),
);

/** Id of an uploaded picture. A missing or empty field is refused with instructions. */
const proofField = z.string('l.proof_required').check(
  z.refine((value) => value !== '', { error: 'l.proof_required', abort: true }),
  z.refine(isUuid, 'l.field_invalid'),
);

/** A pause of deposits or withdrawals on a network; `note` in the caller's language. */
export const networkPause = z.object({
  note: z.string(),
  since: instantMs,
  /** Expected end of the pause; absent if unknown. */
  expectedTime: z.optional(instantMs),
});

/** `status`: 0 pending, 1 finished, 2 rejected. */
export const DEPOSIT_STATUS = { pending: 0, finished: 1, rejected: 2 } as const;

export const depositCoins = endpoint({
  path: '/recharge/getCoinList',
  summary: 'The coins that can be deposited and withdrawn, with the networks of each.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({
    list: z.array(z.object({ currency: z.string(), name: z.string(), networks: z.array(z.string()) })),
  }),
});

export const depositNetworks = endpoint({
  path: '/recharge/getChannel',
  summary: 'The networks of a coin: the smallest deposit, the confirmations, and the estimated time of each.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { currency: coin },
  data: z.object({
    list: z.array(
      z.object({
        network: z.string(),
        name: z.string(),
        minAmount: decimalText,
        confirmations: z.int(),
        /** Seconds between blocks; for a simulated network, its simulated value. */
        blockSeconds: z.int(),
        /** Estimated minutes until a deposit is credited. */
        minutes: z.int(),
        /** Fee of a deposit, in the coin. */
        fee: decimalText,
        /** Fee of a withdrawal, in the coin. */
        withdrawFee: decimalText,
        memoNeeded: flagNumber,
        /**
         * 1: sending of the coin is paused because the exchange holds less of it than users own; deposits above
         * 1,000 USDT are credited when the pause ends.
         */
        paused: flagNumber,
        /** Deposits on the network are paused: no address is shown, and arrivals are credited when the pause ends. */
        depositPause: z.optional(networkPause),
        /** Withdrawals on the network are paused. */
        withdrawalPause: z.optional(networkPause),
        /** 1 open; 0 no channel is configured, so that deposits are not possible. */
        status: flagNumber,
        /**
         * How transfers on the network are made: `demo` simulates them; `evm`, `utxo`, `xrp` and `tron` use a
         * real chain; for `manual` users report deposits with a proof that operators review; `none` permits
         * no transfers.
         */
        channel: z.enum(['demo', 'manual', 'evm', 'utxo', 'xrp', 'tron', 'none']),
      }),
    ),
  }),
});

export const networkFees = endpoint({
  path: '/recharge/getFees',
  summary:
    'Fees, minimums and confirmations of deposits and withdrawals for each network of each coin; amounts in the coin.',
  access: ANYONE,
  charge: publicRead(2),
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        currency: z.string(),
        network: z.string(),
        name: z.string(),
        depositFee: decimalText,
        minDeposit: decimalText,
        confirmations: z.int(),
        withdrawFee: decimalText,
        minWithdrawal: decimalText,
        maxWithdrawal: decimalText,
        /** 1 open; 0 no channel is configured, so that deposits are not possible. */
        status: flagNumber,
      }),
    ),
  }),
});

export const depositAddress = endpoint({
  path: '/recharge/getAddress',
  summary:
    'The caller’s deposit address on a network, equal for every call; `qr` is the text of its QR code.',
  access: USER,
  charge: signedInRead(5),
  fields: { currency: coin, network: networkField },
  data: z.object({ address: z.string(), memo: z.optional(z.string()), qr: z.string() }),
});

export const depositRow = z.object({
  id: z.string(),
  currency: z.string(),
  network: z.string(),
  address: z.string(),
  memo: z.optional(z.string()),
  amount: decimalText,
  /** Credited amount; 0 until the deposit is credited. */
  realAmount: decimalText,
  fee: decimalText,
  remark: z.optional(z.string()),
  txid: z.string(),
  /** URL of an explorer's page about the transaction; absent if there is none. */
  explorer: z.optional(z.string()),
  confirm: z.int(),
  needConfirm: z.int(),
  status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /**
   * 1: a chain reorganisation removed the block of the deposit; it counts again if the transfer is included
   * again.
   */
  gone: flagNumber,
  /**
   * 1: less than the minimum; the deposit is credited once it reaches the minimum together with
   * further deposits.
   */
  belowMinimum: flagNumber,
  /** Amount from which deposits are credited; smaller ones are credited once they reach it together. */
  minAmount: decimalText,
  createTime: instantMs,
  finishTime: z.optional(instantMs),
});

export const depositRecords = endpoint({
  path: '/recharge/getRecord',
  summary: 'The caller’s deposits, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    currency: z.optional(coin),
    status: z.optional(z.enum(['0', '1', '2'], 'l.field_choice')),
    ...pagingFields,
  },
  data: pageOf(depositRow),
});

export const depositDetail = endpoint({
  path: '/recharge/getDetail',
  summary: 'One of the caller’s deposits.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: depositRow,
});

export const sendTestDeposit = endpoint({
  path: '/recharge/sendTest',
  summary: 'Demo mode only: simulates a transfer to the caller’s address on the simulated network.',
  access: { who: 'user', demoOnly: true },
  charge: transfer,
  idempotent: true,
  fields: {
    currency: coin,
    network: networkField,
    amount: positiveDecimal,
    remark: z.optional(keepCompatibilityForms(text(100))),
  },
  data: z.object({ txid: z.string() }),
});

export const submitProof = endpoint({
  path: '/recharge/submit',
  summary:
    'Reports a deposit on a manually reviewed network: the amount sent, a remark on its origin, and a picture uploaded with the purpose `proof`. At most five reports can be pending.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: {
    currency: coin,
    network: networkField,
    amount: positiveDecimal,
    proof: proofField,
    remark: keepCompatibilityForms(text(100, 'l.source_required')),
  },
  data: z.object({ id: z.string() }),
});

export const cancelProof = endpoint({
  path: '/recharge/cancel',
  summary:
    'Withdraws a report of the caller that is not decided yet; a repeated request gets the same answer.',
  access: USER,
  charge: transfer,
  fields: { id },
  data: z.object({}),
});

export const proofRecords = endpoint({
  path: '/recharge/getProofs',
  summary: 'The caller’s reports, newest first.',
  access: USER,
  charge: signedInRead(1),
  fields: { ...pagingFields },
  data: pageOf(
    z.object({
      id: z.string(),
      currency: z.string(),
      network: z.string(),
      amount: decimalText,
      /** Credited amount; absent until the deposit is credited. */
      realAmount: z.optional(decimalText),
      remark: z.string(),
      /** 0 under review, 1 credited, 2 rejected, 3 withdrawn by the user. */
      status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
      reason: z.optional(z.enum(PROOF_OWNER_REASONS)),
      createTime: instantMs,
      finishTime: z.optional(instantMs),
    }),
  ),
});

/**
 * Topic `transfer`: snapshot `[]`, then changes of the user's deposits and withdrawals, with their
 * confirmations.
 */
export type TransferMessage = {
  id: string;
  kind: 'deposit' | 'withdrawal';
  status: number;
  confirm: number;
}[];
