import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { userAddress, type Ledger, type Posting } from '../ledger/index.ts';
import type { Withdrawal, WithdrawalStatus } from './domain.ts';
import { withdrawalChanged } from './events.ts';
import { changeWithdrawal, type Change } from './repository.ts';

/** What the steps of withdrawals share: amounts that are held and given back, and how one stands, stored and told. */

export function move(
  { owner: of, asset, amount }: Withdrawal,
  from: 'available' | 'frozen',
  to: 'available' | 'frozen',
): Posting {
  return { source: userAddress(of, 'spot', from), destination: userAddress(of, 'spot', to), asset, amount };
}

export async function giveBack(
  step: SqlStep,
  ledger: Ledger,
  withdrawal: Withdrawal,
  how: Pick<Change, 'reason' | 'by'> & { readonly status: 'cancelled' | 'rejected' | 'failed' },
): Promise<void> {
  ledger.post(step, 'withdrawal.returned', withdrawal.id, [move(withdrawal, 'frozen', 'available')]);
  await change(step, withdrawal, { ...how, endedAt: step.now });
}

export async function change(step: SqlStep, before: Withdrawal, to: Change): Promise<void> {
  await changeWithdrawal(step.sql, before.id, to);
  tell(step, { ...before, status: to.status });
}

export function requireStatus({ status }: Withdrawal, wanted: WithdrawalStatus): void {
  if (status === wanted) return;
  throw new Refused(refusal('closed', 'l.withdraw_not_pending', { limit: wanted, value: status }));
}

export function tell(step: SqlStep, { owner: of, id: which, status, confirmations }: Withdrawal): void {
  const confirm = status === 'finished' ? confirmations : 0;
  step.publish(withdrawalChanged, { owner: of, id: which, status, confirm });
}
