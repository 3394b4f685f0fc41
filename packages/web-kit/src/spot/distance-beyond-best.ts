import { Decimal } from '@exchange/core/decimal.ts';
import { oppositeBest, positive } from './ticket-figures.ts';
import type { Ticket, TicketMarket } from './ticket.ts';

/**
 * If an order's limit price is beyond the best opposite price by at least this fraction of the best opposite price, the
 * user must confirm the order.
 */
const FAR = Decimal.parse('0.02');

/**
 * Returns by which fraction an order's limit price is beyond the opposite best price: 0.05 for a buy 5 %
 * above the best ask. Undefined if the fraction is below `FAR` or unknown, for order types other than limit,
 * and for a post-only order.
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
