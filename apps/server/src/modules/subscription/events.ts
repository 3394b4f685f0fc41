import type { UserId } from '@exchange/core/ids.ts';
import { eventKind } from '../../platform/events.ts';

/** A user's commitment was made, changed, settled or claimed from. */
export interface SubscriptionChanged {
  readonly owner: UserId;
  readonly projectId: string;
}

export const subscriptionChanged = eventKind<SubscriptionChanged>('subscription.changed');
