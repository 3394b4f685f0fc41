import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, PairStatus } from '@exchange/core/pair.ts';
import { searchKey } from '../ui/typed-text.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { spotBasics } from '@exchange/wire/spot.ts';
import { NO_COIN_NAMES, type CoinNames } from '../balance/coin-names.ts';

type Described = DataOf<typeof spotBasics>[number];

/** A pair as screens need it: names, steps, limits and fees, parsed once. */
export interface MarketPair extends Pair {
  readonly filters: PairFilters;
  readonly tickSize: Decimal;
  readonly stepSize: Decimal;
  /** Fractions: 0.001 is 0.1 %. */
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
  readonly status: PairStatus;
  readonly source: Described['source'];
}

/** Totals are shown and computed to at most this many decimals. */
const TOTAL_DIGITS = 8;

/** How many decimals a total of a pair has: those of its prices and its amounts together, with which it is exact. */
export function totalDigits({
  priceDigits,
  amountDigits,
}: Pick<Pair, 'priceDigits' | 'amountDigits'>): number {
  return Math.min(TOTAL_DIGITS, priceDigits + amountDigits);
}

/** Parses what the server says of a pair. */
export function pairOf(described: Described): MarketPair {
  return {
    symbol: described.symbol,
    base: described.baseCoin,
    quote: described.quoteCoin,
    priceDigits: described.pricePrecision,
    amountDigits: described.amountPrecision,
    tickSize: Decimal.parse(described.tickSize),
    stepSize: Decimal.parse(described.stepSize),
    makerFee: Decimal.parse(described.makerFee),
    takerFee: Decimal.parse(described.takerFee),
    status: described.status,
    source: described.source,
    filters: {
      minAmount: Decimal.parse(described.minAmount),
      maxAmount: Decimal.parse(described.maxAmount),
      minTotal: Decimal.parse(described.minTotal),
      priceBand: Decimal.parse(described.priceBand),
      marketGuard: Decimal.parse(described.marketGuard),
      maxOpenOrders: described.maxOpenOrders,
      maxStopOrders: described.maxStopOrders,
      minTrail: Decimal.parse(described.minTrail),
      maxTrail: Decimal.parse(described.maxTrail),
      maxLifetimeMs: described.maxLifetimeMs,
    },
  };
}

/** `BTC_USDT`, `btc-usdt` or `btcusdt` of a deep link as a symbol, `btcusdt`. */
export function symbolOfLink(text: string | null): string | undefined {
  const symbol = text?.replace(/[_/-]/g, '').toLowerCase();
  return symbol !== undefined && /^[a-z0-9]{4,20}$/.test(symbol) ? symbol : undefined;
}

/** A pair's name in a deep link, `BTC_USDT`. */
export function linkOf(pair: Pick<Pair, 'base' | 'quote'>): string {
  return `${pair.base}_${pair.quote}`;
}

export const MARKET_TABS = ['favorites', 'USDT', 'BTC', 'ETH'] as const;
export type MarketTab = (typeof MARKET_TABS)[number];

interface Wanted {
  readonly tab: MarketTab;
  readonly search: string;
  readonly favorites: ReadonlySet<string>;
  /** By which a search finds the pairs of a base coin, besides the codes. */
  readonly names?: CoinNames;
}

/**
 * The pairs of a tab, favourites in the order in which they were added. A search looks through all pairs: by their codes
 * with or without a separator, and by the names of their base coins, in characters of any width and case.
 */
export function pairsIn(
  pairs: readonly MarketPair[],
  { tab, search, favorites, names = NO_COIN_NAMES }: Wanted,
): readonly MarketPair[] {
  const text = searchKey(search).replace(/[\s/_-]/g, '');
  if (text !== '')
    return pairs.filter(({ symbol, base }) => symbol.includes(text) || names.isNamed(base, search));
  if (tab !== 'favorites') return pairs.filter(({ quote }) => quote === tab);
  const bySymbol = new Map(pairs.map((pair) => [pair.symbol, pair]));
  return [...favorites].flatMap((symbol) => bySymbol.get(symbol) ?? []);
}
