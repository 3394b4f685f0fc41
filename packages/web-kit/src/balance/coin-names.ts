import type { COIN_NAMES } from '@exchange/core/coin-names.ts';
import { searchKey } from '../ui/typed-text.ts';

/** Coin names in the four languages, for searches. */
export interface CoinNames {
  /** Names of a coin; empty for a coin that has none. */
  readonly namesOf: (coin: string) => readonly string[];
  /** Whether a search text matches one of the coin's names. */
  readonly matches: (coin: string, search: string) => boolean;
}

/** Used before the coin names have loaded: searches match coin codes only. */
export const NO_COIN_NAMES: CoinNames = {
  namesOf: () => [],
  matches: () => false,
};

export function coinNamesOf(names: typeof COIN_NAMES): CoinNames {
  const namesOf = (coin: string) => names.get(coin) ?? [];
  return {
    namesOf: namesOf,
    matches: (coin, search) => isNamed(namesOf(coin), search),
  };
}

const LATIN = /^[ -~]*$/;

/**
 * Whether a search matches one of `names`. Latin text must match the beginning of a word, so that `eth` does not find
 * Tether; other text may match anywhere in a name.
 */
function isNamed(names: readonly string[], search: string): boolean {
  const searchedKey = searchKey(search);
  if (searchedKey === '') return false;
  return names.some((name) => {
    const key = searchKey(name);
    return LATIN.test(searchedKey)
      ? key.startsWith(searchedKey) || key.includes(` ${searchedKey}`)
      : key.includes(searchedKey);
  });
}
