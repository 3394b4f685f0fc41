import type { claimGoneDeposit, creditReport } from '@exchange/wire/console/deposits.ts';
import type { EvidenceOf } from '../../platform/console/operation.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import { REPORT_STATUSES, type Deposit } from './domain.ts';
import type { Arrival, Proofs } from './proofs.ts';

const VALUE_PLACES = 2;

export interface CreditParts {
  readonly identity: Pick<Identity, 'findUser' | 'findUserNamed'>;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly proofs: Proofs;
}

/**
 * What the second operator sees who approves the debit of a credited deposit that its network dropped: the deposit, its
 * owner, and its value in USDT at the present price, which is undefined if the coin has no price.
 */
export async function claimEvidence(
  { identity, market }: Pick<CreditParts, 'identity' | 'market'>,
  deposit: Deposit,
): Promise<EvidenceOf<typeof claimGoneDeposit>> {
  const { id, owner, asset, amount, network, address, txid, createdAt, goneAt } = deposit;
  const user = await identity.findUser(owner);
  const price = market.usdtPrice(asset);
  return {
    facts: {
      id,
      owner,
      uid: user?.uid,
      email: user?.email,
      amount,
      asset,
      network,
      address,
      txid,
      createdAt,
      goneAt,
    },
    context: {
      valueNowUsdt: price === undefined ? undefined : amount.times(price, 'down', VALUE_PLACES),
    },
    money: { amount, asset, destination: txid },
  };
}

/**
 * What the second operator sees who approves the credit of a reported deposit: the report, the first
 * operator's findings on the network, whether the two amounts differ, the value in USDT, the number of the
 * user's reports, and the deposits that the same transaction made already. The facts contain the id of the
 * report, with which the console shows the uploaded picture.
 */
export async function creditEvidence(
  { identity, market, proofs }: CreditParts,
  id: string,
  arrival: Arrival,
): Promise<EvidenceOf<typeof creditReport>> {
  const { proof, amount, txid, output } = await proofs.arrival(id, arrival);
  const { owner, asset, network, address } = proof;
  const [user, earlier, payments] = await Promise.all([
    identity.findUser(owner),
    proofs.records(owner, { pageNo: 1, pageSize: 1 }),
    proofs.earlierPayments(proof, txid),
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
      status: REPORT_STATUSES[proof.status],
      createdAt: proof.createdAt,
    },
    context: {
      valueNowUsdt: price === undefined ? undefined : amount.times(price, 'down', VALUE_PLACES),
      differsFromReport: !amount.equals(proof.amount),
      reportsOfAccount: earlier.total,
      transactionCredited: payments.list
        .map((payment) => `${payment.output}: ${payment.amount.toString()} to ${payment.owner}`)
        .join('; '),
      transactionPayments: payments.total,
    },
    money: { amount, asset, destination: txid },
  };
}
