import { Decimal } from '@exchange/core/decimal.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { useMemo } from 'react';
import { ownAmounts } from './own-amounts.ts';

/** What of the shown book is one's own, by row; `grouping` is the price step as text. */
export function useOwnAmounts({ base, quote }: MarketPair, grouping: string | undefined) {
  const { resting } = useOpenOrders({ baseCoin: base, quoteCoin: quote });
  return useMemo(() => {
    const step = grouping === undefined ? undefined : Decimal.parse(grouping);
    return { bids: ownAmounts(resting, 'bids', step), asks: ownAmounts(resting, 'asks', step) };
  }, [resting, grouping]);
}
