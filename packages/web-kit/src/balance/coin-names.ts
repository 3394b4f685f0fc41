import type { COIN_NAMES } from '@exchange/core/coin-names.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { loadChunk } from '../part/load-chunk.ts';
import { searchKey } from '../ui/typed-text.ts';

/** What searches need of the names of coins in the four languages. */
export interface CoinNames {
  /** The names of a coin; empty for a coin that the exchange did not name. */
  readonly of: (coin: string) => readonly string[];
  /** Whether a search means the coin by one of its names. */
  readonly isNamed: (coin: string, search: string) => boolean;
}

/** Before the names are loaded: searches find coins by their codes only. */
export const NO_COIN_NAMES: CoinNames = {
  of: () => [],
  isNamed: () => false,
};

let loaded = NO_COIN_NAMES;
let loading: Promise<void> | undefined;
const watchers = new Set<() => void>();

/** The names as searches use them. */
export function coinNamesOf(names: typeof COIN_NAMES): CoinNames {
  const of = (coin: string) => names.get(coin) ?? [];
  return {
    of,
    isNamed: (coin, search) => isNamed(of(coin), search),
  };
}

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

const LATIN = /^[ -~]*$/;

/**
 * Whether a search means a coin by one of its `names`: Latin text is compared with the beginnings of words, so that
 * `eth` does not find Tether; other text may stand anywhere in a name.
 */
function isNamed(names: readonly string[], search: string): boolean {
  const wanted = searchKey(search);
  if (wanted === '') return false;
  return names.some((name) => {
    const key = searchKey(name);
    return LATIN.test(wanted) ? key.startsWith(wanted) || key.includes(` ${wanted}`) : key.includes(wanted);
  });
}
