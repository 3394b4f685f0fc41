import { Decimal, greatest } from '@exchange/core/decimal.ts';
import type { Pair, Side } from '@exchange/core/pair.ts';
import { guardPrice, trailOfPercent, type Hold, type StopDirection } from '@exchange/core/spot.ts';
import { resultingType, trailingStopPrice } from '@exchange/core/stop.ts';
import { usualDirection } from './order-kinds.ts';
import { ticketFields, type Ticket, type TicketMarket } from './ticket.ts';

/**
 * Returns the best price of the side of the book with which an order of the given side would trade; undefined
 * while unknown.
 */
export function oppositeBest(side: Side, market: TicketMarket): Decimal | undefined {
  return side === 'buy' ? market.bestAsk : market.bestBid;
}

/**
 * Returns the trigger price that the ticket's stop would have if it were placed now; undefined for an order
 * without a trigger, and while the price is unknown.
 */
export function stopPriceOf(ticket: Ticket, { pair, last }: TicketMarket): Decimal | undefined {
  const { hasStopPrice, hasTrail } = ticketFields(ticket);
  if (hasStopPrice) return positive(ticket.stopPrice);
  const trail = hasTrail ? trailOf(ticket) : undefined;
  if (trail === undefined || last === undefined || !trail.isLess(Decimal.one)) return undefined;
  return aboveZero(trailingStopPrice(pair, ticket.side, positive(ticket.activation) ?? last, trail));
}

/**
 * Returns the direction in which the last price must cross the trigger of the ticket's order: the chosen one
 * if there is one and the order type allows it, otherwise the default of order type and side.
 */
export function directionOf(ticket: Ticket): StopDirection {
  const { type, side, direction } = ticket;
  if (ticketFields(ticket).hasDirection && direction !== '') return direction;
  return usualDirection(type, side);
}

/**
 * Returns the distance of the ticket's trailing stop as a fraction: 0.01 for a typed 1 %; undefined while
 * none is typed.
 */
export function trailOf({ trail }: Ticket): Decimal | undefined {
  const percent = numberOf(trail);
  return percent === undefined ? undefined : trailOfPercent(percent);
}

/**
 * Returns the price at which the ticket converts between amount and total: the limit price; for a market
 * order the best opposite price; for a stop without limit price its trigger price. Undefined while that price
 * is unknown.
 */
export function workingPrice(ticket: Ticket, market: TicketMarket): Decimal | undefined {
  if (ticketFields(ticket).hasPrice) return positive(ticket.price);
  return ticket.type === 'market' ? oppositeBest(ticket.side, market) : stopPriceOf(ticket, market);
}

/** Returns whether the ticket's order is sized by total instead of by amount. */
export function isByTotal(ticket: Ticket): boolean {
  return ticket.by === 'total' && ticketFields(ticket).choosesTotal;
}

/**
 * Returns the amount of the quote coin that a buy order reserves per unit of the base coin; undefined while
 * it is unknown.
 */
export function heldPrice(ticket: Ticket, market: TicketMarket): Decimal | undefined {
  if (ticket.type !== 'oco') {
    return resultingType(ticket.type) === 'limit'
      ? positive(ticket.price)
      : protectionPriceOf(ticket, market);
  }
  const limitLegPrice = positive(ticket.price);
  const stopLegPrice = positive(ticket.stopLimitPrice) ?? protectionPriceOf(ticket, market);
  return limitLegPrice === undefined || stopLegPrice === undefined
    ? undefined
    : greatest(limitLegPrice, stopLegPrice);
}

/**
 * Returns the coin and the amount that the ticket's order would reserve; undefined while unknown, and for a
 * sell order by total, for which the amount depends on the book.
 */
export function holdOf(ticket: Ticket, market: TicketMarket): Hold | undefined {
  const { pair } = market;
  const amount = numberOf(ticket.amount);
  if (ticket.side === 'sell') {
    return amount === undefined || isByTotal(ticket) ? undefined : { asset: pair.base, amount };
  }
  if (isByTotal(ticket)) {
    const total = numberOf(ticket.total);
    return total === undefined ? undefined : { asset: pair.quote, amount: total };
  }
  const price = heldPrice(ticket, market);
  if (price === undefined || amount === undefined) return undefined;
  return { asset: pair.quote, amount: price.times(amount, 'up') };
}

/**
 * Returns the maximum amount of the order, in the base coin, for which the available balance suffices;
 * undefined while the balance is unknown, and for a buy order also while its price is unknown.
 */
export function maxAmountOf(ticket: Ticket, market: TicketMarket): Decimal | undefined {
  const { pair } = market;
  if (ticket.side === 'sell') return market.baseAvailable?.rounded(pair.amountDigits, 'down');
  const price = heldPrice(ticket, market);
  return price === undefined ? undefined : market.quoteAvailable?.over(price, 'down', pair.amountDigits);
}

/**
 * Returns the maximum amount, a multiple of the pair's amount step, whose value at `price` is at most
 * `total`; undefined if either is undefined.
 */
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

/** Parses a decimal that is not negative; undefined for other text. */
export function numberOf(text: string): Decimal | undefined {
  const value = Decimal.tryParse(text);
  return value?.isNegative() === true ? undefined : value;
}

/** Parses a decimal above zero; undefined for other text. */
export function positive(text: string): Decimal | undefined {
  const value = Decimal.tryParse(text);
  return value?.isPositive() ? value : undefined;
}

/**
 * Returns the protection price: the worst price at which the exchange executes any part of the ticket's
 * order. For a market order it is derived from the best opposite price and, if known, the index price; for a
 * stop from its trigger price. Undefined while the best opposite price or the trigger price is unknown, and
 * if the result is 0.
 */
function protectionPriceOf(ticket: Ticket, market: TicketMarket): Decimal | undefined {
  const { pair } = market;
  const isMarket = ticket.type === 'market';
  const startPrice = isMarket ? oppositeBest(ticket.side, market) : stopPriceOf(ticket, market);
  const reference = isMarket ? market.reference : undefined;
  if (startPrice === undefined) return undefined;
  return aboveZero(guardPrice(pair, pair.filters, ticket.side, startPrice, reference));
}

/**
 * Returns the price, or undefined if it is 0, because callers divide by it. A price of a buy order below one tick is
 * rounded down to 0.
 */
function aboveZero(price: Decimal): Decimal | undefined {
  return price.isPositive() ? price : undefined;
}
