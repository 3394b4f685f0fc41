import type { UserId } from '@exchange/core/ids.ts';
import { holdProblem } from '@exchange/core/network.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Identity } from '../identity/index.ts';

const NEVER = instant(0);

/** How an account stands towards what is to leave it. */
export interface Leaving {
  readonly frozen: boolean;
  readonly verified: boolean;
  /** Until when its withdrawals are held. */
  readonly holdUntil: Instant;
}

/** How somebody's account stands towards what is to leave it; nothing leaves an account that there is not. */
export async function leavingOf(
  identity: Pick<Identity, 'prepare' | 'withdrawalHold'>,
  owner: UserId,
): Promise<Leaving> {
  const status = await identity.prepare(owner);
  const holdUntil = (await identity.withdrawalHold(owner)) ?? NEVER;
  return { frozen: status?.frozen ?? true, verified: status?.verified ?? false, holdUntil };
}

/** Why nothing leaves an account now, whenever it was asked for; undefined where it may. */
export function leavingProblem({ frozen, holdUntil }: Leaving, now: Instant): Refusal | undefined {
  return frozen ? refusal('securityHold', 'l.account_frozen') : holdProblem(holdUntil, now);
}
