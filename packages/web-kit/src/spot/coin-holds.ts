import { Decimal, greatest, sum } from '@exchange/core/decimal.ts';
import type { Order } from './shapes.ts';

/** An open order that holds some of a coin. */
interface CoinHold {
  readonly order: Order;
  /** In the coin; undefined for a stop that buys at market, of which only the exchange knows it. */
  readonly amount: Decimal | undefined;
}

/** What holds a coin on the spot account. */
export interface CoinHolds {
  /** Newest first, an OCO once. */
  readonly orders: readonly CoinHold[];
  /** What is on hold for something else, such as a withdrawal; undefined while an order's part is not known. */
  readonly others: Decimal | undefined;
}

/** Which of the open orders hold a coin, and what of `frozen`, all that is on hold of it, they do not explain. */
export function coinHolds(coin: string, orders: readonly Order[], frozen: Decimal): CoinHolds {
  const holds: CoinHold[] = [];
  const placeOfGroup = new Map<string, number>();
  for (const order of orders) {
    if ((order.tradeType === 1 ? order.quoteCoin : order.baseCoin) !== coin) continue;
    const hold = { order, amount: heldBy(order) };
    const place = order.groupId === '' ? undefined : placeOfGroup.get(order.groupId);
    if (place === undefined) {
      if (order.groupId !== '') placeOfGroup.set(order.groupId, holds.length);
      holds.push(hold);
    } else {
      // The dearer of both legs counts.
      const other = holds[place]?.amount;
      const amount =
        other === undefined || hold.amount === undefined ? undefined : greatest(other, hold.amount);
      holds[place] = { order: holds[place]!.order, amount };
    }
  }
  const known = holds.flatMap(({ amount }) => amount ?? []);
  const rest = frozen.minus(sum(known));
  const isWhole = known.length === holds.length && !rest.isNegative();
  return { orders: holds, others: isWhole ? rest : undefined };
}

/** What an open order holds: the coins that it still sells, or what it pays for those that it still buys. */
function heldBy(order: Order): Decimal | undefined {
  if (order.amount === '') return Decimal.tryParse(order.total);
  const open = Decimal.parse(order.amount)
    .minus(Decimal.parse(order.filledAmount))
    .minus(Decimal.parse(order.cancelledAmount));
  if (order.tradeType === 2) return open;
  return order.price === '' ? undefined : open.times(Decimal.parse(order.price), 'up');
}
