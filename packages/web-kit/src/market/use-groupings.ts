import { useMemo } from 'react';
import { groupingsOf } from './book.ts';
import { useTickerPart } from './live.ts';
import type { MarketPair } from './pair.ts';

/** The price steps by which a pair's book may be grouped, the finest first; new only when one of them is. */
export function useGroupings({ symbol, priceDigits }: MarketPair): readonly string[] {
  // As one text, which is the same for thousands of prices.
  const offered = useTickerPart(symbol, (ticker) => groupingsOf(priceDigits, ticker?.last).join(' '));
  return useMemo(() => offered.split(' '), [offered]);
}
