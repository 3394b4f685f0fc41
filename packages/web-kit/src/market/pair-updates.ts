import type { PairsMessage } from '@exchange/wire/feed.ts';
import { queryClient } from '../api/query-client.ts';
import { feed, feedState } from '../feed/feed.ts';
import { subscriptionWhileMounted } from '../feed/shared-subscription.ts';
import { onRefresh } from '../refresh.ts';
import type { MarketPair } from './pair.ts';

export const PAIRS_KEY = ['market', 'pairs'] as const;

/** While the live feed is interrupted, the pairs are refetched at every third refresh interval, not at each one. */
const REFRESHES_PER_POLL = 3;

/**
 * Hook that updates the trading status of the pairs while at least one component that uses it is mounted:
 * from the live feed, and while the feed is interrupted by fetching the pairs every 15 seconds.
 */
export const usePairUpdates = subscriptionWhileMounted(join);

function join(): () => void {
  let refreshCount = 0;
  const unsubscribers = [
    feed.subscribe('pairs', ({ data }) => applyStatuses(data as PairsMessage)),
    onRefresh(() => {
      refreshCount = feedState() === 'live' ? 0 : refreshCount + 1;
      if (refreshCount % REFRESHES_PER_POLL === 1)
        void queryClient.invalidateQueries({ queryKey: PAIRS_KEY });
    }),
  ];
  return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
}

function applyStatuses(messages: PairsMessage): void {
  queryClient.setQueryData<readonly MarketPair[]>(PAIRS_KEY, (pairs) =>
    pairs === undefined ? undefined : pairsAfter(pairs, messages),
  );
}

/** The pairs with the trading status of the messages; returns the same array when no status has changed. */
export function pairsAfter(pairs: readonly MarketPair[], messages: PairsMessage): readonly MarketPair[] {
  const messageOf = new Map(messages.map((message) => [message.symbol, message]));
  const isChanged = (pair: MarketPair): boolean => {
    const message = messageOf.get(pair.symbol);
    return message !== undefined && !isSameStatus(pair, message);
  };
  if (!pairs.some(isChanged)) return pairs;
  return pairs.map((pair) => {
    const message = messageOf.get(pair.symbol);
    return message === undefined || isSameStatus(pair, message)
      ? pair
      : { ...pair, status: message.status, pause: message.pause };
  });
}

/**
 * True if the feed message has the same trading status, and the same published data about the pause of
 * trading, as the pair.
 */
function isSameStatus(pair: MarketPair, { status, pause }: PairsMessage[number]): boolean {
  return pair.status === status && JSON.stringify(pair.pause) === JSON.stringify(pause);
}
