import type { UserId } from '@exchange/core/ids.ts';
import { eventKind } from '../../platform/events.ts';

/** An order was bought, was credited interest, or was paid out. */
export interface FinanceChanged {
  readonly owner: UserId;
  readonly orderId: string;
  readonly productId: string;
  readonly status: 'hosting' | 'completed';
}

export const financeChanged = eventKind<FinanceChanged>('finance.changed');
