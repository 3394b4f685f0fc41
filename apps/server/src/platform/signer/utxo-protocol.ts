import * as z from 'zod';

/**
 * The requests and answers between the exchange and the signer of a chain of the Bitcoin family. Each is one
 * line, authenticated with a shared secret (see `sealed` in `protocol.ts`). Amounts (`units`, `fee`) are
 * decimal text in the smallest unit of the coin.
 */

/**
 * Maximum number of characters of a request or an answer. An answer contains all transactions of a batch; a request can
 * contain the transactions that made the outputs which it spends.
 */
export const UTXO_LINE_MAX = 4_000_000;
/** Maximum number of payments of a batch. */
export const BATCH_PAYMENTS_MAX = 100;
/** Maximum number of inputs of a batch. */
export const BATCH_INPUTS_MAX = 200;
/**
 * Maximum number of child batches (child pays for parent) that are signed below one batch of payments, including
 * children of children. Nodes accept chains of 25 unconfirmed transactions, and the transaction of each child adds some
 * 110 virtual bytes for which fees are paid, so a further child helps only while the fees of the network rise.
 */
export const CHILDREN_MAX = 5;
/**
 * Maximum number of inputs of a batch on a network without segregated witness. Each signature there hashes the whole
 * transaction, so the work of the signer and of every node grows with the square of the number: 100 inputs are a quarter
 * of the work of 200.
 */
export const LEGACY_INPUTS_MAX = 100;
/**
 * Maximum size in bytes of one previous transaction: the size of a Dogecoin block, so that the outputs of every
 * possible transaction can be spent. Nodes relay only transactions of at most a tenth of this size.
 */
export const PREVIOUS_BYTES_MAX = 1_000_000;
/**
 * Maximum size in bytes of all previous transactions of a request. As hex digits they take up to three quarters of
 * `UTXO_LINE_MAX`. The exchange leaves outputs out of a batch whose previous transactions would exceed this total.
 */
export const PREVIOUS_TOTAL_MAX = 1_500_000;
const HEX_PER_BYTE = 2;
/** Maximum derivation index of an address. Higher indexes are hardened. */
const MOST_INDEX = 2 ** 31 - 1;

const units = z.string().regex(/^\d{1,18}$/);
const address = z.string().regex(/^[a-zA-Z0-9]{20,100}$/);
/**
 * Schema of the id by which the signer identifies a payment, e.g. `withdrawal <id>`. Only one batch contains
 * it.
 */
const origin = z.string().regex(/^[\w :-]{1,100}$/);
const batch = z.string().regex(/^[\w-]{1,64}$/);
const txid = z.string().regex(/^[0-9a-f]{64}$/);

export const batchInput = z.strictObject({
  txid,
  vout: z.int().nonnegative(),
  units,
  /** Branch of the address in the wallet: 0 for users' deposit addresses, 1 for the exchange's own addresses. */
  branch: z.union([z.literal(0), z.literal(1)]),
  index: z.int().nonnegative().max(MOST_INDEX),
  /**
   * Address of the spent output, as the exchange has derived it. The signer refuses an address that differs
   * from the one that it derives from `branch` and `index`.
   */
  address,
});
export type BatchInput = z.output<typeof batchInput>;

/**
 * Schema of a transaction that made outputs which the batch spends. The signer computes its id, and reads the
 * outputs' amounts and scripts from it.
 */
const previousTransaction = z.strictObject({
  txid: z.string().regex(/^[0-9a-f]{64}$/),
  /** The transaction whose output is spent, in hex, with or without its witnesses. */
  raw: z
    .string()
    .max(PREVIOUS_BYTES_MAX * HEX_PER_BYTE)
    .regex(/^[0-9a-f]*$/),
});
export type PreviousRequest = z.output<typeof previousTransaction>;

const paymentFields = {
  origin,
  address,
  units,
  /** Digest of the owner's confirmation or of the operators' approval, e.g. the `withdrawalDigest`. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /**
   * Who approved the payment, as one text: names of operators, `the limits` for a withdrawal that needed no review, or
   * `nobody` if no approver is known.
   */
  approvedBy: z.string().min(1).max(200),
};

/**
 * Schema of a payment to an outside address that its owner confirmed or, for a return, two operators approved
 * (`pay`), or of a payment to the cold wallet that two operators approved (`cold`).
 */
