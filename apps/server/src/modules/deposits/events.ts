import type { UserId } from '@exchange/core/ids.ts';
import { eventKind } from '../../platform/events.ts';

/** A deposit was seen, confirmed once more or credited. */
export interface DepositChanged {
  readonly owner: UserId;
  readonly id: string;
  /** As on the wire: 0 pending, 1 finished, 2 rejected. */
  readonly status: number;
  readonly confirm: number;
}

export const depositChanged = eventKind<DepositChanged>('deposit.changed');
