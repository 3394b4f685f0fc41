import { Decimal } from '@exchange/core/decimal.ts';

/** How far a price lies from the last one, as a fraction with its sign; undefined while either is missing. */
export function distanceOf(last: string | undefined, price: string): string | undefined {
  const from = last === undefined ? undefined : Decimal.tryParse(last);
  const to = Decimal.tryParse(price);
  if (from === undefined || to === undefined || !from.isPositive()) return undefined;
  return to.minus(from).over(from, 'down', 6).toString();
}
