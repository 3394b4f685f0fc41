import { Decimal, greatest, sum } from '@exchange/core/decimal.ts';
import { isPending, type Order } from './shapes.ts';

/** An open order with the amount of a coin that the order reserves. */
interface CoinHold {
  readonly order: Order;
  /**
   * Reserved amount of the coin; undefined for a buy order sized by amount without a limit price, because only the
   * server can calculate it.
   */
  readonly amount: Decimal | undefined;
}

/** A coin's frozen balance in two parts: the amounts that open orders reserve, and the rest. */
export interface CoinHolds {
  /** Open orders that reserve the coin, in the given sequence; an OCO is listed once. */
  readonly orders: readonly CoinHold[];
  /**
   * Amount that is frozen for other reasons, such as a withdrawal; undefined if the reserved amount of any order is
   * unknown, or if the orders reserve more than `frozen` in total.
   */
  readonly others: Decimal | undefined;
}

/** Splits a coin's frozen balance `frozen` into the amounts that the open orders reserve and the rest. */
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
      // An OCO reserves the larger of the amounts that its two legs would reserve.
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
 * Returns the amount that an open order reserves, in the coin that it spends: the total if the order is sized
 * by total; the open amount for a sell; the open amount times the limit price for a buy. Undefined for a buy
 * sized by amount without a limit price.
 */
function heldBy(order: Order): Decimal | undefined {
  if (order.amount === '') return Decimal.tryParse(order.total);
  const open = Decimal.parse(order.amount)
    .minus(Decimal.parse(order.filledAmount))
    .minus(Decimal.parse(order.cancelledAmount));
  if (order.tradeType === 2) return open;
  return order.price === '' ? undefined : open.times(Decimal.parse(order.price), 'up');
}
