import { Decimal } from '@exchange/core/decimal.ts';
import { feeOn } from '@exchange/core/fee.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { ExitsRequest } from '@exchange/core/spot.ts';
import type { ExitEntry } from './exit-words.ts';
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

/** The exits that an order has or may be given: those of a limit order on the book. The limit of a stop-loss goes with it. */
export function amendableExits(order: Order): readonly ExitField[] {
  if (!isOpen(order) || isWaiting(order) || order.orderType !== 'limit' || order.groupId !== '') return [];
  return ['takeProfitPrice', 'stopLossPrice', 'stopLossLimitPrice'];
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

/** What the whole order will have traded once the rest of it is filled; undefined figures while not known. */
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
