import type { COIN_NAMES } from '@exchange/core/coin-names.ts';
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

/** The names as searches use them. */
export function coinNamesOf(names: typeof COIN_NAMES): CoinNames {
  const of = (coin: string) => names.get(coin) ?? [];
  return {
    of,
    isNamed: (coin, search) => isNamed(of(coin), search),
  };
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
