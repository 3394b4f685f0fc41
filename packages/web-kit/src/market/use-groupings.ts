import { useMemo } from 'react';
import { groupingsOf } from './book.ts';
import { useTickerPart } from './live.ts';
import type { MarketPair } from './pair.ts';

/**
 * The price steps by which a pair's order book can be grouped, finest first. The same array is returned until a step
 * changes.
 */
export function useGroupings({ symbol, priceDigits }: MarketPair): readonly string[] {
  // Joins the price steps to one text, so that the component renders again only when a step changes.
  const stepsText = useTickerPart(symbol, (ticker) => groupingsOf(priceDigits, ticker?.last).join(' '));
  return useMemo(() => stepsText.split(' '), [stepsText]);
}
