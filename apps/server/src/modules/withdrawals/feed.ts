import type { UserId } from '@exchange/core/ids.ts';
import type { TransferMessage } from '@exchange/wire/deposit.ts';
import { WITHDRAWAL_STATUS } from '@exchange/wire/withdrawal.ts';
import { privateEvent } from '../../platform/feed/private-event.ts';
import type { WithdrawalStatus } from './domain.ts';

/**
 * Event to the owner of a withdrawal that is new, or whose status, stage or number of confirmations (`confirm`) has
 * changed.
 */
interface WithdrawalChanged {
  readonly owner: UserId;
  readonly id: string;
  readonly status: WithdrawalStatus;
  readonly confirm: number;
}

export const withdrawalChanged = privateEvent<WithdrawalChanged, TransferMessage>({
  name: 'withdrawal.changed',
  topic: 'transfer',
  message: ({ id, status, confirm }) => [
    {
      id,
      kind: 'withdrawal',
      status: WITHDRAWAL_STATUS[status],
      confirm,
    },
  ],
});
