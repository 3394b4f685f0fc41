import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, PairStatus } from '@exchange/core/pair.ts';
import { searchKey } from '../ui/typed-text.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { spotBasics } from '@exchange/wire/spot.ts';
import type { TradingPauseShown } from '@exchange/wire/trading-pause.ts';
import { NO_COIN_NAMES, type CoinNames } from '../balance/coin-names.ts';

type PairResponse = DataOf<typeof spotBasics>[number];

/** A pair as the server lists it, with steps, limits and fees parsed to decimals. */
export interface MarketPair extends Pair {
  readonly filters: PairFilters;
  readonly tickSize: Decimal;
  readonly stepSize: Decimal;
  /** Fee rates as fractions: 0.001 is 0.1 %. */
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
  readonly status: PairStatus;
  readonly source: PairResponse['source'];
  /**
   * The published data of the pause of trading: cause, halted coin, operators' note and time of the next
   * news; undefined while the pair trades.
   */
  readonly pause: TradingPauseShown | undefined;
}

/** Maximum number of decimals of an order's total. */
const TOTAL_DIGITS = 8;

/**
 * Number of decimals of an order's total on a pair: the decimals of its price plus those of its amount, so that price ×
 * amount is exact, but at most eight.
 */
export function totalDigits({
  priceDigits,
  amountDigits,
}: Pick<Pair, 'priceDigits' | 'amountDigits'>): number {
  return Math.min(TOTAL_DIGITS, priceDigits + amountDigits);
}

/** Parses a pair from the server's response. */
export function pairOf(response: PairResponse): MarketPair {
  return {
    symbol: response.symbol,
    base: response.baseCoin,
    quote: response.quoteCoin,
    priceDigits: response.pricePrecision,
    amountDigits: response.amountPrecision,
    tickSize: Decimal.parse(response.tickSize),
    stepSize: Decimal.parse(response.stepSize),
    makerFee: Decimal.parse(response.makerFee),
    takerFee: Decimal.parse(response.takerFee),
    status: response.status,
    source: response.source,
    pause: response.pause,
    filters: {
      minAmount: Decimal.parse(response.minAmount),
      maxAmount: Decimal.parse(response.maxAmount),
      minTotal: Decimal.parse(response.minTotal),
      priceBand: Decimal.parse(response.priceBand),
      marketGuard: Decimal.parse(response.marketGuard),
      maxOpenOrders: response.maxOpenOrders,
      maxStopOrders: response.maxStopOrders,
      minTrail: Decimal.parse(response.minTrail),
      maxTrail: Decimal.parse(response.maxTrail),
      maxLifetimeMs: response.maxLifetimeMs,
    },
  };
}

/**
 * Converts the name of a pair in a deep link, such as `BTC_USDT`, `btc-usdt` or `btcusdt`, to a symbol, such as
 * `btcusdt`; undefined for a text that is no symbol.
 */
export function symbolOfLink(text: string | null): string | undefined {
  const symbol = text?.replace(/[_/-]/g, '').toLowerCase();
  return symbol !== undefined && /^[a-z0-9]{4,20}$/.test(symbol) ? symbol : undefined;
}

/** A pair's name in deep links: `BTC_USDT`. */
export function linkOf(pair: Pick<Pair, 'base' | 'quote'>): string {
  return `${pair.base}_${pair.quote}`;
}

export const MARKET_TABS = ['favorites', 'USDT', 'BTC', 'ETH'] as const;
export type MarketTab = (typeof MARKET_TABS)[number];

interface PairSelection {
  readonly tab: MarketTab;
  readonly search: string;
  readonly favorites: ReadonlySet<string>;
  /** Names of coins, which a search matches in addition to the coins' codes. */
  readonly names?: CoinNames;
}

/**
 * The pairs of a market tab: favourites in the sequence in which the user added them, all others in that in which the
 * exchange lists them. A search covers the pairs of every tab: it matches codes, with or without a separator, and names
 * of base coins, and ignores case and the width of characters.
 */
export function pairsIn(
  pairs: readonly MarketPair[],
  { tab, search, favorites, names = NO_COIN_NAMES }: PairSelection,
): readonly MarketPair[] {
  const text = searchKey(search).replace(/[\s/_-]/g, '');
  if (text !== '')
    return pairs.filter(({ symbol, base }) => symbol.includes(text) || names.matches(base, search));
  if (tab !== 'favorites') return pairs.filter(({ quote }) => quote === tab);
  const bySymbol = new Map(pairs.map((pair) => [pair.symbol, pair]));
  return [...favorites].flatMap((symbol) => bySymbol.get(symbol) ?? []);
}
