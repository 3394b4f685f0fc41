import { Decimal } from '@exchange/core/decimal.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import type { Ticker, Tickers } from '@exchange/web-kit/market/tickers.ts';

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

/** Pairs by one column; those without a ticker come last. */
export function sorted(pairs: readonly MarketPair[], tickers: Tickers, sorting: Sorting): MarketPair[] {
  const sign = sorting.descending ? -1 : 1;
  return pairs.toSorted((one, other) => {
    if (sorting.field === 'name') return sign * one.base.localeCompare(other.base);
    const a = valueOf(tickers.get(one.symbol), sorting.field);
    const b = valueOf(tickers.get(other.symbol), sorting.field);
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * a.compare(b);
  });
}

function valueOf(ticker: Ticker | undefined, field: Exclude<SortField, 'name'>): Decimal | undefined {
  if (ticker === undefined) return undefined;
  return Decimal.parse({ price: ticker.last, change: ticker.change, volume: ticker.turnover }[field]);
}
