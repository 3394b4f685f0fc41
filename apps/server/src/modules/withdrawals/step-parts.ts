import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { userAddress, type Ledger, type Posting } from '../ledger/index.ts';
import type { Withdrawal, WithdrawalStatus } from './domain.ts';
import { withdrawalChanged } from './feed.ts';
import { changeWithdrawal, type Change } from './repository.ts';

export function bucketPosting(
  { owner, asset, amount }: Withdrawal,
  from: 'available' | 'frozen',
  to: 'available' | 'frozen',
): Posting {
  return {
    source: userAddress(owner, 'spot', from),
    destination: userAddress(owner, 'spot', to),
    asset,
    amount,
  };
}

export async function returnHold(
  step: SqlStep,
  ledger: Ledger,
  withdrawal: Withdrawal,
  outcome: Pick<Change, 'reason' | 'by'> & { readonly status: 'cancelled' | 'rejected' | 'failed' },
): Promise<void> {
  ledger.post(step, 'withdrawal.returned', withdrawal.id, [bucketPosting(withdrawal, 'frozen', 'available')]);
  await applyChange(step, withdrawal, { ...outcome, endedAt: step.now });
}

export async function applyChange(step: SqlStep, withdrawal: Withdrawal, changes: Change): Promise<void> {
  await changeWithdrawal(step.sql, withdrawal.id, changes);
  publishChange(step, { ...withdrawal, status: changes.status });
}

export function requireStatus({ status }: Withdrawal, required: WithdrawalStatus): void {
  if (status === required) return;
  throw new Refused(refusal('closed', 'l.withdraw_not_pending', { limit: required, value: status }));
}

export function publishChange(step: SqlStep, { owner, id, status, confirmations }: Withdrawal): void {
  const confirm = status === 'finished' ? confirmations : 0;
  step.publish(withdrawalChanged, { owner, id, status, confirm });
}
