import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Decimal } from '@exchange/core/decimal.ts';
import * as z from 'zod';

/**
 * The protocol between the exchange and the signer of an EVM chain. Each request and answer is one line, authenticated
 * with a shared secret.
 */

const hexAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
/** Maximum derivation index of a deposit address. Higher indexes are hardened. */
const MOST_INDEX = 2 ** 31 - 1;
const whole = z.string().regex(/^\d{1,30}$/);

/** Schema of the id of a payment at the signer, e.g. `withdrawal <id>`. */
const origin = z.string().regex(/^[\w :-]{1,100}$/);
/** Schemas of the fields of a request with the fees of a transaction, in wei per unit of gas. */
const feeFields = {
  maxFeePerGas: whole,
  maxPriorityFeePerGas: whole,
};

/**
 * Schema of the request to sign an approved payment, with all details from which the signer builds the
 * transaction itself. `digest` is the `withdrawalDigest`, or for a return the `returnDigest`, over `owner`,
 * `network`, `memo` and other fields.
 */
export const signingRequest = z.strictObject({
  kind: z.literal('pay'),
  /**
   * Id of the payment: `withdrawal <id>` or `return <reference>`. A repeated request with the same id signs no further
   * transaction; only `replace` and `void` do.
   */
  origin,
  chainId: z.int().positive(),
  owner: z.string().regex(/^[\w-]{1,64}$/),
  network: z.string().regex(/^[A-Z0-9]{1,12}$/),
  asset: z.string().regex(/^[A-Z0-9]{1,12}$/),
  address: hexAddress,
  memo: z.string().max(64).optional(),
  /** Amount of the payment in coins as decimal text, e.g. `1.5` for 1.5 ETH. */
  amount: z.string().regex(/^\d{1,20}(?:\.\d{1,18})?$/),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /**
   * Who approved the payment, as one text: names of operators, `the limits` for a withdrawal that needed no review, or
   * `nobody` if no approver is known.
   */
  approvedBy: z.string().min(1).max(200),
  /** Lowest nonce that the payment's transaction may use, according to the chain and earlier payments. */
  nonce: z.int().nonnegative(),
  gasLimit: whole,
  ...feeFields,
});
export type SigningRequest = z.output<typeof signingRequest>;

/**
 * Schema of the request for a transfer of surplus from the hot wallet to the exchange's own cold wallet,
 * which two operators approved. The signer signs only transfers to the cold wallet in its own settings.
 * `digest` is the `coldTransferDigest`.
 */
export const coldRequest = z.strictObject({
  kind: z.literal('cold'),
  /**
   * Id of the transfer: `cold <id>`. A repeated request with the same id signs no further transaction; only `replace`
   * and `void` do.
   */
  origin,
  chainId: z.int().positive(),
  network: z.string().regex(/^[A-Z0-9]{1,12}$/),
  asset: z.string().regex(/^[A-Z0-9]{1,12}$/),
  address: hexAddress,
  /** Amount of the transfer in coins as decimal text, e.g. `1.5` for 1.5 ETH. */
  amount: z.string().regex(/^\d{1,20}(?:\.\d{1,18})?$/),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** Names of the operators who approved the transfer, as one text. */
  approvedBy: z.string().min(1).max(200),
  /** Lowest nonce that the transfer's transaction may use, according to the chain and earlier payments. */
  nonce: z.int().nonnegative(),
  gasLimit: whole,
  ...feeFields,
});
export type ColdRequest = z.output<typeof coldRequest>;

/**
 * Schemas of the fields that the two kinds of transfers between the hot wallet and a deposit address share.
 */
const depositFields = {
  origin,
  chainId: z.int().positive(),
  network: z.string().regex(/^[A-Z0-9]{1,12}$/),
  asset: z.string().regex(/^[A-Z0-9]{1,12}$/),
  /** Derivation index of the deposit address, from which the signer derives its key. */
  index: z.int().nonnegative().max(MOST_INDEX),
  /** The deposit address. The signer refuses an address that differs from the one that it derives. */
  address: hexAddress,
  /** Amount of the transfer in coins as decimal text, e.g. `1.5` for 1.5 ETH. */
  amount: z.string().regex(/^\d{1,20}(?:\.\d{1,18})?$/),
  /**
   * Lowest nonce of the paying account that the transfer's transaction may use, according to the chain and earlier
   * payments.
   */
  nonce: z.int().nonnegative(),
  gasLimit: whole,
  ...feeFields,
};

/**
 * Schema of the request for a transfer from a deposit address into the hot wallet (`sweep`), or of the
 * chain's coin from the hot wallet to a deposit address for the gas of a sweep (`gas`). It needs no approval,
 * because the signer derives both accounts itself.
 */
