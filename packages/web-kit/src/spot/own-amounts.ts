import { Decimal } from '@exchange/core/decimal.ts';
import type { BookSide } from '../market/book.ts';
import type { MarketPair } from '../market/pair.ts';
import { type Order, useOpenOrders } from './queries.ts';
import { useMemo } from 'react';

type Resting = Pick<Order, 'tradeType' | 'price' | 'amount' | 'filledAmount' | 'cancelledAmount'>;

/**
 * Sums the open amounts of the user's orders by the row of the order book in which they are shown. The row's price is
 * the order's price; with `grouping` it is rounded to that price step, away from the spread.
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
    const doneAmount = Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
    const openAmount = Decimal.parse(amount).minus(doneAmount);
    amounts.set(row, (amounts.get(row) ?? Decimal.zero).plus(openAmount));
  }
  return new Map([...amounts].map(([row, amount]) => [row, amount.toString()]));
}

function rowOf(price: Decimal, side: BookSide, grouping: Decimal | undefined): Decimal {
  if (grouping === undefined) return price;
  const remainder = price.atoms % grouping.atoms;
  if (remainder === 0n) return price;
  return Decimal.ofAtoms(price.atoms - remainder + (side === 'asks' ? grouping.atoms : 0n));
}

/**
 * The open amounts of the user's orders by row of the displayed order book. `grouping` is the price step of the rows as
 * decimal text; undefined if the rows are not grouped.
 */
export function useOwnAmounts({ base, quote }: MarketPair, grouping: string | undefined) {
  const { resting } = useOpenOrders({ baseCoin: base, quoteCoin: quote });
  return useMemo(() => {
    const step = grouping === undefined ? undefined : Decimal.parse(grouping);
    return { bids: ownAmounts(resting, 'bids', step), asks: ownAmounts(resting, 'asks', step) };
  }, [resting, grouping]);
}
