import type { UserId } from '@exchange/core/ids.ts';
import { eventKind } from '../../platform/events.ts';

/** Published when a deposit is seen, gains a confirmation or is credited. */
export interface DepositChanged {
  readonly owner: UserId;
  readonly id: string;
  /** 0 pending, 1 finished, 2 rejected; as on the wire. */
  readonly status: number;
  readonly confirm: number;
}

export const depositChanged = eventKind<DepositChanged>('deposit.changed');
