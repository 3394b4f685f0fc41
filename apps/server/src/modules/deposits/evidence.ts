import type { ApprovalEvidence } from '../../platform/console/evidence.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import type { Arrival, Proofs } from './proofs.ts';

const VALUE_PLACES = 2;
/** A report's status as operators read it. */
const STATUSES = ['pending', 'credited', 'rejected', 'cancelled'] as const;

export interface CreditParts {
  readonly identity: Pick<Identity, 'findUser'>;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly proofs: Proofs;
}

/**
 * Everything about a reported deposit that decides whether it is credited: who reported what, what an operator has found
 * on the network, and how both differ. The picture is shown by the id.
 */
export async function creditEvidence(
  { identity, market, proofs }: CreditParts,
  id: string,
  found: Arrival,
): Promise<ApprovalEvidence> {
  const { proof, amount, txid, output } = await proofs.arrival(id, found);
  const { owner, asset, network, address } = proof;
  const [user, earlier, others] = await Promise.all([
    identity.findUser(owner),
    proofs.records(owner, { pageNo: 1, pageSize: 1 }),
    proofs.earlierOf(proof, txid),
  ]);
  const price = market.usdtPrice(asset);
  return {
    facts: {
      id,
      owner,
      uid: user?.uid,
      email: user?.email,
      amount,
      asset,
      reportedAmount: proof.amount,
      network,
      address,
      txid,
      output,
      remark: proof.remark,
      status: STATUSES[proof.status],
      createdAt: proof.createdAt,
    },
    context: {
      valueNowUsdt: price === undefined ? undefined : amount.times(price, 'down', VALUE_PLACES),
      differsFromReport: !amount.equals(proof.amount),
      reportsOfAccount: earlier.total,
      transactionCredited: others.list
        .map((other) => `${other.output}: ${other.amount.toString()} to ${other.owner}`)
        .join('; '),
      transactionPayments: others.total,
    },
    money: { amount, asset, destination: txid },
  };
}
