import { Decimal, least } from '@exchange/core/decimal.ts';
import type { Level } from '../market/book.ts';
import { oppositeBest, positive } from './ticket-figures.ts';
import type { Ticket, TicketMarket, TicketPair } from './ticket.ts';

/** A limit price at least this fraction beyond the best opposite price needs a confirmation. */
const FAR = Decimal.parse('0.02');

/**
 * How far an order's limit lies beyond the opposite best price, as a fraction: 0.05 for a buy 5 % above the
 * best ask. Undefined below the threshold, for other types than limit orders, and for an order that would not
 * trade immediately.
 */
export function distanceBeyondBest(ticket: Ticket, market: TicketMarket): Decimal | undefined {
  const [price, best] = [positive(ticket.price), oppositeBest(ticket.side, market)];
  if (ticket.type !== 'limit' || ticket.postOnly || price === undefined || best === undefined)
    return undefined;
  const beyond = ticket.side === 'buy' ? price.minus(best) : best.minus(price);
  if (!beyond.isPositive()) return undefined;
  const share = beyond.over(best, 'down', 6);
  return share.isLess(FAR) ? undefined : share;
}

/**
 * What a limit order would fill immediately in `levels` (best price first), and at which average price; undefined when
 * it would fill nothing, and while price or amount is missing.
 */
export function limitFill(
  ticket: Ticket,
  { priceDigits }: Pick<TicketPair, 'priceDigits'>,
  levels: readonly Level[],
): { readonly amount: Decimal; readonly averagePrice: Decimal; readonly isWhole: boolean } | undefined {
  const [price, orderedAmount] = [positive(ticket.price), positive(ticket.amount)];
  if (price === undefined || orderedAmount === undefined) return undefined;
  const isBuy = ticket.side === 'buy';
  let [remaining, total] = [orderedAmount, Decimal.zero];
  for (const level of levels) {
    if (remaining.isZero() || (isBuy ? level.price.isMore(price) : level.price.isLess(price))) break;
    const filled = least(level.amount, remaining);
    total = total.plus(level.price.times(filled, 'down'));
    remaining = remaining.minus(filled);
  }
  const amount = orderedAmount.minus(remaining);
  if (amount.isZero()) return undefined;
  return {
    amount,
    averagePrice: total.over(amount, isBuy ? 'up' : 'down', priceDigits),
    isWhole: remaining.isZero(),
  };
}
