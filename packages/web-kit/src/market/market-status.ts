import type { PairStatus } from '@exchange/core/pair.ts';
import { usePair } from './queries.ts';

/** Whether a pair trades, lets orders leave only, or is closed, live; undefined until known. */
export function useMarketStatus(symbol: string): PairStatus | undefined {
  return usePair(symbol).data?.status;
}
