import { Decimal } from '@exchange/core/decimal.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { isFilled } from '@exchange/web-kit/spot/shapes.ts';

/** How far a price lies from the last one, as a fraction with its sign; undefined while either is missing. */
export function distanceOf(last: string | undefined, price: string): string | undefined {
  const from = last === undefined ? undefined : Decimal.tryParse(last);
  const to = Decimal.tryParse(price);
  if (from === undefined || to === undefined || !from.isPositive()) return undefined;
  return to.minus(from).over(from, 'down', 6).toString();
}

/** What an order is worth in all: its total, or its amount at its price; undefined where only the fills decide. */
export function orderTotal({
  price,
  amount,
  total,
}: Pick<Order, 'price' | 'amount' | 'total'>): string | undefined {
  if (amount === '') return total;
  return price === '' ? undefined : Decimal.parse(price).times(Decimal.parse(amount), 'down').toString();
}

/**
 * The filled part as a fraction: of the amount, or of the total where the order was by total. An order by total is
 * filled when what is left of it buys no lot more.
 */
export function filledShare({
  amount,
  total,
  filledAmount,
  filledTotal,
  status,
}: Pick<Order, 'amount' | 'total' | 'filledAmount' | 'filledTotal' | 'status'>): string {
  if (isFilled({ status })) return '1';
  const [whole, filled] = amount === '' ? [total, filledTotal] : [amount, filledAmount];
  const all = Decimal.tryParse(whole);
  if (all === undefined || !all.isPositive()) return '0';
  return Decimal.parse(filled).over(all, 'down', 4).toString();
}
