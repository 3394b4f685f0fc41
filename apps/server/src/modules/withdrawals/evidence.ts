import type { approveLargeWithdrawal } from '@exchange/wire/console/withdrawals.ts';
import type { EvidenceOf } from '../../platform/console/operation.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Identity } from '../identity/index.ts';
import type { Market } from '../market/index.ts';
import type { Withdrawal } from './domain.ts';
import { withdrawalAccountStatus } from './account-status.ts';
import type { Withdrawals } from './service.ts';

const VALUE_PLACES = 2;

export interface EvidenceParts {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'findUser' | 'prepare' | 'withdrawalHold'>;
  readonly market: Pick<Market, 'usdtIndex'>;
  readonly withdrawals: Pick<Withdrawals, 'find' | 'destinationHistory' | 'approvedByOne'>;
}

/**
 * Evidence for approving a withdrawal: owner, amount, destination, and the history of the address and the account.
 * Values are in USDT.
 */
export async function withdrawalEvidence(
  parts: EvidenceParts,
  id: string,
): Promise<EvidenceOf<typeof approveLargeWithdrawal>> {
  const { clock, identity, market, withdrawals } = parts;
  const withdrawal = await withdrawals.find(id);
  if (withdrawal === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  const { owner, asset, amount, address } = withdrawal;
  const [user, leaving, use, approved] = await Promise.all([
    identity.findUser(owner),
    withdrawalAccountStatus(identity, owner),
    withdrawals.destinationHistory(withdrawal),
    withdrawals.approvedByOne([owner]),
  ]);
  const price = market.usdtIndex(asset);
  const isHeld = leaving.holdUntil > clock.now();
  return {
    facts: { ...factsOf(withdrawal), uid: user?.uid, email: user?.email },
    context: {
      valueNowUsdt: price === undefined ? undefined : amount.times(price, 'down', VALUE_PLACES),
      addressKeptAt: use.keptAt,
      addressKnownAt: withdrawal.knownAt,
      addressInBook: use.keptAt !== undefined,
      finishedToAddress: use.finishedToAddress,
      finishedOfAccount: use.finishedOfAccount,
      approvedByOneUsdt: approved.get(owner),
      isVerified: leaving.verified,
      isFrozen: leaving.frozen,
      ...(isHeld ? { withdrawalsHeldUntil: leaving.holdUntil } : {}),
    },
    money: { amount, asset, destination: address },
  };
}

/** Fixed fields of a pending withdrawal, and its status. */
function factsOf(withdrawal: Withdrawal) {
  const { id, owner, asset, network, address, memo, amount, fee, value, status, createdAt } = withdrawal;
  return {
    id,
    owner,
    amount,
    asset,
    network,
    address,
    memo,
    fee,
    arrives: amount.minus(fee),
    valueUsdt: value,
    status,
    remark: withdrawal.remark,
    createdAt,
  };
}
