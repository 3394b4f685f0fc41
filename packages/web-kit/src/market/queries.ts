import type { PairStatus } from '@exchange/core/pair.ts';
import type { CandleTimer } from '@exchange/core/candle.ts';
import { type CoinInfo, coinInfo, type CoinListing, coinListing } from '@exchange/wire/coin-info.ts';
import { indexSources, kline } from '@exchange/wire/market.ts';
import { spotBasics } from '@exchange/wire/spot.ts';
import { call } from '../api/client.ts';
import { queryClient, useRead } from '../api/query-client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { PAIRS_KEY, usePairUpdates } from './pair-updates.ts';
import { type MarketPair, pairOf } from './pair.ts';

const SOURCES_EVERY_MS = 5_000;

const PAIRS_QUERY = {
  queryKey: PAIRS_KEY,
  queryFn: async (): Promise<readonly MarketPair[]> => (await call(spotBasics)).map(pairOf),
  staleTime: 60_000,
} as const;

/**
 * Resolves when the pairs have loaded or could not be loaded; never rejects. Lists wait for this before they
 * show rows, because the pair determines the number of decimals, which must not change while the user reads.
 */
export async function waitForPairs(): Promise<void> {
  // If the pairs cannot be loaded, lists show their rows with the default number of decimals.
  await queryClient.ensureQueryData(PAIRS_QUERY).catch(() => undefined);
}

/** All pairs in the sequence in which the exchange lists them, with their live trading status. */
export function usePairs() {
  usePairUpdates();
  return useStoredRead(PAIRS_QUERY);
}

/** The pair with the given symbol; `data` is undefined until loaded, and null when the symbol is not listed. */
export function usePair(symbol: string) {
  usePairUpdates();
  return useStoredRead({
    ...PAIRS_QUERY,
    select: (pairs) => pairs.find((pair) => pair.symbol === symbol) ?? null,
  });
}

/**
 * Query of all pairs with the given quote coin, with their live trading status; `data` is undefined until
 * loaded.
 */
export function useMarkets(quoteCoin: string) {
  usePairUpdates();
  return useStoredRead({
    ...PAIRS_QUERY,
    select: (pairs) => pairs.filter(({ quote }) => quote === quoteCoin),
  });
}

/** A candle for charts; its prices are floating-point numbers. */
export interface Candle {
  /** Opening time of the candle in seconds since 1970 UTC. */
  readonly id: number;
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
  readonly vol: number;
  readonly amount: number;
  readonly isSeeded: boolean;
}

/**
 * Loads at most `size` candles (2000 at most), oldest first: the newest ones, or with `endTimeSeconds` the newest of
 * those that opened before that time.
 */
export async function loadCandles(
  symbol: string,
  timer: CandleTimer,
  size: number,
  endTimeSeconds?: number,
): Promise<readonly Candle[]> {
  const candles = await call(kline, { symbol, timer, size, endTime: endTimeSeconds ?? null });
  return candles.map(({ seeded, ...candle }) => ({ ...candle, isSeeded: seeded === 1 }));
}

export type { CoinInfo };

/** Description of a listed coin in the interface language; the query fails for coins that are not listed. */
export function useCoinInfo(coin: string) {
  return useRead({
    queryKey: ['market', 'coin', coin],
    queryFn: ({ signal }): Promise<CoinInfo> => call(coinInfo, { coin }, { signal }),
    staleTime: 3_600_000,
  });
}

/** Networks and pairs of a coin; for a token sold on this exchange, also the time at which it was listed. */
export function useCoinListing(coin: string) {
  return useRead({
    queryKey: ['market', 'listing', coin],
    queryFn: ({ signal }): Promise<CoinListing> => call(coinListing, { coin }, { signal }),
    staleTime: 60_000,
  });
}

/**
 * Price sources of a pair's index, refetched every five seconds while the component is mounted and the page
 * is visible.
 */
export function useIndexSources(symbol: string) {
  return useRead({
    queryKey: ['market', 'sources', symbol],
    queryFn: ({ signal }) => call(indexSources, { symbol }, { signal }),
    refetchInterval: SOURCES_EVERY_MS,
  });
}

/**
 * Live trading status of a pair: open, cancel-only or closed; undefined until loaded, and for a pair that is not
 * listed.
 */
export function useMarketStatus(symbol: string): PairStatus | undefined {
  return usePair(symbol).data?.status;
}
