import { Decimal } from '@exchange/core/decimal.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { isFilled } from '@exchange/web-kit/spot/shapes.ts';

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
