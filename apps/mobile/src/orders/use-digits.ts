import { usePairs } from '@exchange/web-kit/market/queries.ts';

const OF_UNKNOWN = 8;

/** How many decimals the prices of each pair have. */
export function usePriceDigits(): (symbol: string) => number {
  const pairs = usePairs().data ?? [];
  return (symbol) => pairs.find((pair) => pair.symbol === symbol)?.priceDigits ?? OF_UNKNOWN;
}
