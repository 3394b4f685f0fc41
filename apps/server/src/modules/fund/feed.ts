import { STATUSES_ON_WIRE } from './present.ts';
import type { FundMessage, FundValuesMessage } from '@exchange/wire/fund.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { fundChanged } from './events.ts';
import type { ValuesAt } from './values.ts';

const VALUES_TOPIC = 'funds';

/**
 * Publishes the unit values of each second to everybody, and to each user, after the commit, which of their
 * positions changed.
 */
export function feedFunds(events: Events, feed: Feed, latest: () => ValuesAt | undefined): void {
  feed.serve(VALUES_TOPIC, () => valuesMessage(latest()));
  feed.servePrivate('fund', () => Promise.resolve([] satisfies FundMessage));
  events.on(fundChanged, ({ owner, id, fund, status }) => {
    if (!feed.hasPrivateListener('fund', owner)) return;
    const message: FundMessage = [{ id, fundId: fund, status: STATUSES_ON_WIRE[status] }];
    feed.publishPrivate('fund', owner, message);
  });
}

/** Publishes the values of a second to connected clients. */
export function publishValues(feed: Feed, values: ValuesAt): void {
  if (feed.hasListeners(VALUES_TOPIC)) feed.publish(VALUES_TOPIC, valuesMessage(values));
}

function valuesMessage(latest: ValuesAt | undefined): FundValuesMessage {
  const values = [...(latest?.values ?? [])].map(
    ([id, { value }]) => [id, value?.toString() ?? null] as const,
  );
  return { t: latest?.t ?? 0, values: Object.fromEntries(values) };
}
