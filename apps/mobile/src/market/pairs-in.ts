import type { MarketPair } from '@exchange/web-kit/market/pair.ts';

export const QUOTES = ['USDT', 'BTC', 'ETH'] as const;
export const MARKET_TABS = ['favorites', ...QUOTES] as const;
export type MarketTab = (typeof MARKET_TABS)[number];

interface Wanted {
  readonly tab: MarketTab;
  readonly search: string;
  readonly favorites: ReadonlySet<string>;
}

/** The pairs of a tab; whoever types searches all of them. Favourites stand as they were added. */
export function pairsIn(
  pairs: readonly MarketPair[],
  { tab, search, favorites }: Wanted,
): readonly MarketPair[] {
  const text = search.trim().toLowerCase();
  if (text !== '') {
    return pairs.filter(({ symbol, base, quote }) =>
      `${symbol} ${base}/${quote}`.toLowerCase().includes(text),
    );
  }
  if (tab !== 'favorites') return pairs.filter(({ quote }) => quote === tab);
  const bySymbol = new Map(pairs.map((pair) => [pair.symbol, pair]));
  return [...favorites].flatMap((symbol) => bySymbol.get(symbol) ?? []);
}
