import type { COIN_NAMES } from '@exchange/core/coin-names.ts';
import { searchKey } from '../ui/typed-text.ts';

/** Names of coins in four languages, by which users can search for coins. */
export interface CoinNames {
  /** Returns the names of a coin; an empty list for a coin without names. */
  readonly namesOf: (coin: string) => readonly string[];
  /** Returns whether a search text matches one of the coin's names. */
  readonly matches: (coin: string, search: string) => boolean;
}

/**
 * Implementation without any names, used until the names have loaded. With it a search finds coins only by their codes.
 */
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
 * Returns whether a search text matches one of `names`. A text in Latin letters must match the beginning of a word, so
 * that `eth` does not find Tether. Any other text may match anywhere in a name.
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
