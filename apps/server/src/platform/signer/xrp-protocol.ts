import * as z from 'zod';

/**
 * The requests and answers between the exchange and the signer of the XRP Ledger. Each is one line,
 * authenticated with a shared secret (see `sealed` in `protocol.ts`). Amounts (`drops`, `fee`) are decimal
 * text in drops, 10^-6 XRP.
 */

/** Maximum number of characters of a request or an answer. An answer contains all transactions of a payment. */
export const XRP_LINE_MAX = 400_000;
/** Maximum value of sequence numbers, ledger indexes and tags of the XRP Ledger. */
const UINT32_MAX = 2 ** 32 - 1;

const drops = z.string().regex(/^\d{1,17}$/);
const address = z.string().regex(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/);
/** Schema of the id by which the signer identifies a payment, e.g. `withdrawal <id>`. */
const origin = z.string().regex(/^[\w :-]{1,100}$/);
const uint32 = z.int().nonnegative().max(UINT32_MAX);
const target = {
  origin,
  /** The paying account. The signer refuses an account that is not that of its key. */
  account: address,
  networkId: uint32,
};
/** Schemas of the last ledger that can contain the transaction, and of the transaction's fee in drops. */
const price = {
  /** The last ledger that can contain the transaction. */
  lastLedger: uint32.positive(),
  fee: drops,
};
const payment = {
  ...target,
  ...price,
  address,
  /** The destination tag; absent if the recipient needs none. */
  tag: uint32.optional(),
  drops,
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /**
   * Who approved the payment, as one text: names of operators, `the limits` for a withdrawal that needed no review, or
   * `nobody` if no approver is known.
   */
  approvedBy: z.string().min(1).max(200),
  /** Lowest sequence number that may be used, according to the ledger and earlier payments. */
  sequence: uint32.positive(),
};

export const xrpRequest = z.discriminatedUnion('kind', [
  /**
   * Request for a withdrawal that its owner confirmed, or for a return that two operators approved. However often it is
   * requested, it is signed with a single sequence number.
   */
  z.strictObject({ kind: z.literal('pay'), owner: z.string().regex(/^[\w-]{1,64}$/), ...payment }),
  /**
   * Request for a transfer to the cold wallet, which two operators approved. The signer refuses an address
   * other than the cold wallet's in its own settings.
   */
  z.strictObject({ kind: z.literal('cold'), ...payment }),
  /** Request that reads what was signed for a payment. */
  z.strictObject({ kind: z.literal('find'), ...target }),
  /**
   * Request that signs the same payment again with the same sequence number, the fee of this request and its last
   * ledger, which must not be earlier than before.
   */
  z.strictObject({ kind: z.literal('renew'), ...target, ...price }),
  /**
   * Request that voids a payment. The signer signs a transaction that does nothing with the payment's sequence number,
   * so that the ledger executes either the payment or this transaction. If nothing was signed, it records that the
   * payment must never be signed.
   */
  z.strictObject({ kind: z.literal('void'), ...target, ...price }),
]);
export type XrpRequest = z.output<typeof xrpRequest>;
export type XrpPaymentRequest = Extract<XrpRequest, { kind: 'pay' | 'cold' }>;

/**
 * Schema of the signer's answer: all signed transactions of a payment, oldest first, or the reason of a
 * refusal. All transactions have the same sequence number, so at most one is in a ledger.
 */
export const xrpAnswer = z.union([
  z.strictObject({
    signed: z.array(z.strictObject({ raw: z.string().regex(/^(?:[0-9A-F]{2})+$/), isVoid: z.boolean() })),
    /**
     * True if the payment was voided, so that the signer never signs it again. Its earlier transactions may still be
     * executed instead of the void.
     */
    isVoided: z.boolean(),
  }),
  z.strictObject({ refused: z.string().max(300) }),
]);
export type XrpAnswer = z.output<typeof xrpAnswer>;
