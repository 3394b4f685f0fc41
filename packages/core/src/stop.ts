import { Decimal } from './decimal.ts';
import type { Pair, Side } from './pair.ts';
import type { OrderType, StopDirection } from './order-request.ts';

/** Returns whether orders of this type wait for a trigger before they enter the book. */
export function isStop(type: OrderType): boolean {
  return type !== 'limit' && type !== 'market';
}

/**
 * Returns the type of the order that an order of this type places when it triggers. For limit and market orders it is
 * their own type.
 */
export function resultingType(type: OrderType): 'limit' | 'market' {
  return type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit' ? 'limit' : 'market';
}

/**
 * Returns the trigger condition of an order that states none. A stop or trailing stop triggers at or above its stop
 * price for a buy, and at or below it for a sale. A take-profit triggers the other way round.
 */
export function defaultDirection(type: OrderType, side: Side): StopDirection {
  const isTakeProfit = type === 'takeProfitLimit' || type === 'takeProfitMarket';
  return (side === 'buy') === isTakeProfit ? 'lte' : 'gte';
}

/** Returns whether the last price triggers a stop order with this condition and stop price. */
export function triggersStop(direction: StopDirection, stopPrice: Decimal, last: Decimal): boolean {
  return direction === 'gte' ? !last.isLess(stopPrice) : !last.isMore(stopPrice);
}

/**
 * Returns the trigger price of a trailing stop. For a sale it is below the highest price so far (`extreme`) by the
 * fraction `trail`, rounded up to the price step. For a buy it is above the lowest price so far by `trail`, rounded
 * down.
 */
export function trailingStopPrice(pair: Pair, side: Side, extreme: Decimal, trail: Decimal): Decimal {
  return side === 'sell'
    ? extreme.times(Decimal.one.minus(trail), 'up', pair.priceDigits)
    : extreme.times(Decimal.one.plus(trail), 'down', pair.priceDigits);
}
