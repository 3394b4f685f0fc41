import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { feeInPackage, NO_PACKAGE, type FeePackage } from '@exchange/core/utxo-package.ts';
import { feeAt, rateOf } from '@exchange/core/utxo-transaction.ts';
import type { SignedVariant } from './domain.ts';

/**
 * A signed transaction of a batch: its fee in the smallest unit, its size in virtual bytes, and the origins
 * (idempotency keys) of the batch's payments that it leaves out (`without`).
 */
interface SignedTransaction extends FeePackage {
  readonly txid: string;
  readonly without: readonly string[];
  readonly at: SignedVariant['at'];
}

/**
 * A replacing transaction pays at least an eighth more than the replaced one, and at least the relay fee of the network
 * for its own size in addition.
 */
const RAISE_TIMES = 9n;
const RAISE_PARTS = 8n;
/**
 * Factor that converts the rates of the Bitcoin family (smallest unit per 1,000 virtual bytes) to the fees of
 * `SignedVariant` (10^-9 of the smallest unit per virtual byte).
 */
export const VARIANT_FEE_SCALE = 1_000_000n;
/** Unit in which operators read fee rates. */
export const RATE_UNIT = 'units per vbyte';

/**
 * Returns the lowest fee, in the smallest unit, with which nodes accept a replacement of the transaction.
 * `relayRate` is the network's relay fee in the smallest unit per 1,000 virtual bytes.
 */
export function leastRaise({ fee, vbytes }: FeePackage, relayRate: bigint): bigint {
  const [raised, relayed] = [(fee * RAISE_TIMES) / RAISE_PARTS, fee + feeAt(relayRate, vbytes)];
  return (raised > relayed ? raised : relayed) + 1n;
}

/**
 * Returns the fee of a replacement, in the smallest unit, with which it and its unconfirmed ancestors
 * together pay `rate` (smallest unit per 1,000 virtual bytes), or `least` if that is higher.
 */
export function raisedFee(
  { vbytes }: Pick<FeePackage, 'vbytes'>,
  rate: bigint,
  least: bigint,
  ancestors: FeePackage = NO_PACKAGE,
): bigint {
  const wanted = feeInPackage(rate, vbytes, ancestors);
  return wanted > least ? wanted : least;
}

/** Refuses a fee rate below the lowest possible one, both in the smallest unit per 1,000 virtual bytes. */
export function requireRate(rate: bigint, least: bigint): void {
  if (rate >= least) return;
  throw new Refused(
    refusal('belowMinimum', 'l.field_min', {
      field: 'gwei',
      limit: perByte(least).toString(),
      value: perByte(rate).toString(),
      unit: RATE_UNIT,
    }),
  );
}

/**
 * Converts a fee rate in the smallest unit per 1,000 virtual bytes to the smallest unit per virtual byte,
 * with decimals.
 */
export function perByte(rate: bigint): Decimal {
  return Decimal.ofScaled(rate, 3);
}

/**
 * Returns a signed transaction of a batch as operators see it at the payment `origin`: with its fee rate in
 * 10^-9 of the smallest unit per virtual byte (`maxFee`), and `isVoid` if it leaves out this payment.
 */
export function variantView(
  { txid, without, fee, vbytes, at }: SignedTransaction,
  origin: string,
): SignedVariant {
  const maxFee = rateOf(fee, vbytes) * VARIANT_FEE_SCALE;
  return { txid, isVoid: without.includes(origin), nonce: undefined, maxFee, tip: 0n, unit: RATE_UNIT, at };
}
