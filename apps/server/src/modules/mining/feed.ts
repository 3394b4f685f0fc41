import type { UserId } from '@exchange/core/ids.ts';
import type { MiningStatus } from '@exchange/core/mining.ts';
import { MINING_STATUS, type MiningMessage } from '@exchange/wire/mining.ts';
import { privateEvent } from '../../platform/feed/private-event.ts';

/**
 * Event for the owner of a mining order that was bought, was credited income, or was redeemed, with the
 * order's new status.
 */
interface MiningChanged {
  readonly owner: UserId;
  readonly orderId: string;
  readonly productId: string;
  readonly status: MiningStatus;
}

export const miningChanged = privateEvent<MiningChanged, MiningMessage>({
  name: 'mining.changed',
  topic: 'mining',
  message: ({ orderId, productId, status }) => [{ orderId, productId, status: MINING_STATUS[status] }],
});
