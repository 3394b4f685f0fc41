import type { UtxoNetwork } from '@exchange/core/utxo-network.ts';
import { feeInPackage, packageRate, type FeePackage } from '@exchange/core/utxo-package.ts';
import { vbytesOf } from '@exchange/core/utxo-transaction.ts';

/**
 * Why a transaction gets no child. `noChange`: it has no output at the own address. `changeSpent`: a batch spends its
 * change. `changeSmall`: the change does not pay the fee. `paysEnough`: it pays the wanted rate already. `notHeld`: the
 * node does not hold it, or it makes a payment that is to be returned. `manyChildren`: enough children were signed.
 * `network`: the network has no segregated witness.
 */
export type NoChild =
  | 'noChange'
  | 'changeSpent'
  | 'changeSmall'
  | 'paysEnough'
  | 'notHeld'
  | 'manyChildren'
  | 'network';

/** The reasons as operators read them in health and log. */
export const NO_CHILD_TEXT: Readonly<Record<NoChild, string>> = {
  noChange: 'its transaction has no change',
  changeSpent: 'another batch spends its change',
  changeSmall: 'its change does not pay the fee of a child',
  paysEnough: 'its fee has reached the bound of the settings',
  notHeld: 'the node does not hold its transaction, or it makes a payment that is to be returned',
  manyChildren: 'all automatic children were signed: add one by hand',
  network: 'the network has no segregated witness',
};

/** Thrown when a transaction gets no child. */
export class ChildImpossible extends Error {
  readonly reason: NoChild;

  constructor(reason: NoChild) {
    super(NO_CHILD_TEXT[reason]);
    this.reason = reason;
  }
}

/**
 * Returns the fee, in the smallest coin unit, of a child that spends `change` (smallest coin unit) and brings itself and
 * its unconfirmed ancestors together to `rate` (smallest coin unit per 1,000 virtual bytes). Returns why there is no
 * such child if the ancestors pay this rate already, or if less than the network's dust limit would remain.
 *
 * @param script output script (hex) of the own address, which is the child's only output
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
