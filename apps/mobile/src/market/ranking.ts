import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { compareTickers, type Tickers } from '@exchange/web-kit/market/tickers.ts';

export type Ranking = 'popular' | 'gainers' | 'losers';
export type SortField = 'name' | 'price' | 'change' | 'volume';
export interface Sorting {
  readonly field: SortField;
  readonly descending: boolean;
}

/**
 * Returns the pairs of the home page's list: in the sequence in which the exchange lists them, or ranked by
 * their 24-hour change, the highest first for `gainers` and otherwise the lowest first.
 */
export function rankPairs(pairs: readonly MarketPair[], tickers: Tickers, ranking: Ranking): MarketPair[] {
  if (ranking === 'popular') return [...pairs];
  return sortPairs(pairs, tickers, { field: 'change', descending: ranking === 'gainers' });
}

/** The field of the 24-hour ticker by which the market list sorts each of its columns except the name. */
const FIELDS = { price: 'last', change: 'change', volume: 'turnover' } as const;

/**
 * Sorts pairs by a column; prices and turnovers in different quote coins are compared by their worth in USDT. Pairs
 * without a ticker come last in both directions, except when the pairs are sorted by name.
 */
export function sortPairs(pairs: readonly MarketPair[], tickers: Tickers, sorting: Sorting): MarketPair[] {
  const sign = sorting.descending ? -1 : 1;
  const { field } = sorting;
  if (field === 'name') return pairs.toSorted((a, b) => sign * a.base.localeCompare(b.base));
  return pairs.toSorted(compareTickers(tickers, FIELDS[field], sign));
}
