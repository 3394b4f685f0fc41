import { type MarketPair, type MarketTab, pairsIn } from '@exchange/web-kit/market/pair.ts';
import type { CoinNames } from '@exchange/web-kit/balance/coin-names.ts';
import { compareTickers, type Tickers } from '@exchange/web-kit/market/tickers.ts';

export type MarketColumn = 'pair' | 'last' | 'change' | 'high' | 'low' | 'turnover';

export interface MarketSort {
  /** Undefined keeps the order of the exchange. */
  readonly by: MarketColumn | undefined;
  readonly descending: boolean;
}

export interface MarketView {
  readonly tab: MarketTab;
  readonly search: string;
  readonly sort: MarketSort;
  /** Coin names that the search matches in addition to their codes. */
  readonly names?: CoinNames;
}

export const INITIAL_SORT: MarketSort = { by: undefined, descending: true };

/** The sort after a click on a column: descending, ascending, then the order of the exchange again. */
export function sortedBy(sort: MarketSort, column: MarketColumn): MarketSort {
  if (sort.by !== column) return { by: column, descending: column !== 'pair' };
  const isFirst = sort.descending === (column !== 'pair');
  return isFirst ? { by: column, descending: !sort.descending } : INITIAL_SORT;
}

/**
 * Filters and sorts the pairs of a view. A search covers all quote coins. Unknown prices come last in both
 * directions, and prices in different coins are compared by their worth.
 */
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
  if (by === 'pair') return shown.toSorted((a, b) => sign * a.symbol.localeCompare(b.symbol));
  return shown.toSorted(compareTickers(tickers, by, sign));
}
