import { PROOF_OWNER_REASONS } from '@exchange/core/deposit-proof.ts';
import { isUuid } from '@exchange/core/ids.ts';
import * as z from 'zod/mini';
import { keepCompatibilityForms } from './spelling.ts';
import { coin, decimalText, flagNumber, id, instantMs, positiveDecimal, text } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/** Code of a network, such as `TRC20`; converted to upper case. */
export const networkField = z.pipe(
  z.string('l.field_required').check(z.regex(/^[A-Za-z0-9]{2,10}$/, 'l.field_invalid')),
  z.transform((value: string) => value.toUpperCase()),
);

/**
 * ID of the uploaded picture that proves the transfer in a deposit report. If it is missing or empty, the
 * refusal says that this proof must be uploaded.
 */
const proofField = z.string('l.proof_required').check(
  z.refine((value) => value !== '', { error: 'l.proof_required', abort: true }),
  z.refine(isUuid, 'l.field_invalid'),
);

/** A pause of deposits or withdrawals on a network; `note` is in the language of the caller. */
export const networkPause = z.object({
  note: z.string(),
  since: instantMs,
  /** Time at which the pause is expected to end; absent if unknown. */
  expectedTime: z.optional(instantMs),
});

/**
 * `status` of a deposit: 0 not credited yet, 1 credited, 2 rejected because the network dropped the transfer.
 */
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
        /**
         * Confirmations that larger deposits need. The number of an entry applies if the transaction of the deposit
         * pays at least the amount `from` of the coin to all users together, or if its block pays at least that amount
         * to the same user. Empty if every deposit needs `confirmations`.
         */
        largerConfirmations: z.array(z.object({ from: decimalText, confirmations: z.int() })),
        /** Usual number of seconds between two blocks of the network; for a simulated network, the simulated value. */
        blockSeconds: z.number(),
        /** Estimated minutes from the sending of a deposit until it is credited to the user, at least 1. */
        minutes: z.int(),
        /** Fee of a deposit, in the deposited coin. */
        fee: decimalText,
        /** Fee of a withdrawal that is requested now, in the withdrawn coin. */
        withdrawFee: decimalText,
        /**
         * 1 if `withdrawFee` follows the network's cost and can change every minute; 0 if it is the fixed fee. The
         * fixed fee also applies while the network's cost is unknown, so `withdrawFeeLive` can change from 0 to 1 at
         * any time.
         */
        withdrawFeeLive: z.optional(flagNumber),
        memoNeeded: flagNumber,
        /**
         * 1 if the sending of the coin is paused, because the exchange has less of it than users own;
         * deposits above 1,000 USDT or of unknown value are then credited only when the pause ends. Otherwise
         * 0.
         */
        paused: flagNumber,
        /**
         * Present while deposits on the network are paused: no address is shown, and arriving deposits are credited
         * when the pause ends.
         */
        depositPause: z.optional(networkPause),
        /** Present while withdrawals on the network are paused; absent otherwise. */
        withdrawalPause: z.optional(networkPause),
        /**
         * 0 if the exchange has no way to receive the coin on the network (`channel` is `none`); otherwise 1, also
         * while deposits are paused.
         */
        status: flagNumber,
        /**
         * How the exchange receives deposits of the coin on the network. `demo` simulates them; `evm`, `utxo`, `xrp`
         * and `tron` read a real chain; with `manual`, users report deposits with a proof, which operators review; with
         * `none`, no deposits are possible.
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
        /**
         * 1 if `withdrawFee` follows the network's cost and can change every minute; 0 if it is the fixed fee. The
         * fixed fee also applies while the network's cost is unknown, so `withdrawFeeLive` can change from 0 to 1 at
         * any time.
         */
        withdrawFeeLive: z.optional(flagNumber),
        minWithdrawal: decimalText,
        maxWithdrawal: decimalText,
        /**
         * 0 if the server's settings contain no way to receive the coin on the network; otherwise 1, also
         * while deposits are paused.
         */
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
  /** Amount credited to the user, in units of the deposited coin; 0 until the deposit is credited. */
  realAmount: decimalText,
  fee: decimalText,
  remark: z.optional(z.string()),
  txid: z.string(),
  /** URL of a block explorer's page about the transaction; absent if there is no such page. */
  explorer: z.optional(z.string()),
  confirm: z.int(),
  needConfirm: z.int(),
  status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /**
   * 1 if a reorganization of the chain has removed the block with the deposit. The deposit then counts again only when
   * the chain contains its transaction again. Otherwise 0.
   */
  gone: flagNumber,
  /**
   * 1 if the deposit is below the minimum amount and therefore not credited yet; it is credited when further deposits
   * of the user in the coin on the network raise the total to the minimum. Otherwise 0.
   */
  belowMinimum: flagNumber,
  /**
   * Minimum amount of a deposit, in the deposited coin. Smaller deposits of a user in the coin on the network
   * are credited when together they reach this amount.
   */
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
      /**
       * Amount credited to the user for the deposit report, in the deposited coin; absent until the deposit
       * is credited.
       */
      realAmount: z.optional(decimalText),
      remark: z.string(),
      /** Status of the deposit report: 0 under review, 1 credited, 2 rejected, 3 cancelled by the user. */
      status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
      reason: z.optional(z.enum(PROOF_OWNER_REASONS)),
      createTime: instantMs,
      finishTime: z.optional(instantMs),
    }),
  ),
});

/**
 * Topic `transfer`: the snapshot is `[]`; each update contains changed deposits and withdrawals of the user, also after
 * each new confirmation.
 */
export type TransferMessage = {
  id: string;
  kind: 'deposit' | 'withdrawal';
  status: number;
  confirm: number;
}[];
