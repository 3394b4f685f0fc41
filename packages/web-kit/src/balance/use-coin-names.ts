import { useEffect, useSyncExternalStore } from 'react';
import { loadChunk } from '../part/load-chunk.ts';
import { coinNamesOf, NO_COIN_NAMES, type CoinNames } from './coin-names.ts';

let loaded = NO_COIN_NAMES;
let loading: Promise<void> | undefined;
const watchers = new Set<() => void>();

/**
 * Coin names, loaded once `isWanted` is true, because only searches need them; before that no coin has a
 * name.
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
    // Without names a search matches coin codes only; the next search loads the names again.
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
