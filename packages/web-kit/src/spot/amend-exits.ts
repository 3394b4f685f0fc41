import { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { ExitsRequest } from '@exchange/core/spot.ts';
import { isOpen, isWaiting, type Order } from './shapes.ts';
import { numberOf } from './ticket-figures.ts';
import type { TicketPair } from './ticket.ts';

export type ExitField = 'takeProfitPrice' | 'stopLossPrice' | 'stopLossLimitPrice';

/** Their prices, as text; empty for none. */
type ExitPrices = Readonly<Record<ExitField, string>>;

/** The words for each, in namespace `trade`. */
export const EXIT_LABELS = {
  takeProfitPrice: 'takeProfit',
  stopLossPrice: 'stopLoss',
  stopLossLimitPrice: 'stopLimitPrice',
} as const satisfies Record<ExitField, string>;

/** The exits that an order has or may be given: those of a limit buy on the book. A limit of the stop-loss has who placed one. */
export function amendableExits(order: Order): readonly ExitField[] {
  const isBuy = order.tradeType === 1 && order.orderType === 'limit';
  if (!isOpen(order) || isWaiting(order) || !isBuy || order.groupId !== '') return [];
  const fields: ExitField[] = ['takeProfitPrice', 'stopLossPrice'];
  return order.stopLossLimitPrice === '' ? fields : [...fields, 'stopLossLimitPrice'];
}

/** Why an exit cannot be a price; to go without one its field is emptied. */
export function exitTypingProblem(form: ExitPrices, order: Order): Refusal | undefined {
  const zero = amendableExits(order).find((field) => Decimal.tryParse(form[field])?.isZero() === true);
  return zero && refusal('invalidField', 'l.field_positive', { field: zero });
}

/** The exits as the rules read them; undefined for none. */
export function exitsOf(prices: ExitPrices): ExitsRequest | undefined {
  const exits = {
    takeProfit: Decimal.tryParse(prices.takeProfitPrice),
    stopLoss: Decimal.tryParse(prices.stopLossPrice),
    stopLossLimit: Decimal.tryParse(prices.stopLossLimitPrice),
  };
  return Object.values(exits).every((price) => price === undefined) ? undefined : exits;
}

/** What is still open of an order after a change. */
interface Rest {
  readonly remaining: Decimal | undefined;
  /** What it costs at its price. */
  readonly total: Decimal | undefined;
  /** Whether it trades at once. */
  readonly takes: boolean;
}

/** What the whole order will have cost and brought once the rest of it is filled; undefined while not known. */
export function boughtBy(
  order: Order,
  { remaining, total, takes }: Rest,
  { makerFee, takerFee }: TicketPair,
): { readonly received: Decimal | undefined; readonly total: Decimal | undefined } {
  if (remaining === undefined || remaining.isNegative() || total === undefined)
    return { received: undefined, total: undefined };
  const filled = numberOf(order.filledAmount)!.minus(numberOf(order.fee)!);
  return {
    received: filled.plus(remaining).minus(feeOn(remaining, takes ? takerFee : makerFee)),
    total: numberOf(order.filledTotal)!.plus(total),
  };
}
