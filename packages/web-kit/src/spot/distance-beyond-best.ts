import { Decimal, least } from '@exchange/core/decimal.ts';
import type { Level } from '../market/book.ts';
import { oppositeBest, positive } from './ticket-figures.ts';
import type { Ticket, TicketMarket, TicketPair } from './ticket.ts';

/**
 * If an order's limit price is beyond the best opposite price by at least this fraction of the best opposite price, the
 * user must confirm the order.
 */
const FAR = Decimal.parse('0.02');

/**
 * By which fraction an order's limit price is beyond the opposite best price: 0.05 for a buy 5 % above the best ask.
 * Undefined if the fraction is below `FAR` or unknown, for order types other than limit, and for a post-only order.
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
 * Amount of a limit order that would be filled immediately by `levels` (best price first), and its average price.
 * Undefined when nothing would be filled, and while price or amount is missing.
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
