import { MINING_STATUS, type MiningMessage } from '@exchange/wire/mining.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { miningChanged } from './events.ts';

/** Publishes to each user, after the commit, which of their orders were bought, credited or redeemed. */
export function feedMining(events: Events, feed: Feed): void {
  feed.servePrivate('mining', () => Promise.resolve([] satisfies MiningMessage));
  events.on(miningChanged, ({ owner, orderId, productId, status }) => {
    if (!feed.hasPrivateListener('mining', owner)) return;
    const message: MiningMessage = [{ orderId, productId, status: MINING_STATUS[status] }];
    feed.publishPrivate('mining', owner, message);
  });
}
