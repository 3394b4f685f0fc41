import type { UserId } from '@exchange/core/ids.ts';
import { holdProblem } from '@exchange/core/network.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Identity } from '../identity/index.ts';

const NEVER = instant(0);

/** Account status relevant to withdrawals. */
export interface WithdrawalAccountStatus {
  readonly frozen: boolean;
  readonly verified: boolean;
  /** Withdrawals are on hold until this instant. */
  readonly holdUntil: Instant;
}

/** Account status of a user; an unknown account counts as frozen. */
export async function withdrawalAccountStatus(
  identity: Pick<Identity, 'prepare' | 'withdrawalHold'>,
  owner: UserId,
): Promise<WithdrawalAccountStatus> {
  const status = await identity.prepare(owner);
  const holdUntil = (await identity.withdrawalHold(owner)) ?? NEVER;
  return { frozen: status?.frozen ?? true, verified: status?.verified ?? false, holdUntil };
}

/** Why the account may not withdraw at `now`; undefined if it may. */
export function withdrawalAccountProblem(
  { frozen, holdUntil }: WithdrawalAccountStatus,
  now: Instant,
): Refusal | undefined {
  return frozen ? refusal('securityHold', 'l.account_frozen') : holdProblem(holdUntil, now);
}
