import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { compareTickers, type Tickers } from '@exchange/web-kit/market/tickers.ts';

export type Ranking = 'popular' | 'gainers' | 'losers';
export type SortField = 'name' | 'price' | 'change' | 'volume';
export interface Sorting {
  readonly field: SortField;
  readonly descending: boolean;
}

/** Pairs for the home page: in the order of the exchange, or ranked by their change. */
export function rankPairs(pairs: readonly MarketPair[], tickers: Tickers, ranking: Ranking): MarketPair[] {
  if (ranking === 'popular') return [...pairs];
  return sortPairs(pairs, tickers, { field: 'change', descending: ranking === 'gainers' });
}

/** The ticker field by which each column of the market list is sorted. */
const FIELDS = { price: 'last', change: 'change', volume: 'turnover' } as const;

/**
 * Sorts pairs by a column, prices and volumes by their worth in USDT. Pairs without a ticker come last, unless the
 * pairs are sorted by name.
 */
export function sortPairs(pairs: readonly MarketPair[], tickers: Tickers, sorting: Sorting): MarketPair[] {
  const sign = sorting.descending ? -1 : 1;
  const { field } = sorting;
  if (field === 'name') return pairs.toSorted((a, b) => sign * a.base.localeCompare(b.base));
  return pairs.toSorted(compareTickers(tickers, FIELDS[field], sign));
}
