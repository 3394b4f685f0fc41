import type { PairsMessage } from '@exchange/wire/feed.ts';
import { queryClient } from '../api/query-client.ts';
import { feed, feedState } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import { onRefresh } from '../refresh.ts';
import type { MarketPair } from './pair.ts';

/** Where the cache keeps the pairs. */
export const PAIRS_KEY = ['market', 'pairs'] as const;

/** While the feed is cut, every so many heartbeats ask for the pairs instead. */
const HEARTBEATS_PER_POLL = 3;

/** Keeps the status of the pairs in step with the feed while at least one component that shows one is on screen. */
export const usePairUpdates = joinedWhileShown(join);

function join(): () => void {
  let heartbeats = 0;
  const stops = [
    feed.subscribe('pairs', ({ data }) => statusesArrived(data as PairsMessage)),
    onRefresh(() => {
      heartbeats = feedState() === 'live' ? 0 : heartbeats + 1;
      if (heartbeats % HEARTBEATS_PER_POLL === 1) void queryClient.invalidateQueries({ queryKey: PAIRS_KEY });
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

function statusesArrived(messages: PairsMessage): void {
  queryClient.setQueryData<readonly MarketPair[]>(PAIRS_KEY, (pairs) =>
    pairs === undefined ? undefined : pairsAfter(pairs, messages),
  );
}

/** The pairs after some have changed status; the same list where none has. */
export function pairsAfter(pairs: readonly MarketPair[], messages: PairsMessage): readonly MarketPair[] {
  const statuses = new Map(messages.map(({ symbol, status }) => [symbol, status]));
  const isChanged = (pair: MarketPair): boolean => (statuses.get(pair.symbol) ?? pair.status) !== pair.status;
  if (!pairs.some(isChanged)) return pairs;
  return pairs.map((pair) =>
    isChanged(pair) ? { ...pair, status: statuses.get(pair.symbol) ?? pair.status } : pair,
  );
}
