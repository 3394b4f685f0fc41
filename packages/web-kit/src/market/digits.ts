import { useCallback } from 'react';
import { ASSET_DIGITS } from '../format/format.ts';
import type { MarketPair } from './pair.ts';
import { usePairs } from './queries.ts';

/**
 * With how many decimals the figures of a pair's orders and trades are shown, so that they align below each other;
 * what is paid or received is a sum of a coin by the rule of decimals (`format/decimals.ts`).
 */
export interface PairDigits {
  readonly price: number;
  readonly amount: number;
}

/** Of a pair that is not known (yet), everything is shown. */
const UNKNOWN: PairDigits = { price: ASSET_DIGITS, amount: ASSET_DIGITS };

/** The decimals of a pair's prices and amounts. */
export function digitsOfPair(pair: MarketPair | null | undefined): PairDigits {
  if (pair === null || pair === undefined) return UNKNOWN;
  return { price: pair.priceDigits, amount: pair.amountDigits };
}

export type DigitsOf = (symbol: string) => PairDigits;

/** The decimals of any pair by its symbol. */
export function useDigits(): DigitsOf {
  const { data } = usePairs();
  return useCallback((symbol) => digitsOfPair(data?.find((pair) => pair.symbol === symbol)), [data]);
}
