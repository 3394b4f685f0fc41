import { useMemo } from 'react';
import { groupingsOf } from './book.ts';
import { useTickerPart } from './live.ts';
import type { MarketPair } from './pair.ts';

/** Price steps for grouping a pair's book, finest first; the array changes only when a step does. */
export function useGroupings({ symbol, priceDigits }: MarketPair): readonly string[] {
  // The price steps are joined to one text, which stays equal over wide price ranges.
  const stepsText = useTickerPart(symbol, (ticker) => groupingsOf(priceDigits, ticker?.last).join(' '));
  return useMemo(() => stepsText.split(' '), [stepsText]);
}
