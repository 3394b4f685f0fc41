import type { DataOf } from '@exchange/wire/endpoint.ts';
import { askAboutTransfer, trackTransfers } from '@exchange/wire/tracking.ts';
import { call, type CallFields } from '../api/client.ts';
import { refetchActive, useRead } from '../api/query-client.ts';
import { feed, receivesPrivateTopic } from '../feed/feed.ts';
import { subscriptionWhileMounted } from '../feed/shared-subscription.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { onRefresh } from '../refresh.ts';
import { signedIn } from '../session/session-store.ts';
import { userKeys } from '../session/user-keys.ts';

export type TrackedRow = DataOf<typeof trackTransfers>['list'][number];

const TRACKING = userKeys('tracking');

function refetchTracked(): void {
  refetchActive(TRACKING.forCurrentUser());
}

const useTrackingUpdates = subscriptionWhileMounted(() => {
  const stops = [
    feed.subscribe('transfer', refetchTracked),
    onRefresh(() => {
      if (!signedIn() || !receivesPrivateTopic('transfer')) refetchTracked();
    }),
  ];
  return () => stops.forEach((stop) => stop());
});

/**
 * The user's deposits, reports of missing deposits, and withdrawals whose amount, transaction ID or record ID matches a
 * search text; for an empty text, those that have not ended. Newest first, at most 20 in either case.
 */
export function useTrackedTransfers(query: string) {
  useTrackingUpdates();
  return useRead({
    queryKey: TRACKING.use(query),
    queryFn: async ({ signal }) =>
      (await call(trackTransfers, query === '' ? {} : { query }, { signal })).list,
  });
}

/**
 * Sends customer service a request about a transfer; resolves to the number of the request. Repeated calls with the
 * same idempotency key send it once.
 */
export async function askAbout({
  clientId,
  payload,
}: KeyedSubmission<CallFields<typeof askAboutTransfer>>): Promise<number> {
  try {
    return (await call(askAboutTransfer, payload, { clientId })).number;
  } finally {
    refetchTracked();
  }
}
