import * as z from 'zod';

/**
 * The requests and answers between the exchange and the signer of a chain of the Bitcoin family. They travel as those of
 * `protocol.ts` do. Amounts (`units`, `fee`) are decimal text in the smallest unit of the coin.
 */

/** Most characters of a request or an answer; an answer has all transactions of a batch. */
export const UTXO_LINE_MAX = 4_000_000;
/** Most payments and inputs of a batch. */
export const BATCH_PAYMENTS_MAX = 100;
export const BATCH_INPUTS_MAX = 200;
/** Derivation indexes end before the hardened ones. */
const MOST_INDEX = 2 ** 31 - 1;

const units = z.string().regex(/^\d{1,18}$/);
const address = z.string().regex(/^[a-zA-Z0-9]{20,100}$/);
/** Name of a payment, e.g. `withdrawal <id>`; it is paid by one batch only. */
const origin = z.string().regex(/^[\w :-]{1,100}$/);
const batch = z.string().regex(/^[\w-]{1,64}$/);

export const batchInput = z.strictObject({
  txid: z.string().regex(/^[0-9a-f]{64}$/),
  vout: z.int().nonnegative(),
  units,
  /** 0: an address of a user, 1: an own address. */
  branch: z.union([z.literal(0), z.literal(1)]),
  index: z.int().nonnegative().max(MOST_INDEX),
  /** The address that the exchange has for it; the signer refuses another one than it derives. */
  address,
});
export type BatchInput = z.output<typeof batchInput>;

const paymentFields = {
  origin,
  address,
  units,
  /** `withdrawalDigest` or `coldTransferDigest`. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** The operators who approved it. */
  approvedBy: z.string().min(1).max(200),
};

/** A payment to the outside that its owner confirmed (`pay`), or to the cold wallet that two operators approved (`cold`). */
export const batchPayment = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pay'), owner: z.string().regex(/^[\w-]{1,64}$/), ...paymentFields }),
  z.strictObject({ kind: z.literal('cold'), ...paymentFields }),
]);
export type BatchPayment = z.output<typeof batchPayment>;

const target = {
  /** Code of the network and its coin. */
  network: z.string().regex(/^[A-Z0-9]{1,12}$/),
};

export const utxoRequest = z.discriminatedUnion('kind', [
  /** Signs a batch: once, however often it is requested. */
  z.strictObject({
    kind: z.literal('batch'),
    ...target,
    batch,
    inputs: z.array(batchInput).min(1).max(BATCH_INPUTS_MAX),
    payments: z.array(batchPayment).min(1).max(BATCH_PAYMENTS_MAX),
    fee: units,
    /** The address that the exchange has for the change; the signer refuses another one than it derives. */
    change: address,
  }),
  /**
   * Signs a batch again with the same inputs, a higher fee and without the payments named in `without`, which are never
   * made any more once this transaction, or any later one of the batch, is in a block.
   */
  z.strictObject({
    kind: z.literal('replace'),
    ...target,
    batch,
    fee: units,
    without: z.array(origin).max(BATCH_PAYMENTS_MAX),
  }),
  /** Reads a batch. */
  z.strictObject({ kind: z.literal('read'), ...target, batch }),
  /** Reads the batch that pays an origin. */
  z.strictObject({ kind: z.literal('find'), ...target, origin }),
  /** Makes sure that an origin that no batch pays is never signed; returns the batch if one does. */
  z.strictObject({ kind: z.literal('forbid'), ...target, origin }),
]);
export type UtxoRequest = z.output<typeof utxoRequest>;
export type BatchRequest = Extract<UtxoRequest, { kind: 'batch' }>;

/** A signed transaction of a batch. All transactions of a batch spend the same outputs, so at most one is in a block. */
const variant = z.strictObject({
  raw: z.string().regex(/^(?:[0-9a-f]{2})+$/),
  fee: units,
  without: z.array(origin),
});
export type BatchVariant = z.output<typeof variant>;

export const utxoAnswer = z.union([
  z.strictObject({
    /** Null if no batch pays the origin. */
    batch: z.nullable(
      z.strictObject({
        batch,
        inputs: z.array(batchInput),
        payments: z.array(batchPayment),
        /** Oldest first. */
        variants: z.array(variant).min(1),
      }),
    ),
  }),
  z.strictObject({
    refused: z.string().max(500),
    /** The payments that are the reason; empty if the whole request is. */
    origins: z.array(origin),
    /** Signed batches that are the reason, because they have payments or outputs of the request. */
    batches: z.array(batch),
  }),
]);
export type UtxoAnswer = z.output<typeof utxoAnswer>;
export type SignedBatch = NonNullable<Extract<UtxoAnswer, { batch: unknown }>['batch']>;
