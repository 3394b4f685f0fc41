import type { UserId } from '@exchange/core/ids.ts';
import type { SubscriptionMessage } from '@exchange/wire/subscription.ts';
import { privateEvent } from '../../platform/feed/private-event.ts';

/** Event to a user whose commitment to a token sale was made, changed or settled, or whose tokens were claimed. */
interface SubscriptionChanged {
  readonly owner: UserId;
  readonly projectId: string;
}

export const subscriptionChanged = privateEvent<SubscriptionChanged, SubscriptionMessage>({
  name: 'subscription.changed',
  topic: 'subscription',
  message: ({ projectId }) => [{ projectId }],
});
