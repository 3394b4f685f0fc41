import { useEffect, useSyncExternalStore } from 'react';
import { loadChunk } from '../part/load-chunk.ts';
import { coinNamesOf, NO_COIN_NAMES, type CoinNames } from './coin-names.ts';

let loaded = NO_COIN_NAMES;
let loading: Promise<void> | undefined;
const watchers = new Set<() => void>();

/** The names of coins, which are fetched when they are first wanted: nobody who does not search needs them. */
export function useCoinNames(isWanted: boolean): CoinNames {
  useEffect(() => {
    if (isWanted) void loadNames();
  }, [isWanted]);
  return useSyncExternalStore(watch, () => loaded);
}

async function loadNames(): Promise<void> {
  loading ??= loadChunk(() => import('@exchange/core/coin-names.ts'), 'coin names').then(
    (table) => {
      loaded = coinNamesOf(table.COIN_NAMES);
      for (const watcher of watchers) watcher();
    },
    // Reason: without names a search finds coins by their codes; the next search fetches the names again.
    () => {
      loading = undefined;
    },
  );
  await loading;
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
