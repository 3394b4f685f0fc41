import { Decimal } from '@exchange/core/decimal.ts';
import type { BookSide } from '../market/book.ts';
import type { MarketPair } from '../market/pair.ts';
import { type Order, useOpenOrders } from './queries.ts';
import { useMemo } from 'react';

type Resting = Pick<Order, 'tradeType' | 'price' | 'amount' | 'filledAmount' | 'cancelledAmount'>;

/**
 * How much of a side of the book is one's own, by the price of the row it is shown in: the order's price, or,
 * in steps of `grouping`, the end of its step that lies away from the spread.
 */
export function ownAmounts(
  orders: readonly Resting[],
  side: BookSide,
  grouping: Decimal | undefined,
): ReadonlyMap<string, string> {
  const amounts = new Map<string, Decimal>();
  for (const { tradeType, price, amount, filledAmount, cancelledAmount } of orders) {
    if ((tradeType === 1) !== (side === 'bids') || price === '' || amount === '') continue;
    const row = rowOf(Decimal.parse(price), side, grouping).toString();
    const gone = Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
    const left = Decimal.parse(amount).minus(gone);
    amounts.set(row, (amounts.get(row) ?? Decimal.zero).plus(left));
  }
  return new Map([...amounts].map(([row, amount]) => [row, amount.toString()]));
}

function rowOf(price: Decimal, side: BookSide, grouping: Decimal | undefined): Decimal {
  if (grouping === undefined) return price;
  const beyond = price.atoms % grouping.atoms;
  if (beyond === 0n) return price;
  return Decimal.ofAtoms(price.atoms - beyond + (side === 'asks' ? grouping.atoms : 0n));
}

/** What of the shown book is one's own, by row; `grouping` is the price step as text. */
export function useOwnAmounts({ base, quote }: MarketPair, grouping: string | undefined) {
  const { resting } = useOpenOrders({ baseCoin: base, quoteCoin: quote });
  return useMemo(() => {
    const step = grouping === undefined ? undefined : Decimal.parse(grouping);
    return { bids: ownAmounts(resting, 'bids', step), asks: ownAmounts(resting, 'asks', step) };
  }, [resting, grouping]);
}
