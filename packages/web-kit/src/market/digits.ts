import { useCallback } from 'react';
import { ASSET_DIGITS } from '../format/format.ts';
import type { MarketPair } from './pair.ts';
import { usePairs } from './queries.ts';

/**
 * Fixed number of decimals of a pair's prices and amounts, so that columns align. Sums paid or received have the
 * decimals of their coin instead (`format/decimals.ts`).
 */
export interface PairDigits {
  readonly price: number;
  readonly amount: number;
}

/** Numbers of decimals that are used while the pair is unknown, and for a pair that is not listed. */
const UNKNOWN: PairDigits = { price: ASSET_DIGITS, amount: ASSET_DIGITS };

/**
 * Numbers of decimals of a pair's prices and amounts; `ASSET_DIGITS` for both if the pair is null or
 * undefined.
 */
export function digitsOfPair(pair: MarketPair | null | undefined): PairDigits {
  if (pair === null || pair === undefined) return UNKNOWN;
  return { price: pair.priceDigits, amount: pair.amountDigits };
}

export type DigitsOf = (symbol: string) => PairDigits;

/**
 * Returns a function that looks up the numbers of decimals of a pair's prices and amounts by symbol;
 * `ASSET_DIGITS` for both until the pairs have loaded, and for a pair that is not listed.
 */
export function useDigits(): DigitsOf {
  const { data } = usePairs();
  return useCallback((symbol) => digitsOfPair(data?.find((pair) => pair.symbol === symbol)), [data]);
}
