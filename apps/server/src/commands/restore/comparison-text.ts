import type { Comparison } from '../../modules/withdrawals/index.ts';

/** The stored number of the status of a withdrawal that is pending. */
const PENDING = 0;

/**
 * Lines of text about a comparison of a restored database with the signers' journals and the chains: its three groups
 * of payments, then the chains that were not compared, with the reason. For each payment that the restored database
 * does not know, the line says how operators settle it: only a payment without a pending withdrawal is debited from its
 * owner, because a pending withdrawal is debited by itself.
 */
export function comparisonLines({ paidKnown, paidUnknown, notPaid, notCompared }: Comparison): string[] {
  return [
    `Paid and known: ${paidKnown.length}`,
    ...paidKnown.map(({ id, amount, asset, txid }) => `  ${id} ${amount} ${asset} ${txid}`),
    `Paid and unknown, to be settled in the console: ${paidUnknown.length}`,
    ...paidUnknown.map(
      ({ id, amount, asset, address, txid, status }) =>
        `  ${id} ${amount} ${asset} to ${address} ${txid} (${status === PENDING ? 'its withdrawal is pending and follows it: debit nothing' : 'debit it from its owner'})`,
    ),
    `Not paid: ${notPaid.length}`,
    ...notPaid.map(
      (payment) =>
        `  ${payment.id} ${'txid' in payment ? `signed, never reject it: ${payment.txid}` : 'not signed'}`,
    ),
    ...notCompared.map(({ chain, payments, reason }) => `Not compared: ${payments} on ${chain}: ${reason}`),
  ];
}
