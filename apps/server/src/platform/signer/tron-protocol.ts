import * as z from 'zod';

/**
 * The requests and answers between the exchange and the signer of TRON, transported like those of `protocol.ts`. Amounts are
 * decimal text in units of the asset, fees decimal text in sun (10^-6 TRX), and times milliseconds UTC.
 */

/** Greatest number of characters of a request or an answer; an answer has all transactions of a payment. */
export const TRON_LINE_MAX = 100_000;
/** Greatest derivation index of a deposit address; the hardened indexes follow. */
const MOST_INDEX = 2 ** 31 - 1;

const address = z.string().regex(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
/** Name of a payment, e.g. `withdrawal <id>`. */
const origin = z.string().regex(/^[\w :-]{1,100}$/);
const asset = z.string().regex(/^[A-Z0-9]{1,12}$/);
const amount = z.string().regex(/^\d{1,20}(?:\.\d{1,18})?$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const target = {
  origin,
  /** The hot wallet; the signer refuses another one than that of its key. */
  account: address,
};
const validity = {
  /** A block of the chain that the transaction names, without which it is invalid. */
  refBlock: z.strictObject({ number: z.int().nonnegative(), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** The time after which no block can contain the transaction. */
  expiration: z.int().positive(),
  /** Greatest cost of the energy of a token transfer; 0 for a transfer of TRX. */
  feeLimit: z.string().regex(/^\d{1,15}$/),
};
const payment = {
  ...target,
  ...validity,
  asset,
  address,
  amount,
  /** Lowest number that the payment may get, by which the exchange sorts payments. */
  serial: z.int().nonnegative(),
};

export const tronRequest = z.discriminatedUnion('kind', [
  /** A payment that its owner confirmed: signed once, however often it is requested, until it has ended. */
  z.strictObject({
    kind: z.literal('pay'),
    owner: z.string().regex(/^[\w-]{1,64}$/),
    digest,
    /** The operator who approved the payment. */
    approvedBy: z.string().min(1).max(200),
    ...payment,
  }),
  /** A transfer to the cold wallet of the signer's own settings, which two operators approved. */
  z.strictObject({
    kind: z.literal('cold'),
    digest,
    approvedBy: z.string().min(1).max(200),
    ...payment,
  }),
  /** A transfer from a deposit address into the hot wallet. `address` is the deposit address. */
  z.strictObject({ kind: z.literal('sweep'), index: z.int().nonnegative().max(MOST_INDEX), ...payment }),
  /** A transfer of TRX from the hot wallet to a deposit address, which pays there for the energy of a sweep. */
  z.strictObject({ kind: z.literal('gas'), index: z.int().nonnegative().max(MOST_INDEX), ...payment }),
  /** Request that reads what was signed for a payment. */
  z.strictObject({ kind: z.literal('find'), ...target }),
  /** Request that signs the same payment again, after its earlier transactions have ended by the signer's own clock. */
  z.strictObject({
    kind: z.literal('renew'),
    /**
     * Number of its transactions that the exchange knows. The signer refuses another one than its own: the exchange has not looked
     * whether the others were paid.
     */
    known: z.int().positive(),
    ...target,
    ...validity,
  }),
  /** Request after which nothing more is signed for a payment. */
  z.strictObject({ kind: z.literal('void'), ...target }),
]);
export type TronRequest = z.output<typeof tronRequest>;
export type TronPaymentRequest = Extract<TronRequest, { kind: 'pay' | 'cold' | 'sweep' | 'gas' }>;
export type TronRenewal = Extract<TronRequest, { kind: 'renew' }>;

/** All signed transactions of a payment, oldest first. Each was signed after the ones before it had ended. */
export const tronAnswer = z.union([
  z.strictObject({
    serial: z.int().nonnegative(),
    signed: z.array(
      z.strictObject({
        raw: z.string().regex(/^(?:[0-9a-f]{2})+$/),
        /** Number of the block that the transaction names. */
        refBlock: z.int().nonnegative(),
      }),
    ),
    /** Whether the payment was voided: the signer signs it under no circumstances any more. */
    isVoided: z.boolean(),
  }),
  z.strictObject({ refused: z.string().max(300) }),
]);
export type TronAnswer = z.output<typeof tronAnswer>;
