import type { UtxoNetwork } from '@exchange/core/utxo-network.ts';
import { feeInPackage, packageRate, type FeePackage } from '@exchange/core/utxo-package.ts';
import { vbytesOf } from '@exchange/core/utxo-transaction.ts';

/**
 * Why no child is made for a waiting transaction. `noChange`: it has no change output. `changeSpent`: a batch already
 * spends its change. `changeSmall`: its change is too small for the fee of a child. `paysEnough`: its fee rate has
 * reached the requested one. `notHeld`: the node's memory pool does not contain it, or a payment that it makes is to be
 * returned to its owner. `manyChildren`: the maximum number of children exists. `network`: the network has no
 * segregated witness.
 */
export type NoChild =
  | 'noChange'
  | 'changeSpent'
  | 'changeSmall'
  | 'paysEnough'
  | 'notHeld'
  | 'manyChildren'
  | 'network';

/**
 * Texts of the reasons why a batch gets no child transaction, for the health report and the log that
 * operators read.
 */
export const NO_CHILD_TEXT: Readonly<Record<NoChild, string>> = {
  noChange: 'its transaction has no change',
  changeSpent: 'another batch spends its change',
  changeSmall: 'its change does not pay the fee of a child',
  paysEnough: 'its fee has reached the bound of the settings',
  notHeld: 'the node does not hold its transaction, or it makes a payment that is to be returned',
  manyChildren: 'all automatic children were signed: add one by hand',
  network: 'the network has no segregated witness',
};

/** Thrown when no child can be made for a transaction. */
export class ChildImpossible extends Error {
  readonly reason: NoChild;

  constructor(reason: NoChild) {
    super(NO_CHILD_TEXT[reason]);
    this.reason = reason;
  }
}

/**
 * Returns the fee, in the smallest coin unit, of a child that spends an output of `change` (smallest coin unit), so
 * that the child and its unconfirmed ancestors together pay the fee rate `rate` (smallest coin unit per 1,000 virtual
 * bytes). Returns `paysEnough` if the ancestors pay this rate already, and `changeSmall` if the child's output would be
 * below the network's dust limit.
 *
 * @param script output script (hex) of the exchange's own address, to which the child's only output pays
 */
export function childFee({
  network,
  change,
  rate,
  ancestors,
  script,
}: {
  readonly network: UtxoNetwork;
  readonly change: bigint;
  readonly rate: bigint;
  readonly ancestors: FeePackage;
  readonly script: string;
}): bigint | NoChild {
  if (packageRate(ancestors) >= rate) return 'paysEnough';
  const fee = feeInPackage(rate, vbytesOf(1, [script], network.script), ancestors);
  return change - fee < network.dust ? 'changeSmall' : fee;
}
