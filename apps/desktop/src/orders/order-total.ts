import { Decimal } from '@exchange/core/decimal.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';

/** What an order is worth in all: its total, or its amount at its price; undefined where only the fills decide. */
export function orderTotal({
  price,
  amount,
  total,
}: Pick<Order, 'price' | 'amount' | 'total'>): string | undefined {
  if (amount === '') return total;
  return price === '' ? undefined : Decimal.parse(price).times(Decimal.parse(amount), 'down').toString();
}
