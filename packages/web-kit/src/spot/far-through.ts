import { Decimal, least } from '@exchange/core/decimal.ts';
import type { Level } from '../market/book.ts';
import { oppositeBest, positive } from './ticket-figures.ts';
import type { Ticket, TicketMoment, TicketPair } from './ticket.ts';

/** A limit that gives away more than this share of the best price is asked about. */
const FAR = Decimal.parse('0.02');

/**
 * How far the limit of an order lies beyond the best price of the other side, as a fraction of it: 0.05 for a buy
 * 5 % above the best ask. Undefined where that is little, or no order would trade at once.
 */
export function farThrough(ticket: Ticket, moment: TicketMoment): Decimal | undefined {
  const [price, best] = [positive(ticket.price), oppositeBest(ticket.side, moment)];
  if (ticket.type !== 'limit' || ticket.postOnly || price === undefined || best === undefined)
    return undefined;
  const beyond = ticket.side === 'buy' ? price.minus(best) : best.minus(price);
  if (!beyond.isPositive()) return undefined;
  const share = beyond.over(best, 'down', 6);
  return share.isLess(FAR) ? undefined : share;
}

/** What a limit order would trade at once in `levels`, best first, at which average price; the rest would wait. */
export function limitFill(
  ticket: Ticket,
  { priceDigits }: Pick<TicketPair, 'priceDigits'>,
  levels: readonly Level[],
): { readonly amount: Decimal; readonly averagePrice: Decimal; readonly isWhole: boolean } | undefined {
  const [price, wanted] = [positive(ticket.price), positive(ticket.amount)];
  if (price === undefined || wanted === undefined) return undefined;
  const isBuy = ticket.side === 'buy';
  let [left, total] = [wanted, Decimal.zero];
  for (const level of levels) {
    if (left.isZero() || (isBuy ? level.price.isMore(price) : level.price.isLess(price))) break;
    const taken = least(level.amount, left);
    total = total.plus(level.price.times(taken, 'down'));
    left = left.minus(taken);
  }
  const amount = wanted.minus(left);
  if (amount.isZero()) return undefined;
  return {
    amount,
    averagePrice: total.over(amount, isBuy ? 'up' : 'down', priceDigits),
    isWhole: left.isZero(),
  };
}
