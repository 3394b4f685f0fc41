import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { useCallback } from 'react';
import type { DigitsOf } from './order-columns.tsx';

const UNKNOWN = { price: 8, amount: 8 } as const;

/** How many decimals prices and amounts of each pair have. */
export function useDigits(): DigitsOf {
  const { data } = usePairs();
  return useCallback(
    (symbol) => {
      const pair = data?.find((one) => one.symbol === symbol);
      return pair === undefined ? UNKNOWN : { price: pair.priceDigits, amount: pair.amountDigits };
    },
    [data],
  );
}
