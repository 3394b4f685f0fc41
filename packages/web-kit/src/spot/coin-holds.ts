import { Decimal, greatest, sum } from '@exchange/core/decimal.ts';
import { isPending, type Order } from './shapes.ts';

/** An open order that holds an amount of a coin. */
interface CoinHold {
  readonly order: Order;
  /** Held amount in the coin; undefined for a stop-market buy, whose hold only the server knows. */
  readonly amount: Decimal | undefined;
}

/** What the frozen balance of a coin consists of. */
export interface CoinHolds {
  /** Newest first; an OCO appears once. */
  readonly orders: readonly CoinHold[];
  /** Amount frozen for other reasons, such as a withdrawal; undefined when the hold of an order is unknown. */
  readonly others: Decimal | undefined;
}

/**
 * Returns the open orders that hold a coin and the part of `frozen`, its whole frozen balance, that they do not
 * explain.
 */
export function coinHolds(coin: string, orders: readonly Order[], frozen: Decimal): CoinHolds {
  const holds: CoinHold[] = [];
  const indexOfGroup = new Map<string, number>();
  for (const order of orders) {
    if (isPending(order)) continue;
    if ((order.tradeType === 1 ? order.quoteCoin : order.baseCoin) !== coin) continue;
    const hold = { order, amount: heldBy(order) };
    const index = order.groupId === '' ? undefined : indexOfGroup.get(order.groupId);
    if (index === undefined) {
      if (order.groupId !== '') indexOfGroup.set(order.groupId, holds.length);
      holds.push(hold);
    } else {
      // An OCO holds the larger amount of its two legs.
      const otherLeg = holds[index]?.amount;
      const amount =
        otherLeg === undefined || hold.amount === undefined ? undefined : greatest(otherLeg, hold.amount);
      holds[index] = { order: holds[index]!.order, amount };
    }
  }
  const knownAmounts = holds.flatMap(({ amount }) => amount ?? []);
  const unexplained = frozen.minus(sum(knownAmounts));
  const isFullyKnown = knownAmounts.length === holds.length && !unexplained.isNegative();
  return { orders: holds, others: isFullyKnown ? unexplained : undefined };
}

/** Amount that an open order holds: the open amount of a sale, or the value of the open amount of a buy. */
function heldBy(order: Order): Decimal | undefined {
  if (order.amount === '') return Decimal.tryParse(order.total);
  const open = Decimal.parse(order.amount)
    .minus(Decimal.parse(order.filledAmount))
    .minus(Decimal.parse(order.cancelledAmount));
  if (order.tradeType === 2) return open;
  return order.price === '' ? undefined : open.times(Decimal.parse(order.price), 'up');
}
