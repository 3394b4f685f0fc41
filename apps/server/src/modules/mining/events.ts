import type { UserId } from '@exchange/core/ids.ts';
import type { MiningStatus } from '@exchange/core/mining.ts';
import { eventKind } from '../../platform/events.ts';

/** An order was bought, was credited income, or was redeemed. */
export interface MiningChanged {
  readonly owner: UserId;
  readonly orderId: string;
  readonly productId: string;
  readonly status: MiningStatus;
}

export const miningChanged = eventKind<MiningChanged>('mining.changed');
