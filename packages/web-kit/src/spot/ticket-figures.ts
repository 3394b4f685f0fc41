import { Decimal, greatest } from '@exchange/core/decimal.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import { guardPrice, trailOfPercent, type Hold, type StopDirection } from '@exchange/core/spot.ts';
import { becomes, trailingStopPrice } from '@exchange/core/stop.ts';
import { usualDirection } from './order-kinds.ts';
import { ticketFields, type Ticket, type TicketMoment } from './ticket.ts';

/** The figures that follow from a ticket and the moment; the same for edits, the summary and the checks. */

/** The best price on the other side of the book. */
export function oppositeBest(side: Side, moment: TicketMoment): Decimal | undefined {
  return side === 'buy' ? moment.bestAsk : moment.bestBid;
}

/** Where the stop would trigger if placed now; undefined without one, or while it is not known. */
export function stopPriceOf(ticket: Ticket, { pair, last }: TicketMoment): Decimal | undefined {
  const { hasStopPrice, hasTrail } = ticketFields(ticket);
  if (hasStopPrice) return positive(ticket.stopPrice);
  const trail = hasTrail ? trailOf(ticket) : undefined;
  if (trail === undefined || last === undefined || !trail.isLess(Decimal.one)) return undefined;
  return aboveZero(trailingStopPrice(pair, ticket.side, positive(ticket.activation) ?? last, trail));
}

/** The way the last price must go through the stop. */
export function directionOf(ticket: Ticket): StopDirection {
  const { type, side, direction } = ticket;
  if (ticketFields(ticket).hasDirection && direction !== '') return direction;
  return usualDirection(type, side);
}

/** A trailing stop's distance as a fraction, of the percentage typed. */
export function trailOf({ trail }: Ticket): Decimal | undefined {
  const percent = numberOf(trail);
  return percent === undefined ? undefined : trailOfPercent(percent);
}

/** The price that joins amount and total: the limit price, or what a market order is likely to meet. */
export function workingPrice(ticket: Ticket, moment: TicketMoment): Decimal | undefined {
  if (ticketFields(ticket).hasPrice) return positive(ticket.price);
  return ticket.type === 'market' ? oppositeBest(ticket.side, moment) : stopPriceOf(ticket, moment);
}

/** Whether the order says how much to spend or earn instead of how much to trade. */
export function isByTotal(ticket: Ticket): boolean {
  return ticket.by === 'total' && ticketFields(ticket).choosesTotal;
}

/** What one unit of the base coin holds of the quote coin when it is bought; undefined while not known. */
export function heldPrice(ticket: Ticket, moment: TicketMoment): Decimal | undefined {
  if (ticket.type !== 'oco') {
    return becomes(ticket.type) === 'limit' ? positive(ticket.price) : protectionPriceOf(ticket, moment);
  }
  const limit = positive(ticket.price);
  const stop = positive(ticket.stopLimitPrice) ?? protectionPriceOf(ticket, moment);
  return limit === undefined || stop === undefined ? undefined : greatest(limit, stop);
}

/** What the order would set aside; undefined while not known, and for sales by total, which only the book can tell. */
export function holdOf(ticket: Ticket, moment: TicketMoment): Hold | undefined {
  const { pair } = moment;
  const amount = numberOf(ticket.amount);
  if (ticket.side === 'sell') {
    return amount === undefined || isByTotal(ticket) ? undefined : { asset: pair.base, amount };
  }
  if (isByTotal(ticket)) {
    const total = numberOf(ticket.total);
    return total === undefined ? undefined : { asset: pair.quote, amount: total };
  }
  const price = heldPrice(ticket, moment);
  if (price === undefined || amount === undefined) return undefined;
  return { asset: pair.quote, amount: price.times(amount, 'up') };
}

/** The most that could be ordered with what is available, in the base coin. */
export function maxAmountOf(ticket: Ticket, moment: TicketMoment): Decimal | undefined {
  const { pair } = moment;
  if (ticket.side === 'sell') return moment.baseAvailable?.rounded(pair.amountDigits, 'down');
  const price = heldPrice(ticket, moment);
  return price === undefined ? undefined : moment.quoteAvailable?.over(price, 'down', pair.amountDigits);
}

/** The greatest amount on the pair's grid that `total` pays for. */
export function amountFor(
  total: Decimal | undefined,
  price: Decimal | undefined,
  pair: Pair,
): Decimal | undefined {
  if (total === undefined || price === undefined) return undefined;
  return total.over(price, 'down', pair.amountDigits);
}

export function totalFor(amount: Decimal | undefined, price: Decimal | undefined): Decimal | undefined {
  return amount === undefined || price === undefined ? undefined : amount.times(price, 'down');
}

/** The decimal that was typed; undefined for what is none, such as one below zero. */
export function numberOf(text: string): Decimal | undefined {
  const value = Decimal.tryParse(text);
  return value?.isNegative() === true ? undefined : value;
}

/** The decimal that a text says; undefined unless it is greater than zero. */
export function positive(text: string): Decimal | undefined {
  const value = Decimal.tryParse(text);
  return value?.isPositive() ? value : undefined;
}

/** The worst price at which the order may execute at market: off the best price and the index, or off the stop. */
function protectionPriceOf(ticket: Ticket, moment: TicketMoment): Decimal | undefined {
  const { pair } = moment;
  const isMarket = ticket.type === 'market';
  const from = isMarket ? oppositeBest(ticket.side, moment) : stopPriceOf(ticket, moment);
  const reference = isMarket ? moment.reference : undefined;
  if (from === undefined) return undefined;
  return aboveZero(guardPrice(pair, pair.filters, ticket.side, from, reference));
}

/** A price below one tick is rounded to none, and nothing can be divided by it. */
function aboveZero(price: Decimal): Decimal | undefined {
  return price.isPositive() ? price : undefined;
}
