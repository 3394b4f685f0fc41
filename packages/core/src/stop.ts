import { Decimal } from './decimal.ts';
import type { Pair, Side } from './pair.ts';
import type { OrderType, StopDirection } from './order-request.ts';

/** Whether an order of this type waits for the last price before it is an order on the book. */
export function isStop(type: OrderType): boolean {
  return type !== 'limit' && type !== 'market';
}

/** What an order of this type is once it may trade. */
export function becomes(type: OrderType): 'limit' | 'market' {
  return type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit' ? 'limit' : 'market';
}

/** Which way the last price must go for a stop whose owner did not say: a stop follows a loss, a take-profit a gain. */
export function usualDirection(type: OrderType, side: Side): StopDirection {
  const isTakeProfit = type === 'takeProfitLimit' || type === 'takeProfitMarket';
  return (side === 'buy') === isTakeProfit ? 'lte' : 'gte';
}

/** Whether a last price meets a stop. */
export function meetsStop(direction: StopDirection, stopPrice: Decimal, last: Decimal): boolean {
  return direction === 'gte' ? !last.isLess(stopPrice) : !last.isMore(stopPrice);
}

/**
 * Where a trailing stop triggers while its best price so far is `extreme`: `trail` (a fraction) below the
 * highest for a sale, rounded up to the pair's price grid; above the lowest for a purchase, rounded down.
 */
export function trailingStopPrice(pair: Pair, side: Side, extreme: Decimal, trail: Decimal): Decimal {
  return side === 'sell'
    ? extreme.times(Decimal.one.minus(trail), 'up', pair.priceDigits)
    : extreme.times(Decimal.one.plus(trail), 'down', pair.priceDigits);
}
