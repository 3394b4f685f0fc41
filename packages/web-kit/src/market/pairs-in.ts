import type { MarketPair } from './pair.ts';

export const MARKET_TABS = ['favorites', 'USDT', 'BTC', 'ETH'] as const;
export type MarketTab = (typeof MARKET_TABS)[number];

interface Wanted {
  readonly tab: MarketTab;
  readonly search: string;
  readonly favorites: ReadonlySet<string>;
}

/** The pairs of a tab; whoever types searches all of them, with or without a separator. Favourites stand as they were added. */
export function pairsIn(
  pairs: readonly MarketPair[],
  { tab, search, favorites }: Wanted,
): readonly MarketPair[] {
  const text = search.toLowerCase().replace(/[\s/_-]/g, '');
  if (text !== '') return pairs.filter(({ symbol }) => symbol.includes(text));
  if (tab !== 'favorites') return pairs.filter(({ quote }) => quote === tab);
  const bySymbol = new Map(pairs.map((pair) => [pair.symbol, pair]));
  return [...favorites].flatMap((symbol) => bySymbol.get(symbol) ?? []);
}
