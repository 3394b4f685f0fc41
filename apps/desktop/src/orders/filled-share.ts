import { Decimal } from '@exchange/core/decimal.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';

/** The filled part as a fraction: of the amount, or of the total where the order was by total. */
export function filledShare({
  amount,
  total,
  filledAmount,
  filledTotal,
}: Pick<Order, 'amount' | 'total' | 'filledAmount' | 'filledTotal'>): string {
  const [whole, filled] = amount === '' ? [total, filledTotal] : [amount, filledAmount];
  const all = Decimal.tryParse(whole);
  if (all === undefined || !all.isPositive()) return '0';
  return Decimal.parse(filled).over(all, 'down', 4).toString();
}