export const depositRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sweep'), ...depositFields }),
  z.strictObject({ kind: z.literal('gas'), ...depositFields }),
]);
export type DepositRequest = z.output<typeof depositRequest>;

/**
 * Call data of a `gas` transfer. No other transfer of the chain's coin by the hot wallet has call data, so it
 * identifies gas transfers on the chain, even if a restored database does not contain them.
 */
export const GAS_TAG = '0x67617300';

export const signingAnswer = z.union([
  z.strictObject({ raw: z.string().regex(/^0x[0-9a-f]+$/), nonce: z.int().nonnegative() }),
  z.strictObject({ refused: z.string().max(300) }),
]);
export type SigningAnswer = z.output<typeof signingAnswer>;

/**
 * Schema of requests about a payment that may already have been signed. `find` reads what was signed.
 * `replace` signs the same payment again with higher fees. `void` signs a transfer of nothing with the
 * payment's nonce, so that either the payment or this transfer is mined, or, if nothing was signed, records
 * that the payment must never be signed.
 */
export const variantRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('find'), origin, chainId: z.int().positive() }),
  z.strictObject({ kind: z.literal('replace'), origin, chainId: z.int().positive(), ...feeFields }),
  z.strictObject({ kind: z.literal('void'), origin, chainId: z.int().positive(), ...feeFields }),
]);
export type VariantRequest = z.output<typeof variantRequest>;

/**
 * Schema of the signer's answer: all signed transactions of a payment, oldest first, or the reason of a
 * refusal. All have the same nonce, so at most one of them is mined.
 */
export const variantAnswer = z.union([
  z.strictObject({
    signed: z.array(z.strictObject({ raw: z.string().regex(/^0x[0-9a-f]+$/), isVoid: z.boolean() })),
    /**
     * Whether the payment was voided, so that the signer never signs it again. Its earlier transactions may still be
     * mined instead of the void.
     */
    isVoided: z.boolean(),
  }),
  z.strictObject({ refused: z.string().max(300) }),
]);
export type VariantAnswer = z.output<typeof variantAnswer>;

/** The details of a withdrawal that its owner confirmed. */
export interface ConfirmedWithdrawal {
  readonly id: string;
  readonly owner: string;
  readonly network: string;
  readonly asset: string;
  readonly address: string;
  readonly memo: string | undefined;
  /** The amount that arrives at the recipient, in coins (e.g. 1.5 ETH, not in wei). */
  readonly amount: Decimal;
}

/** Purpose of the key of `withdrawalDigest`, which is derived from the server's secret. */
export const DIGEST_PURPOSE = 'withdrawal digest';

/**
 * Returns the HMAC-SHA-256, in hex, of the withdrawal's details that its owner confirmed. It is computed when
 * the owner confirms. It is verified when operators approve, before the payment and by the signer, so that a
 * withdrawal whose database row was changed meanwhile is not paid.
 */
export function withdrawalDigest(key: Buffer, withdrawal: ConfirmedWithdrawal): string {
  const { id, owner, network, asset, address, memo = '', amount } = withdrawal;
  const hmac = createHmac('sha256', key);
  for (const part of [id, owner, network, asset, address, memo, amount.toString()])
    hmac.update(`${Buffer.byteLength(part)}:`).update(part);
  return hmac.digest('hex');
}

const COLD_ORIGIN = 'cold ';

/** Returns the payment id of a transfer to the cold wallet, from the transfer's id. */
export function coldOrigin(id: string): string {
  return `${COLD_ORIGIN}${id}`;
}

/** Returns the id of a transfer to the cold wallet with this payment id; undefined for other payments. */
export function coldTransferId(origin: string): string | undefined {
  return origin.startsWith(COLD_ORIGIN) ? origin.slice(COLD_ORIGIN.length) : undefined;
}

const SWEEP_ORIGIN = 'sweep ';
const GAS_ORIGIN = 'gas ';

/** Returns the payment id of a sweep's transfer into the hot wallet, from the sweep's id. */
export function sweepOrigin(id: string): string {
  return `${SWEEP_ORIGIN}${id}`;
}

/** Returns the payment id of the gas transfer for a sweep, from the sweep's id. */
export function gasOrigin(id: string): string {
  return `${GAS_ORIGIN}${id}`;
}

/** Returns the id of the sweep to which a payment with this id belongs; undefined for other payments. */
export function sweepOf(paymentOrigin: string): string | undefined {
  const start = [SWEEP_ORIGIN, GAS_ORIGIN].find((prefix) => paymentOrigin.startsWith(prefix));
  return start === undefined ? undefined : paymentOrigin.slice(start.length);
}

