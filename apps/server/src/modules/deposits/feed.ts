import type { TransferMessage } from '@exchange/wire/deposit.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { depositChanged } from './events.ts';

/** Publishes deposit progress to its owner. Withdrawals publish to the same topic. */
export function feedDeposits(events: Events, feed: Feed): void {
  feed.servePrivate('transfer', () => Promise.resolve([] satisfies TransferMessage));
  events.on(depositChanged, ({ owner, id, status, confirm }) => {
    if (!feed.hasPrivateListener('transfer', owner)) return;
    const message: TransferMessage = [{ id, kind: 'deposit', status, confirm }];
    feed.publishPrivate('transfer', owner, message);
  });
}
