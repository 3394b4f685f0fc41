import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { compareTickers, type Tickers } from '@exchange/web-kit/market/tickers.ts';

export type Ranking = 'popular' | 'gainers' | 'losers';
export type SortField = 'name' | 'price' | 'change' | 'volume';
export interface Sorting {
  readonly field: SortField;
  readonly descending: boolean;
}

/** Pairs for the home page: the exchange's order, or those that moved most. */
export function listed(pairs: readonly MarketPair[], tickers: Tickers, ranking: Ranking): MarketPair[] {
  if (ranking === 'popular') return [...pairs];
  return sorted(pairs, tickers, { field: 'change', descending: ranking === 'gainers' });
}

/** Where a column's figures stand in a ticker. */
const FIELDS = { price: 'last', change: 'change', volume: 'turnover' } as const;

/** Pairs by one column, prices and volumes by what they are worth in USDT; those without a ticker come last. */
export function sorted(pairs: readonly MarketPair[], tickers: Tickers, sorting: Sorting): MarketPair[] {
  const sign = sorting.descending ? -1 : 1;
  const { field } = sorting;
  if (field === 'name') return pairs.toSorted((one, other) => sign * one.base.localeCompare(other.base));
  return pairs.toSorted(compareTickers(tickers, FIELDS[field], sign));
}
