import { feeAt, rateOf } from './utxo-transaction.ts';

/**
 * A chain of transactions, each of which spends an output of the transaction before it: the sum of their fees in the
 * smallest coin unit, and the sum of their virtual sizes in bytes. A miner can include the last one in a block only
 * together with all others.
 */
export interface FeePackage {
  readonly fee: bigint;
  readonly vbytes: number;
}

export const NO_PACKAGE: FeePackage = { fee: 0n, vbytes: 0 };

/** Returns the fee and the size of a package of transactions after one more transaction is added to it. */
export function packageWith(ancestors: FeePackage, { fee, vbytes }: FeePackage): FeePackage {
  return { fee: ancestors.fee + fee, vbytes: ancestors.vbytes + vbytes };
}

/** Returns the fee rate of a package in the smallest coin unit per 1,000 virtual bytes, rounded down. */
export function packageRate({ fee, vbytes }: FeePackage): bigint {
  return rateOf(fee, vbytes);
}

/**
 * Returns the fee in the smallest coin unit with which a transaction of `vbytes` virtual bytes brings itself and its
 * unconfirmed ancestors together to `rate` (smallest coin unit per 1,000 virtual bytes). Zero or less if the ancestors
 * alone pay for the transaction at this rate.
 */
export function feeInPackage(rate: bigint, vbytes: number, ancestors: FeePackage): bigint {
  return feeAt(rate, vbytes + ancestors.vbytes) - ancestors.fee;
}
