import type { UserId } from '@exchange/core/ids.ts';
import type { FinanceMessage } from '@exchange/wire/finance.ts';
import { privateEvent } from '../../platform/feed/private-event.ts';

/** Event that is published when a fixed-term order was bought, was credited interest, or was paid out. */
interface FinanceChanged {
  readonly owner: UserId;
  readonly orderId: string;
  readonly productId: string;
  readonly status: 'hosting' | 'completed';
}

export const financeChanged = privateEvent<FinanceChanged, FinanceMessage>({
  name: 'finance.changed',
  topic: 'finance',
  message: ({ orderId, productId, status }) => [{ orderId, productId, status: status === 'hosting' ? 1 : 2 }],
});
