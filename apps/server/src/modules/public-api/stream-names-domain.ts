import { API_INTERVALS, type ApiInterval } from '@exchange/core/api-interval.ts';

/** Milliseconds between publications of a stream of book changes or best levels. */
type Pace = 100 | 1_000;

/** The content of a market data stream. `symbol` is the pair's symbol in lower case. */
export type MarketStream =
  | { readonly kind: 'trade' | 'aggTrade' | 'bookTicker'; readonly symbol: string }
  | { readonly kind: 'ticker' | 'miniTicker' | 'avgPrice'; readonly symbol: string }
  | { readonly kind: 'allMiniTickers'; readonly symbol: undefined }
  | { readonly kind: 'kline'; readonly symbol: string; readonly interval: ApiInterval }
  | { readonly kind: 'depth'; readonly symbol: string; readonly everyMs: Pace }
  | {
      readonly kind: 'bestLevels';
      readonly symbol: string;
      readonly levels: number;
      readonly everyMs: Pace;
    };

const ALL_MINI_TICKERS = '!miniTicker@arr';
const PLAIN_KINDS = ['trade', 'aggTrade', 'bookTicker', 'ticker', 'miniTicker', 'avgPrice'] as const;
const NAME =
  /^(?<symbol>[a-z0-9]{4,20})@(?<what>[A-Za-z]+)(?<levels>5|10|20)?(?:_(?<interval>[0-9]+[smhdwM]))?(?<fast>@100ms|@1000ms)?$/;

/** Parses the name of a market data stream such as `btcusdt@depth@100ms`; undefined for any other text. */
export function marketStreamOf(name: string): MarketStream | undefined {
  if (name === ALL_MINI_TICKERS) return { kind: 'allMiniTickers', symbol: undefined };
  const parts = NAME.exec(name)?.groups;
  if (parts === undefined) return undefined;
  const { symbol, what, levels, interval: intervalText, fast } = parts as Record<string, string | undefined>;
  if (symbol === undefined) return undefined;
  if (what === 'depth' && intervalText === undefined) {
    const everyMs = fast === '@100ms' ? 100 : 1_000;
    return levels === undefined
      ? { kind: 'depth', symbol, everyMs }
      : { kind: 'bestLevels', symbol, levels: Number(levels), everyMs };
  }
  if (levels !== undefined || fast !== undefined) return undefined;
  if (what === 'kline') {
    const interval = API_INTERVALS.find((known) => known === intervalText);
    return interval === undefined ? undefined : { kind: 'kline', symbol, interval };
  }
  if (intervalText !== undefined) return undefined;
  const kind = PLAIN_KINDS.find((known) => known === what);
  return kind === undefined ? undefined : { kind, symbol };
}
