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
 * Resolves when the pairs are loaded or cannot be loaded. Lists wait for this before they show rows, because
 * the pair determines the decimals of a row, and changing them would disturb a reader.
 */
export async function waitForPairs(): Promise<void> {
  // Rows with default decimals are better than no rows.
  await queryClient.ensureQueryData(PAIRS_QUERY).catch(() => undefined);
}

/** All pairs in the exchange's order, with live status. */
export function usePairs() {
  usePairUpdates();
  return useStoredRead(PAIRS_QUERY);
}

/** A pair; `data` is null when the symbol is not listed and undefined until loaded. */
export function usePair(symbol: string) {
  usePairUpdates();
  return useStoredRead({
    ...PAIRS_QUERY,
    select: (pairs) => pairs.find((pair) => pair.symbol === symbol) ?? null,
  });
}

/** All pairs with this quote coin. */
export function useMarkets(quoteCoin: string) {
  usePairUpdates();
  return useStoredRead({
    ...PAIRS_QUERY,
    select: (pairs) => pairs.filter(({ quote }) => quote === quoteCoin),
  });
}

/** A candle for charts, whose prices may be floating-point numbers. */
export interface Candle {
  /** Opening time in seconds. */
  readonly id: number;
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
  readonly vol: number;
  readonly amount: number;
  readonly isSeeded: boolean;
}

/** Loads candles, oldest first, at most 2000; with `endTimeSeconds` those that opened before it. */
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

/** Description of a listed coin in the current language; an error for unlisted coins. */
export function useCoinInfo(coin: string) {
  return useRead({
    queryKey: ['market', 'coin', coin],
    queryFn: ({ signal }): Promise<CoinInfo> => call(coinInfo, { coin }, { signal }),
    staleTime: 3_600_000,
  });
}

/** A coin's networks and pairs, and the start of trading of a token sold on the exchange. */
export function useCoinListing(coin: string) {
  return useRead({
    queryKey: ['market', 'listing', coin],
    queryFn: ({ signal }): Promise<CoinListing> => call(coinListing, { coin }, { signal }),
    staleTime: 60_000,
  });
}

/** Price sources of a pair's index, refetched every five seconds. */
export function useIndexSources(symbol: string) {
  return useRead({
    queryKey: ['market', 'sources', symbol],
    queryFn: ({ signal }) => call(indexSources, { symbol }, { signal }),
    refetchInterval: SOURCES_EVERY_MS,
  });
}

/** Live status of a pair: open, cancel-only or closed; undefined until known, and for an unlisted pair. */
export function useMarketStatus(symbol: string): PairStatus | undefined {
  return usePair(symbol).data?.status;
}