/** A transfer to the cold wallet as two operators approved it. */
export interface ApprovedColdTransfer {
  readonly id: string;
  readonly network: string;
  readonly asset: string;
  readonly address: string;
  /** Amount of the transfer to the cold wallet, in coins (e.g. 1.5 ETH, not in wei). */
  readonly amount: Decimal;
}

/**
 * Returns the HMAC-SHA-256, in hex, of a transfer to the cold wallet, with the key of `withdrawalDigest`. It
 * is computed when the second operator approves, and verified by the signer, so that a transfer whose
 * database row was changed meanwhile is not paid. It never equals the digest of a withdrawal, because the
 * number and lengths of the parts differ.
 */
export function coldTransferDigest(
  key: Buffer,
  { id, network, asset, address, amount }: ApprovedColdTransfer,
): string {
  const hmac = createHmac('sha256', key);
  for (const part of ['cold transfer', id, network, asset, address.toLowerCase(), amount.toString()])
    hmac.update(`${Buffer.byteLength(part)}:`).update(part);
  return hmac.digest('hex');
}

const RETURN_ORIGIN = 'return ';

/** Returns the payment id of the return of a transfer to its sender, from the return's reference. */
export function returnOrigin(reference: string): string {
  return `${RETURN_ORIGIN}${reference}`;
}

/** Returns the reference of the return with this payment id; undefined for other payments. */
export function returnReferenceOf(origin: string): string | undefined {
  return origin.startsWith(RETURN_ORIGIN) ? origin.slice(RETURN_ORIGIN.length) : undefined;
}

/** The `owner` in the request for a return, because a return belongs to no user. */
export const RETURN_OWNER = 'sender';

/** The return of an incoming transfer to its sender, as two operators approved it; `id` is its reference. */
export type ApprovedReturn = ConfirmedWithdrawal;

/**
 * Returns the HMAC-SHA-256, in hex, of the return of an incoming transfer to its sender, with the key of
 * `withdrawalDigest`. It is computed when the second operator approves, and verified by the signer. It never
 * equals the digest of a withdrawal or of a transfer to the cold wallet, because the number and lengths of
 * the parts differ.
 */
export function returnDigest(key: Buffer, approved: ApprovedReturn): string {
  const { id, owner, network, asset, address, memo = '', amount } = approved;
  const hmac = createHmac('sha256', key);
  for (const part of ['return to sender', id, owner, network, asset, address, memo, amount.toString()])
    hmac.update(`${Buffer.byteLength(part)}:`).update(part);
  return hmac.digest('hex');
}

const line = z.strictObject({ body: z.string(), mac: z.string().regex(/^[0-9a-f]{64}$/) });

export const LINE_MAX = 16_384;

/**
 * Encodes and authenticates a message between exchange and signer as a line. For an answer, `about` is the line of its
 * request, to which the answer is bound. A request that an attacker sends again is harmless, because a repeated request
 * pays nothing more.
 */
export function sealed(secret: string, body: unknown, about = ''): string {
  const text = JSON.stringify(body);
  return `${JSON.stringify({ body: text, mac: macOf(secret, text, about) })}\n`;
}

/**
 * Verifies and decodes a line of the other side. Throws if the line was not created with the shared secret, or answers
 * another request than `about`.
 */
export function opened(secret: string, text: string, about = ''): unknown {
  const { body, mac } = line.parse(JSON.parse(text));
  const expected = Buffer.from(macOf(secret, body, about), 'hex');
  if (!timingSafeEqual(expected, Buffer.from(mac, 'hex'))) throw new Error('the line is not from us');
  return JSON.parse(body) as unknown;
}

function macOf(secret: string, body: string, about: string): string {
  return createHmac('sha256', secret).update(`${about.length} ${about} ${body}`).digest('hex');
}

/**
 * Returns the fees of a transaction in wei per unit of gas. For a transaction with a single gas price, both
 * fees equal this price.
 */
export function feesOf(transaction: {
  readonly maxFeePerGas: bigint | null;
  readonly maxPriorityFeePerGas: bigint | null;
  readonly gasPrice: bigint | null;
}): { readonly maxFee: bigint; readonly tip: bigint } {
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = transaction;
  return { maxFee: maxFeePerGas ?? gasPrice ?? 0n, tip: maxPriorityFeePerGas ?? gasPrice ?? 0n };
}

/** Returns the call data of ERC-20's `transfer(address,uint256)`. */
export function transferData(address: string, units: bigint): string {
  return `0xa9059cbb${address.slice(2).toLowerCase().padStart(64, '0')}${units.toString(16).padStart(64, '0')}`;
}
