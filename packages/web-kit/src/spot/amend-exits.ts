import { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { ExitsRequest } from '@exchange/core/spot.ts';
import type { ExitEntry } from './exit-words.ts';
import { isOpen, isWaiting, type Order } from './shapes.ts';
import { numberOf } from './ticket-figures.ts';
import type { TicketPair } from './ticket.ts';

export type ExitField = 'takeProfitPrice' | 'stopLossPrice' | 'stopLossLimitPrice';

/** Take-profit, stop-loss and stop-loss limit price as text; an empty text means that the order has no such price. */
type ExitPrices = Readonly<Record<ExitField, string>>;

/** Translation keys (namespace `trade`) of the labels of take-profit, stop-loss and stop-loss limit price. */
export const EXIT_LABELS = {
  takeProfitPrice: 'takeProfit',
  stopLossPrice: 'stopLoss',
  stopLossLimitPrice: 'stopLimitPrice',
} as const satisfies Record<ExitField, string>;

/**
 * Returns the names of the take-profit and stop-loss prices that can be amended: all three for a limit order
 * on the book that belongs to no OCO, iceberg, chase order or grid, otherwise none.
 */
export function amendableExits(order: Order): readonly ExitField[] {
  if (!isOpen(order) || isWaiting(order) || order.orderType !== 'limit') return [];
  if (order.groupId !== '' || order.parentId !== '') return [];
  return ['takeProfitPrice', 'stopLossPrice', 'stopLossLimitPrice'];
}

/**
 * Refuses a typed price of 0 for take-profit, stop-loss or the limit price of the stop-loss; undefined
 * without such a price. To remove one of them, the user empties its field.
 */
export function exitTypingProblem(form: ExitPrices, order: Order): Refusal | undefined {
  const zero = amendableExits(order).find((field) => Decimal.tryParse(form[field])?.isZero() === true);
  return zero && refusal('invalidField', 'l.field_positive', { field: zero });
}

/** Parses the take-profit and stop-loss prices; undefined when all of them are empty. */
export function exitsOf(prices: ExitPrices): ExitsRequest | undefined {
  const exits = {
    takeProfit: Decimal.tryParse(prices.takeProfitPrice),
    stopLoss: Decimal.tryParse(prices.stopLossPrice),
    stopLossLimit: Decimal.tryParse(prices.stopLossLimitPrice),
  };
  return Object.values(exits).every((price) => price === undefined) ? undefined : exits;
}

/** The open part of an order as it would be after an amendment. */
interface Rest {
  readonly remaining: Decimal | undefined;
  /**
   * Value of the open part at the price of the order, in the quote coin; undefined while a value for its
   * calculation is missing.
   */
  readonly total: Decimal | undefined;
  /** Whether the amended order would trade immediately, as taker. */
  readonly takes: boolean;
}

/**
 * Returns the totals of an entry order as they will be once its open part is filled as well; the results of
 * its take-profit and stop-loss are estimated from them. A figure is undefined if a value for its calculation
 * is missing, such as the new amount.
 */
export function entryAfter(
  order: Order,
  { remaining, total, takes }: Rest,
  { makerFee, takerFee }: TicketPair,
): ExitEntry {
  const side = order.tradeType === 1 ? 'buy' : 'sell';
  if (remaining === undefined || remaining.isNegative() || total === undefined)
    return { side, received: undefined, total: undefined, amount: undefined };
  const [filledAmount, filledTotal] = [numberOf(order.filledAmount)!, numberOf(order.filledTotal)!];
  const gross = side === 'buy' ? remaining : total;
  const received = (side === 'buy' ? filledAmount : filledTotal).minus(numberOf(order.fee)!);
  return {
    side,
    received: received.plus(gross).minus(feeOn(gross, takes ? takerFee : makerFee)),
    total: filledTotal.plus(total),
    amount: filledAmount.plus(remaining),
  };
}
