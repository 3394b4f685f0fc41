import type { UserId } from '@exchange/core/ids.ts';
import { eventKind } from '../../platform/events.ts';
import type { WithdrawalStatus } from './domain.ts';

/** Published when a withdrawal is requested, decided, sent, confirmed or ended. */
export interface WithdrawalChanged {
  readonly owner: UserId;
  readonly id: string;
  readonly status: WithdrawalStatus;
  readonly confirm: number;
}

export const withdrawalChanged = eventKind<WithdrawalChanged>('withdrawal.changed');
