import type { ChainPayment, Sending } from '../chains/index.ts';
import { canonicalForm } from './addresses-repository.ts';
import { arrivalOf, originOf, type Withdrawal } from './domain.ts';

/** Returns the payment of a withdrawal, in the form that its network's channel expects. */
export function sendingOf(withdrawal: Withdrawal): Sending {
  const { owner, network, asset, address, memo, remark, isAuto, decidedBy, digest } = withdrawal;
  const payment = {
    origin: originOf(withdrawal),
    approvedBy: decidedBy ?? (isAuto ? 'the limits' : ''),
    network,
    asset,
    address,
    memo,
    amount: arrivalOf(withdrawal),
    remark,
  };
  return digest === undefined ? payment : { ...payment, confirmed: { owner, digest } };
}

/**
 * Returns the payment of a transaction that matches a withdrawal exactly in coin, receiver, memo and arriving
 * amount (without the fee); undefined if there is none.
 */
export function paymentOf(
  withdrawal: Withdrawal,
  payments: readonly ChainPayment[] | undefined,
): ChainPayment | undefined {
  const { asset, network, address, memo } = withdrawal;
  const arrival = arrivalOf(withdrawal);
  return payments?.find(
    (payment) =>
      payment.asset === asset &&
      payment.memo === memo &&
      payment.amount.equals(arrival) &&
      canonicalForm(network, payment.address) === canonicalForm(network, address),
  );
}
