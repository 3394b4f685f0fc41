import type { SubscriptionMessage } from '@exchange/wire/subscription.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { subscriptionChanged } from './events.ts';

/** Publishes to each user, after the commit, the projects in which their commitment changed. */
export function feedSubscription(events: Events, feed: Feed): void {
  feed.servePrivate('subscription', () => Promise.resolve([] satisfies SubscriptionMessage));
  events.on(subscriptionChanged, ({ owner, projectId }) => {
    if (!feed.hasPrivateListener('subscription', owner)) return;
    feed.publishPrivate('subscription', owner, [{ projectId }] satisfies SubscriptionMessage);
  });
}
