import * as z from 'zod';

/**
 * The requests and answers between the exchange and the signer of TRON. Each is one line,
 * authenticated with a shared secret (see `sealed` in `protocol.ts`).
 * Amounts are decimal text in coins (`30` for 30 USDT), fees are decimal text in sun (10^-6 TRX), and times are
 * milliseconds UTC.
 */

/** Maximum number of characters of a request or an answer. An answer contains all transactions of a payment. */
export const TRON_LINE_MAX = 100_000;
/** Maximum derivation index of a deposit address. Higher indexes are hardened. */
const MOST_INDEX = 2 ** 31 - 1;

const address = z.string().regex(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
/** Schema of the id by which the signer identifies a payment, e.g. `withdrawal <id>`. */
const origin = z.string().regex(/^[\w :-]{1,100}$/);
const asset = z.string().regex(/^[A-Z0-9]{1,12}$/);
const amount = z.string().regex(/^\d{1,20}(?:\.\d{1,18})?$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const target = {
  origin,
  /** Address of the hot wallet. The signer refuses an address that is not that of its key. */
  account: address,
};
const validity = {
  /**
   * A recent block of the chain to which the transaction refers. The transaction is invalid on a chain that does not
   * contain this block.
   */
  refBlock: z.strictObject({ number: z.int().nonnegative(), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** The time in milliseconds UTC after which no block can contain the transaction. */
  expiration: z.int().positive(),
  /** Maximum cost in sun of the energy of a token transfer; 0 for a transfer of TRX. */
  feeLimit: z.string().regex(/^\d{1,15}$/),
};
const payment = {
  ...target,
  ...validity,
  asset,
  address,
  amount,
  /** Lowest serial number that the payment may get. The exchange sorts payments by their serial numbers. */
  serial: z.int().nonnegative(),
};

export const tronRequest = z.discriminatedUnion('kind', [
  /**
   * A withdrawal that its owner confirmed, or a return that two operators approved. A repeated request signs no further
   * transaction; only `renew` does.
   */
  z.strictObject({
    kind: z.literal('pay'),
    owner: z.string().regex(/^[\w-]{1,64}$/),
    digest,
    /**
     * Who approved the payment, as one text: names of operators, `the limits` for a withdrawal that needed no review, or
     * `nobody` if no approver is known.
     */
    approvedBy: z.string().min(1).max(200),
    ...payment,
  }),
  /**
   * A transfer to the cold wallet, which two operators approved. The signer refuses an address other than the
   * cold wallet's in its own settings.
   */
  z.strictObject({
    kind: z.literal('cold'),
    digest,
    approvedBy: z.string().min(1).max(200),
    ...payment,
  }),
  /** A transfer from a deposit address into the hot wallet. `address` is the deposit address. */
  z.strictObject({ kind: z.literal('sweep'), index: z.int().nonnegative().max(MOST_INDEX), ...payment }),
  /** A transfer of TRX from the hot wallet to a deposit address, which pays for the energy of a later sweep. */
  z.strictObject({ kind: z.literal('gas'), index: z.int().nonnegative().max(MOST_INDEX), ...payment }),
  /** Request that reads what was signed for a payment. */
  z.strictObject({ kind: z.literal('find'), ...target }),
  /**
   * Request that signs the same payment again. The signer refuses it until two minutes after all earlier
   * transactions of the payment have expired by the signer's clock.
   */
  z.strictObject({
    kind: z.literal('renew'),
    /**
     * Number of the payment's transactions that the exchange knows. If the signer has signed another number, it
     * refuses, because the exchange has not checked whether the unknown transactions are in a block.
     */
    known: z.int().positive(),
    ...target,
    ...validity,
  }),
  /**
   * Request after which nothing more is signed for a payment. Transactions that were signed earlier may still be
   * executed until they expire.
   */
  z.strictObject({ kind: z.literal('void'), ...target }),
]);
export type TronRequest = z.output<typeof tronRequest>;
export type TronPaymentRequest = Extract<TronRequest, { kind: 'pay' | 'cold' | 'sweep' | 'gas' }>;
export type TronRenewal = Extract<TronRequest, { kind: 'renew' }>;

/**
 * Schema of the signer's answer: all signed transactions of a payment, oldest first, or the reason of a
 * refusal. Each transaction was signed after the earlier ones had expired.
 */
export const tronAnswer = z.union([
  z.strictObject({
    serial: z.int().nonnegative(),
    signed: z.array(
      z.strictObject({
        raw: z.string().regex(/^(?:[0-9a-f]{2})+$/),
        /** Number of the block to which the transaction refers. */
        refBlock: z.int().nonnegative(),
      }),
    ),
    /**
     * True if the payment was voided, so that the signer never signs it again. Its earlier transactions may still be
     * executed until they expire.
     */
    isVoided: z.boolean(),
  }),
  z.strictObject({ refused: z.string().max(300) }),
]);
export type TronAnswer = z.output<typeof tronAnswer>;
