import type { Comparison } from '../../modules/withdrawals/index.ts';

/** The stored number of the status of a withdrawal that is pending. */
const PENDING = 0;

/**
 * Returns lines of text about a comparison of a restored database with the signers' journals and the chains:
 * its three groups of payments, then the chains that were not compared, with the reason. For each payment in
 * the group "paid and unknown", the line says whether operators must debit its owner when they settle it in
 * the console. They must not if its withdrawal is pending in the restored database: the exchange then
 * completes that withdrawal, which debits the owner.
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
