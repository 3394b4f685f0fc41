import { Decimal } from '@exchange/core/decimal.ts';
import type { BookSide } from '../market/book.ts';
import type { MarketPair } from '../market/pair.ts';
import { type Order, useOpenOrders } from './queries.ts';
import { useMemo } from 'react';

type Resting = Pick<Order, 'tradeType' | 'price' | 'amount' | 'filledAmount' | 'cancelledAmount'>;

/** The user's orders that are shown in one row of the order book. */
export interface OwnRow<Shown> {
  /** Sum of the open amounts of `orders`, in the base coin. */
  readonly amount: Decimal;
  readonly orders: readonly Shown[];
}

/**
 * Groups the user's open orders of one side by the book row in which they are shown: the order's price, or with
 * `grouping` the end of its price step that is farther from the spread. Orders without a price or amount are left out.
 */
export function ownRows<Shown extends Resting>(
  orders: readonly Shown[],
  side: BookSide,
  grouping: Decimal | undefined,
): ReadonlyMap<string, OwnRow<Shown>> {
  const rows = new Map<string, OwnRow<Shown>>();
  for (const order of orders) {
    const { tradeType, price, amount, filledAmount, cancelledAmount } = order;
    if ((tradeType === 1) !== (side === 'bids') || price === '' || amount === '') continue;
    const name = rowOf(Decimal.parse(price), side, grouping).toString();
    const doneAmount = Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
    const openAmount = Decimal.parse(amount).minus(doneAmount);
    const row = rows.get(name);
    rows.set(name, {
      amount: (row?.amount ?? Decimal.zero).plus(openAmount),
      orders: [...(row?.orders ?? []), order],
    });
  }
  return rows;
}

/** Sums the user's open amounts by the book row in which `ownRows` shows them. */
export function ownAmounts(
  orders: readonly Resting[],
  side: BookSide,
  grouping: Decimal | undefined,
): ReadonlyMap<string, string> {
  return new Map(
    [...ownRows(orders, side, grouping)].map(([row, { amount }]) => [row, amount.toString()] as const),
  );
}

function rowOf(price: Decimal, side: BookSide, grouping: Decimal | undefined): Decimal {
  if (grouping === undefined) return price;
  const remainder = price.atoms % grouping.atoms;
  if (remainder === 0n) return price;
  return Decimal.ofAtoms(price.atoms - remainder + (side === 'asks' ? grouping.atoms : 0n));
}

/**
 * Hook with the open amounts in the base coin of the user's orders on the book, summed by the row of the displayed order
 * book; orders that wait for a trigger or another order are not counted. `grouping` is the price step of the rows as
 * decimal text; undefined if the rows are not grouped.
 */
export function useOwnAmounts({ base, quote }: MarketPair, grouping: string | undefined) {
  const { resting } = useOpenOrders({ baseCoin: base, quoteCoin: quote });
  return useMemo(() => {
    const step = grouping === undefined ? undefined : Decimal.parse(grouping);
    return { bids: ownAmounts(resting, 'bids', step), asks: ownAmounts(resting, 'asks', step) };
  }, [resting, grouping]);
}