export const batchPayment = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pay'), owner: z.string().regex(/^[\w-]{1,64}$/), ...paymentFields }),
  z.strictObject({ kind: z.literal('cold'), ...paymentFields }),
]);
export type BatchPayment = z.output<typeof batchPayment>;

const target = {
  /** Code of the network, which is also the code of its coin. */
  network: z.string().regex(/^[A-Z0-9]{1,12}$/),
};

export const utxoRequest = z.discriminatedUnion('kind', [
  /** Request that signs a batch of payments. However often it is requested, the batch is signed only once. */
  z.strictObject({
    kind: z.literal('batch'),
    ...target,
    batch,
    inputs: z.array(batchInput).min(1).max(BATCH_INPUTS_MAX),
    payments: z.array(batchPayment).min(1).max(BATCH_PAYMENTS_MAX),
    fee: units,
    /**
     * The change address as the exchange has derived it. The signer refuses an address that differs from the one that
     * it derives.
     */
    change: address,
    /**
     * The transactions that made the spent outputs, each once. Required on networks without segregated witness, whose
     * signatures do not cover amounts; on the others, where a false amount makes a signature invalid, they are not read.
     */
    previous: z.array(previousTransaction).max(LEGACY_INPUTS_MAX).optional(),
  }),
  /**
   * Request that signs a batch again with the same inputs, a higher fee, and without the payments in `without`. These
   * payments are never made if this transaction or a later one of the batch is in a block.
   */
  z.strictObject({
    kind: z.literal('replace'),
    ...target,
    batch,
    fee: units,
    without: z.array(origin).max(BATCH_PAYMENTS_MAX),
  }),
  /**
   * Request that signs a child of a batch (child pays for parent): a batch without payments that spends only the change
   * of the transaction `txid` of the batch `parent` and pays it, minus the fee, to the own address. However often it is
   * requested, the child is signed only once. A `replace` request raises its fee.
   */
  z.strictObject({
    kind: z.literal('child'),
    ...target,
    batch,
    parent: batch,
    txid,
    fee: units,
    /**
     * The exchange's own address that receives the change, as the exchange has derived it. The signer refuses
     * any other address.
     */
    change: address,
  }),
  /** Request that reads a batch that was signed earlier, with all its signed transactions. */
  z.strictObject({ kind: z.literal('read'), ...target, batch }),
  /** Request that reads the batch that contains the payment with this id. */
  z.strictObject({ kind: z.literal('find'), ...target, origin }),
  /**
   * Request that prevents a payment from ever being signed. If a batch already contains the payment, the answer is that
   * batch.
   */
  z.strictObject({ kind: z.literal('forbid'), ...target, origin }),
]);
export type UtxoRequest = z.output<typeof utxoRequest>;
export type BatchRequest = Extract<UtxoRequest, { kind: 'batch' }>;
export type ChildRequest = Extract<UtxoRequest, { kind: 'child' }>;

/**
 * Schema of a signed transaction of a batch. All transactions of a batch spend the same outputs, so at most
 * one is confirmed.
 */
const variant = z.strictObject({
  raw: z.string().regex(/^(?:[0-9a-f]{2})+$/),
  fee: units,
  without: z.array(origin),
});
export type BatchVariant = z.output<typeof variant>;

export const utxoAnswer = z.union([
  z.strictObject({
    /** The requested batch, or the batch that contains the requested payment; null if there is none. */
    batch: z.nullable(
      z.strictObject({
        batch,
        inputs: z.array(batchInput),
        payments: z.array(batchPayment),
        /** Signed transactions of the batch, oldest first. */
        variants: z.array(variant).min(1),
        /**
         * Id of the batch whose change this batch spends; absent unless this batch is a child (child pays for parent).
         */
        parent: z.optional(batch),
        /**
         * Ids of the child batches that spend the change of this batch (child pays for parent); absent if there are
         * none.
         */
        children: z.optional(z.array(batch)),
      }),
    ),
  }),
  z.strictObject({
    refused: z.string().max(500),
    /** Ids of the payments that caused the refusal; empty if the whole request did. */
    origins: z.array(origin),
    /**
     * Ids of the signed batches that caused the refusal, because they contain payments or outputs of the
     * request; empty if the refusal has another cause.
     */
    batches: z.array(batch),
  }),
]);
export type UtxoAnswer = z.output<typeof utxoAnswer>;
export type SignedBatch = NonNullable<Extract<UtxoAnswer, { batch: unknown }>['batch']>;
