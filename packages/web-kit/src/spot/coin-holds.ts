import { Decimal, greatest, sum } from '@exchange/core/decimal.ts';
import { isPending, type Order } from './shapes.ts';

/** An open order and the amount of a coin that it reserves. */
interface CoinHold {
  readonly order: Order;
  /**
   * Reserved amount of the coin; undefined for a buy that has an amount but no limit price, because only the
   * server can calculate it.
   */
  readonly amount: Decimal | undefined;
}

/** The parts of a coin's frozen balance: amounts reserved by open orders, and other amounts. */
export interface CoinHolds {
  /** Open orders that reserve the coin, newest first; an OCO appears once. */
  readonly orders: readonly CoinHold[];
  /**
   * Amount frozen for other reasons, such as a withdrawal; undefined when the amount reserved by an order is
   * unknown, and while the orders reserve more than `frozen`.
   */
  readonly others: Decimal | undefined;
}

/**
 * Returns the open orders that reserve a coin, and the part of its `frozen` balance that they do not explain.
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
      // An OCO reserves the larger amount of its two legs.
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

/**
 * Amount that an open order reserves: its total if it is sized by total, otherwise the open amount of a sell,
 * or the value of the open amount of a buy at its limit price; undefined without one.
 */
function heldBy(order: Order): Decimal | undefined {
  if (order.amount === '') return Decimal.tryParse(order.total);
  const open = Decimal.parse(order.amount)
    .minus(Decimal.parse(order.filledAmount))
    .minus(Decimal.parse(order.cancelledAmount));
  if (order.tradeType === 2) return open;
  return order.price === '' ? undefined : open.times(Decimal.parse(order.price), 'up');
}
