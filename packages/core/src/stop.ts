import { Decimal } from './decimal.ts';
import type { Pair, Side } from './pair.ts';
import type { OrderType, StopDirection } from './order-request.ts';

/** Whether orders of this type wait for a trigger before they enter the book. */
export function isStop(type: OrderType): boolean {
  return type !== 'limit' && type !== 'market';
}

/** The type of the order once it is triggered; a limit or market order stays as it is. */
export function resultingType(type: OrderType): 'limit' | 'market' {
  return type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit' ? 'limit' : 'market';
}

/**
 * The default trigger direction: a stop (trailing or not) triggers at or above its price for a buy and at or
 * below it for a sale, a take-profit the other way round.
 */
export function defaultDirection(type: OrderType, side: Side): StopDirection {
  const isTakeProfit = type === 'takeProfitLimit' || type === 'takeProfitMarket';
  return (side === 'buy') === isTakeProfit ? 'lte' : 'gte';
}

/** Whether the last price triggers a stop order. */
export function triggersStop(direction: StopDirection, stopPrice: Decimal, last: Decimal): boolean {
  return direction === 'gte' ? !last.isLess(stopPrice) : !last.isMore(stopPrice);
}

/**
 * The trigger price of a trailing stop for the best price so far, `extreme`: the fraction `trail` below the
 * high for a sale, rounded up to the price grid; above the low for a purchase, rounded down.
 */
export function trailingStopPrice(pair: Pair, side: Side, extreme: Decimal, trail: Decimal): Decimal {
  return side === 'sell'
    ? extreme.times(Decimal.one.minus(trail), 'up', pair.priceDigits)
    : extreme.times(Decimal.one.plus(trail), 'down', pair.priceDigits);
}
