import type { FinanceMessage } from '@exchange/wire/finance.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { financeChanged } from './events.ts';

/** Publishes to each user, after the commit, which of their orders were bought, credited or paid out. */
export function feedFinance(events: Events, feed: Feed): void {
  feed.servePrivate('finance', () => Promise.resolve([] satisfies FinanceMessage));
  events.on(financeChanged, ({ owner, orderId, productId, status }) => {
    if (!feed.hasPrivateListener('finance', owner)) return;
    const message: FinanceMessage = [{ orderId, productId, status: status === 'hosting' ? 1 : 2 }];
    feed.publishPrivate('finance', owner, message);
  });
}
