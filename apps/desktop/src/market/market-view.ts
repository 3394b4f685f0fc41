import { type MarketPair, type MarketTab, pairsIn } from '@exchange/web-kit/market/pair.ts';
import type { CoinNames } from '@exchange/web-kit/balance/coin-names.ts';
import { compareTickers, type Tickers } from '@exchange/web-kit/market/tickers.ts';

export type MarketColumn = 'pair' | 'last' | 'change' | 'high' | 'low' | 'turnover';

export interface MarketSort {
  /** Undefined keeps the exchange's own order. */
  readonly by: MarketColumn | undefined;
  readonly descending: boolean;
}

export interface MarketView {
  readonly tab: MarketTab;
  readonly search: string;
  readonly sort: MarketSort;
  /** By which the search finds coins, besides their codes. */
  readonly names?: CoinNames;
}

export const INITIAL_SORT: MarketSort = { by: undefined, descending: true };

/** The sort after a click on a column: from high to low, then low to high, then the exchange's order again. */
export function sortedBy(sort: MarketSort, by: MarketColumn): MarketSort {
  if (sort.by !== by) return { by, descending: by !== 'pair' };
  const isFirst = sort.descending === (by !== 'pair');
  return isFirst ? { by, descending: !sort.descending } : INITIAL_SORT;
}

/** The pairs that a view shows. A search looks through all quote coins; unknown prices come last either way, and prices in different coins compare by worth. */
export function pairsShown(
  pairs: readonly MarketPair[],
  view: MarketView,
  favorites: ReadonlySet<string>,
  tickers: Tickers,
): readonly MarketPair[] {
  const { sort } = view;
  const shown = pairsIn(pairs, { ...view, favorites });
  const { by, descending } = sort;
  if (by === undefined) return shown;
  const sign = descending ? -1 : 1;
  if (by === 'pair') return shown.toSorted((one, other) => sign * one.symbol.localeCompare(other.symbol));
  return shown.toSorted(compareTickers(tickers, by, sign));
}
