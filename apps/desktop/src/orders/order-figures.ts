import { Decimal } from '@exchange/core/decimal.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { isFilled } from '@exchange/web-kit/spot/shapes.ts';

/**
 * Returns the distance from the last price to a price, as a fraction of the last price rounded toward zero to
 * six places; positive if the price is higher than the last price. Undefined if either price is missing or
 * the last price is not positive.
 */
export function distanceOf(last: string | undefined, price: string): string | undefined {
  const lastPrice = last === undefined ? undefined : Decimal.tryParse(last);
  const to = Decimal.tryParse(price);
  if (lastPrice === undefined || to === undefined || !lastPrice.isPositive()) return undefined;
  return to.minus(lastPrice).over(lastPrice, 'down', 6).toString();
}

/**
 * Returns the total value of an order in the quote coin: its ordered total, or its limit price times its
 * whole amount, filled or not. Undefined for an order by amount without a limit price, whose value only the
 * fills determine.
 */
export function orderTotal({
  price,
  amount,
  total,
}: Pick<Order, 'price' | 'amount' | 'total'>): string | undefined {
  if (amount === '') return total;
  return price === '' ? undefined : Decimal.parse(price).times(Decimal.parse(amount), 'down').toString();
}

/**
 * Returns the filled fraction of the ordered amount, or of the total for an order by total, rounded down to
 * four places; 0 if that amount or total is missing or not positive. 1 for every filled order, because an
 * order by total is filled as soon as its remainder cannot buy another lot.
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
  const wholeAmount = Decimal.tryParse(whole);
  if (wholeAmount === undefined || !wholeAmount.isPositive()) return '0';
  return Decimal.parse(filled).over(wholeAmount, 'down', 4).toString();
}
