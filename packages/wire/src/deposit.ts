import { PROOF_OWNER_REASONS } from '@exchange/core/deposit-proof.ts';
import { isUuid } from '@exchange/core/ids.ts';
import * as z from 'zod/mini';
import { asWritten } from './spelling.ts';
import { coin, decimalText, flagNumber, id, instantMs, positiveDecimal, text } from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const transfer: Charge = { limit: 'transfer', weight: 1 };

/** A network by its code, e.g. `TRC20`. */
export const networkField = z.pipe(
  z.string('l.field_required').check(z.regex(/^[A-Za-z0-9]{2,10}$/, 'l.field_invalid')),
  z.transform((value: string) => value.toUpperCase()),
);

/** A picture that was uploaded for it. Who sends none, or an empty field, reads what to do. */
const proofField = z.string('l.proof_required').check(
  z.refine((value) => value !== '', { error: 'l.proof_required', abort: true }),
  z.refine(isUuid, 'l.field_invalid'),
);

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
  summary: 'The networks of a coin: what each takes at least, how many blocks it waits and how long that is.',
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
        /** Seconds from block to block; of a pretended network, its own. */
        blockSeconds: z.int(),
        /** About how long a deposit takes. */
        minutes: z.int(),
        /** What a deposit costs, in the coin. */
        fee: decimalText,
        /** What a withdrawal costs, in the coin. */
        withdrawFee: decimalText,
        memoNeeded: flagNumber,
        /** 1 open; 0 no channel is configured: nothing can be deposited. */
        status: flagNumber,
        /** What stands behind it: `demo` is a pretended network, `evm` a real chain; `manual` takes a proof that people review. */
        channel: z.enum(['demo', 'manual', 'evm', 'none']),
      }),
    ),
  }),
});

export const networkFees = endpoint({
  path: '/recharge/getFees',
  summary:
    'What deposits and withdrawals cost on each network of each coin, with minimums and confirmations; amounts in the coin.',
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
        /** 1 open; 0 no channel is configured: nothing can be deposited. */
        status: flagNumber,
      }),
    ),
  }),
});

export const depositAddress = endpoint({
  path: '/recharge/getAddress',
  summary: 'The own address of a network, the same at every call; `qr` is the text of its QR code.',
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
  /** What has been credited: 0 until then. */
  realAmount: decimalText,
  fee: decimalText,
  remark: z.optional(z.string()),
  txid: z.string(),
  confirm: z.int(),
  needConfirm: z.int(),
  status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** 1: the network has taken its block back; it counts again where it comes back. */
  gone: flagNumber,
  /** 1: less than the minimum; waits until what was sent comes to it. */
  belowMinimum: flagNumber,
  /** The least that is credited. */
  minAmount: decimalText,
  createTime: instantMs,
  finishTime: z.optional(instantMs),
});

export const depositRecords = endpoint({
  path: '/recharge/getRecord',
  summary: 'The own deposits, newest first.',
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
  summary: 'One of the own deposits.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: depositRow,
});

export const sendTestDeposit = endpoint({
  path: '/recharge/sendTest',
  summary: 'Demo: somebody on the pretended network sends so much to the own address.',
  access: { who: 'user', demoOnly: true },
  charge: transfer,
  idempotent: true,
  fields: {
    currency: coin,
    network: networkField,
    amount: positiveDecimal,
    remark: z.optional(asWritten(text(100))),
  },
  data: z.object({ txid: z.string() }),
});

export const submitProof = endpoint({
  path: '/recharge/submit',
  summary:
    'Reports a deposit where the channel is reviewed by hand: what was sent, a remark on where it comes from, and a picture of the proof, uploaded for `proof` before. Five wait at most.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: {
    currency: coin,
    network: networkField,
    amount: positiveDecimal,
    proof: proofField,
    remark: asWritten(text(100, 'l.source_required')),
  },
  data: z.object({ id: z.string() }),
});

export const cancelProof = endpoint({
  path: '/recharge/cancel',
  summary: 'Takes back an own report that nobody has decided yet; again, it answers the same.',
  access: USER,
  charge: transfer,
  fields: { id },
  data: z.object({}),
});

export const proofRecords = endpoint({
  path: '/recharge/getProofs',
  summary: 'The own reports, newest first.',
  access: USER,
  charge: signedInRead(1),
  fields: { ...pagingFields },
  data: pageOf(
    z.object({
      id: z.string(),
      currency: z.string(),
      network: z.string(),
      amount: decimalText,
      /** What was credited, once it was. */
      realAmount: z.optional(decimalText),
      remark: z.string(),
      /** 0 under review, 1 credited, 2 rejected, 3 taken back. */
      status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
      reason: z.optional(z.enum(PROOF_OWNER_REASONS)),
      createTime: instantMs,
      finishTime: z.optional(instantMs),
    }),
  ),
});

/** `transfer`: snapshot `[]`, then what of the own deposits and withdrawals has changed, with its confirmations. */
export type TransferMessage = {
  id: string;
  kind: 'deposit' | 'withdrawal';
  status: number;
  confirm: number;
}[];
