import type { PairStatus } from '@exchange/core/pair.ts';
import type { CandleTimer } from '@exchange/core/candle.ts';
import { type CoinInfo, coinInfo, type CoinListing, coinListing } from '@exchange/wire/coin-info.ts';
import { indexSources, kline } from '@exchange/wire/market.ts';
import { spotBasics } from '@exchange/wire/spot.ts';
import { call } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { PAIRS_KEY, usePairUpdates } from './pair-updates.ts';
import { type MarketPair, pairOf } from './pair.ts';

const SOURCES_EVERY_MS = 5_000;

const PAIRS_QUERY = {
  queryKey: PAIRS_KEY,
  queryFn: async (): Promise<readonly MarketPair[]> => (await call(spotBasics)).map(pairOf),
  staleTime: 60_000,
} as const;

/** All pairs, in the exchange's order; their status is live. */
export function usePairs() {
  usePairUpdates();
  return useStoredRead(PAIRS_QUERY);
}

/** One pair; `data` is undefined when it is not traded here. */
export function usePair(symbol: string) {
  usePairUpdates();
  return useStoredRead({
    ...PAIRS_QUERY,
    select: (pairs) => pairs.find((pair) => pair.symbol === symbol) ?? null,
  });
}

/** The pairs with one quote coin. */
export function useMarkets(quoteCoin: string) {
  usePairUpdates();
  return useStoredRead({
    ...PAIRS_QUERY,
    select: (pairs) => pairs.filter(({ quote }) => quote === quoteCoin),
  });
}

/** A candle for drawing: charts are the one place where a price is a number. */
export interface Candle {
  /** Opening time in seconds. */
  readonly id: number;
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
  /** In the base coin. */
  readonly vol: number;
  /** In the quote coin. */
  readonly amount: number;
  readonly isSeeded: boolean;
}

/** Candles oldest first, at most 2000; with `endTimeSeconds` those that opened before it. */
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

/** What a listed coin is, in the language in use; an error where it is not listed. */
export function useCoinInfo(coin: string) {
  return useRead({
    queryKey: ['market', 'coin', coin],
    queryFn: ({ signal }): Promise<CoinInfo> => call(coinInfo, { coin }, { signal }),
    staleTime: 3_600_000,
  });
}

/** What can be done with a coin here: its networks, its pairs, and when trading of a token that was sold here begins. */
export function useCoinListing(coin: string) {
  return useRead({
    queryKey: ['market', 'listing', coin],
    queryFn: ({ signal }): Promise<CoinListing> => call(coinListing, { coin }, { signal }),
    staleTime: 60_000,
  });
}

/** The sources of a pair's index, read again while they are looked at. */
export function useIndexSources(symbol: string) {
  return useRead({
    queryKey: ['market', 'sources', symbol],
    queryFn: ({ signal }) => call(indexSources, { symbol }, { signal }),
    refetchInterval: SOURCES_EVERY_MS,
  });
}

/** Whether a pair trades, lets orders be cancelled only, or is closed, live; undefined until known. */
export function useMarketStatus(symbol: string): PairStatus | undefined {
  return usePair(symbol).data?.status;
}
