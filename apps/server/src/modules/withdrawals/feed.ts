import type { TransferMessage } from '@exchange/wire/deposit.ts';
import { WITHDRAWAL_STATUS } from '@exchange/wire/withdrawal.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { withdrawalChanged } from './events.ts';

/** Publishes withdrawal progress to its owner, on the topic that deposits serve. */
export function feedWithdrawals(events: Events, feed: Feed): void {
  events.on(withdrawalChanged, ({ owner, id, status, confirm }) => {
    if (!feed.hasPrivateListener('transfer', owner)) return;
    const message: TransferMessage = [{ id, kind: 'withdrawal', status: WITHDRAWAL_STATUS[status], confirm }];
    feed.publishPrivate('transfer', owner, message);
  });
}
