import type { UserId } from '@exchange/core/ids.ts';
import type { TransferMessage } from '@exchange/wire/deposit.ts';
import { privateEvent } from '../../platform/feed/private-event.ts';

/**
 * Event that is published when a deposit was first seen, got another number of confirmations, began to wait for the
 * minimum, was credited, was dropped by its network, or reappeared there.
 */
interface DepositChanged {
  readonly owner: UserId;
  readonly id: string;
  /** Status of the deposit as in the API: 0 pending, 1 credited, 2 rejected. */
  readonly status: number;
  readonly confirm: number;
}

export const depositChanged = privateEvent<DepositChanged, TransferMessage>({
  name: 'deposit.changed',
  topic: 'transfer',
  message: ({ id, status, confirm }) => [{ id, kind: 'deposit', status, confirm }],
});
