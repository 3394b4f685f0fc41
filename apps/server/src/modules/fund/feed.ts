import type { UserId } from '@exchange/core/ids.ts';
import { HOLDING_STATUS, type FundMessage, type FundValuesMessage } from '@exchange/wire/fund.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { privateEvent } from '../../platform/feed/private-event.ts';
import type { PositionStatus } from './domain.ts';
import type { ValuesAt } from './values.ts';

/**
 * Event that is published when a fund position was bought, changed or ended, and when a sell order of it was created or
 * cancelled.
 */
interface FundChanged {
  readonly owner: UserId;
  readonly id: string;
  readonly fund: string;
  readonly status: PositionStatus;
}

/** Status number of a refunded fund purchase in feed messages; lists of positions do not contain refunded purchases. */
const REFUNDED_STATUS = 5;

export const fundChanged = privateEvent<FundChanged, FundMessage>({
  name: 'fund.changed',
  topic: 'fund',
  message: ({ id, fund, status }) => [
    {
      id,
      fundId: fund,
      status: status === 'cancelled' ? REFUNDED_STATUS : HOLDING_STATUS[status],
    },
  ],
});

const VALUES_TOPIC = 'funds';

/**
 * Serves the public feed topic `funds` with the unit values of all funds at the latest second. A subscriber
 * before the first values receives a message without values, whose time is 0.
 */
export function serveValues(feed: Feed, latest: () => ValuesAt | undefined): void {
  feed.serve(VALUES_TOPIC, () => valuesMessage(latest()));
}

/** Publishes the funds' unit values of a second to the subscribers of the public feed topic `funds`. */
export function publishValues(feed: Feed, values: ValuesAt): void {
  if (feed.hasListeners(VALUES_TOPIC)) feed.publish(VALUES_TOPIC, valuesMessage(values));
}

function valuesMessage(latest: ValuesAt | undefined): FundValuesMessage {
  const values = [...(latest?.values ?? [])].map(
    ([id, { value }]) => [id, value?.toString() ?? null] as const,
  );
  return { t: latest?.t ?? 0, values: Object.fromEntries(values) };
}
