import { type MarketPair, type MarketTab, pairsIn } from '@exchange/web-kit/market/pair.ts';
import type { CoinNames } from '@exchange/web-kit/balance/coin-names.ts';
import { compareTickers, type Tickers } from '@exchange/web-kit/market/tickers.ts';

export type MarketColumn = 'pair' | 'last' | 'change' | 'high' | 'low' | 'turnover';

export interface MarketSort {
  /** Column by which the pairs are sorted; undefined for the order in which the exchange lists them. */
  readonly column: MarketColumn | undefined;
  readonly descending: boolean;
}

export interface MarketView {
  readonly tab: MarketTab;
  readonly search: string;
  readonly sort: MarketSort;
  /**
   * Names of coins; the search compares its text with them in addition to the codes of the coins. Without it
   * only the codes are compared.
   */
  readonly names?: CoinNames;
}

export const INITIAL_SORT: MarketSort = { column: undefined, descending: true };

/**
 * Returns the sorting after a click on a column. A figure's column is sorted descending by the first click
 * and ascending by the second, the column with the pair names the other way round. The third click restores
 * the order in which the exchange lists the pairs.
 */
export function nextSort(sort: MarketSort, column: MarketColumn): MarketSort {
  if (sort.column !== column) return { column: column, descending: column !== 'pair' };
  const isFirst = sort.descending === (column !== 'pair');
  return isFirst ? { column: column, descending: !sort.descending } : INITIAL_SORT;
}

/**
 * Filters and sorts the pairs of a view; a search covers the pairs of all quote coins. When they are sorted by a
 * figure, pairs without a price come last in both directions, and prices and turnovers in different quote coins are
 * compared by their worth in USDT.
 */
export function pairsShown(
  pairs: readonly MarketPair[],
  view: MarketView,
  favorites: ReadonlySet<string>,
  tickers: Tickers,
): readonly MarketPair[] {
  const { sort } = view;
  const shown = pairsIn(pairs, { ...view, favorites });
  const { column, descending } = sort;
  if (column === undefined) return shown;
  const sign = descending ? -1 : 1;
  if (column === 'pair') return shown.toSorted((a, b) => sign * a.symbol.localeCompare(b.symbol));
  return shown.toSorted(compareTickers(tickers, column, sign));
}
