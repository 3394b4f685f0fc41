import { useEffect, useSyncExternalStore } from 'react';
import { loadChunk } from '../part/load-chunk.ts';
import { coinNamesOf, NO_COIN_NAMES, type CoinNames } from './coin-names.ts';

let loaded = NO_COIN_NAMES;
let loading: Promise<void> | undefined;
const watchers = new Set<() => void>();

/**
 * Returns the names of coins. They are loaded when `isWanted` is true for the first time, because only searches need
 * them. Until then no coin has a name.
 */
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
    // If loading fails, searches find coins only by their codes. The next component that needs the names loads them
    // again.
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
