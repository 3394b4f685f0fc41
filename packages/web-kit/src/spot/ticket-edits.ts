import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import {
  type StopDirection,
  type TimeInForce,
  trailOfPercent,
  TRAIL_PCT_PLACES,
} from '@exchange/core/spot.ts';
import type { TicketKind } from './order-kinds.ts';
import type { Expiry, SelfTradeMode, Ticket, TicketMarket } from './ticket.ts';
import { totalDigits } from '../market/pair.ts';
import { amountFor, isByTotal, maxAmountOf, numberOf, totalFor, workingPrice } from './ticket-figures.ts';

/**
 * Returns the order ticket after the user has changed its side, which resets the trigger direction to its
 * default. Every edit in this file that changes the price keeps the amount or the total, whichever `by`
 * names, and recalculates the other.
 */
export function withSide(ticket: Ticket, side: Side, market: TicketMarket): Ticket {
  return recalculated({ ...ticket, side, direction: '' }, market);
}

export function withType(ticket: Ticket, type: TicketKind, market: TicketMarket): Ticket {
  return recalculated({ ...ticket, type, direction: '' }, market);
}

export function withPrice(ticket: Ticket, price: string, market: TicketMarket): Ticket {
  return recalculated({ ...ticket, price }, market);
}

export function withStopPrice(ticket: Ticket, stopPrice: string, market: TicketMarket): Ticket {
  return recalculated({ ...ticket, stopPrice }, market);
}

export function withStopLimitPrice(ticket: Ticket, stopLimitPrice: string): Ticket {
  return { ...ticket, stopLimitPrice };
}

/**
 * Returns the order ticket after the user has typed the distance of a trailing stop; `trail` is a percentage
 * as decimal text.
 */
export function withTrail(ticket: Ticket, trail: string, market: TicketMarket): Ticket {
  return recalculated({ ...ticket, trail }, market);
}

export function withActivation(ticket: Ticket, activation: string, market: TicketMarket): Ticket {
  return recalculated({ ...ticket, activation }, market);
}

export function withAmount(ticket: Ticket, amount: string, market: TicketMarket): Ticket {
  return recalculated({ ...ticket, amount, by: 'amount' }, market);
}

export function withTotal(ticket: Ticket, total: string, market: TicketMarket): Ticket {
  return recalculated({ ...ticket, total, by: 'total' }, market);
}

/** Returns the order ticket sized by amount or by total, as `by` states, with both inputs emptied. */
export function withBy(ticket: Ticket, by: Ticket['by']): Ticket {
  return { ...ticket, by, amount: '', total: '' };
}

/**
 * Returns the order ticket with an integer percentage of the available balance as its size. The size is empty
 * while the balance is unknown, and for the amount of a buy order also while its price is unknown.
 */
export function withPercent(ticket: Ticket, percent: number, market: TicketMarket): Ticket {
  const { pair } = market;
  const fraction = Decimal.ofScaled(BigInt(Math.round(percent)), 2);
  if (ticket.side === 'buy' && isByTotal(ticket)) {
    const total = market.quoteAvailable?.times(fraction, 'down', totalDigits(pair));
    return withTotal(ticket, textOf(total), market);
  }
  const maxAmount = maxAmountOf(ticket, market);
  return withAmount(ticket, textOf(maxAmount?.times(fraction, 'down', pair.amountDigits)), market);
}

/**
 * Returns the order ticket after the user has switched post-only on or off. Switching it on changes the time
 * in force from IOC or FOK to GTC, because a post-only order cannot trade immediately.
 */
export function withPostOnly(ticket: Ticket, postOnly: boolean): Ticket {
  const isResting = ticket.timeInForce === 'GTC' || ticket.timeInForce === 'GTT';
  return { ...ticket, postOnly, timeInForce: postOnly && !isResting ? 'GTC' : ticket.timeInForce };
}

export function withTimeInForce(ticket: Ticket, timeInForce: TimeInForce): Ticket {
  const isResting = timeInForce === 'GTC' || timeInForce === 'GTT';
  return { ...ticket, timeInForce, postOnly: ticket.postOnly && isResting };
}

/**
 * Returns the order ticket with another expiry of its GTT order. With `own`, `ownExpiry` is the time that the
 * user has entered, in milliseconds UTC; undefined until entered.
 */
export function withExpiry(ticket: Ticket, expiry: Expiry, ownExpiry?: number): Ticket {
  return { ...ticket, expiry, ownExpiry: expiry === 'own' ? ownExpiry : undefined };
}

export function withDirection(ticket: Ticket, direction: '' | StopDirection): Ticket {
  return { ...ticket, direction };
}

export function withSelfTrade(ticket: Ticket, stp: SelfTradeMode): Ticket {
  return { ...ticket, stp };
}

/** The ticket inputs whose price the user can type as a percentage of the entry price. */
export type Exit = 'takeProfit' | 'stopLoss';

const PERCENT_FIELDS = { takeProfit: 'takeProfitPercent', stopLoss: 'stopLossPercent' } as const;

/**
 * Returns the text that the user has typed for take-profit or stop-loss: a price, or a percentage of the
 * entry price.
 */
export function typedExit(ticket: Ticket, exit: Exit): string {
  return ticket.exitsBy === 'percent' ? ticket[PERCENT_FIELDS[exit]] : ticket[exit];
}

/**
 * Returns the order ticket after the user has typed the text of take-profit or stop-loss. If the ticket uses
 * percentages, the price is calculated from the text.
 */
export function withExit(ticket: Ticket, exit: Exit, text: string, market: TicketMarket): Ticket {
  if (ticket.exitsBy === 'price') return { ...ticket, [exit]: text };
  return withExitPrices({ ...ticket, [PERCENT_FIELDS[exit]]: text }, market);
}

/**
 * Returns the order ticket with take-profit and stop-loss typed as prices or as percentages of the entry
 * price. When switching to percentages, each price is converted to a percentage, cut off after two decimals,
 * and then recalculated from that percentage.
 */
export function withExitsBy(ticket: Ticket, exitsBy: Ticket['exitsBy'], market: TicketMarket): Ticket {
  if (exitsBy === 'price') return { ...ticket, exitsBy };
  const entry = workingPrice(ticket, market);
  const percentOf = (text: string): string => {
    const price = numberOf(text);
    if (price === undefined || entry === undefined) return '';
    const difference = price.isMore(entry) ? price.minus(entry) : entry.minus(price);
    return textOf(difference.timesExact(Decimal.ofWhole(100)).over(entry, 'down', TRAIL_PCT_PLACES));
  };
  const percents = {
    takeProfitPercent: percentOf(ticket.takeProfit),
    stopLossPercent: percentOf(ticket.stopLoss),
  };
  return withExitPrices({ ...ticket, ...percents, exitsBy }, market);
}

/**
 * Returns the ticket with the take-profit and stop-loss prices that result from the typed percentages,
 * rounded to the pair's tick size away from the entry price; empty prices while a percentage or the entry
 * price is missing. Unchanged if the user types the prices themselves.
 */
function withExitPrices(ticket: Ticket, market: TicketMarket): Ticket {
  if (ticket.exitsBy === 'price') return ticket;
  const { priceDigits } = market.pair;
  const entry = workingPrice(ticket, market);
  const priceOf = (exit: Exit): string => {
    const percent = numberOf(ticket[PERCENT_FIELDS[exit]]);
    if (percent === undefined || entry === undefined) return '';
    const fraction = trailOfPercent(percent);
    const isAbove = (ticket.side === 'buy') === (exit === 'takeProfit');
    return isAbove
      ? entry.times(Decimal.one.plus(fraction), 'up', priceDigits).toString()
      : entry.times(Decimal.one.minus(fraction), 'down', priceDigits).toString();
  };
  return { ...ticket, takeProfit: priceOf('takeProfit'), stopLoss: priceOf('stopLoss') };
}

/**
 * Returns the order ticket with the best bid or the best ask as its limit price; the unchanged ticket while
 * that price is unknown or the book has no orders on that side.
 */
export function withBestPrice(ticket: Ticket, side: 'bid' | 'ask', market: TicketMarket): Ticket {
  const best = side === 'bid' ? market.bestBid : market.bestAsk;
  return best === undefined ? ticket : withPrice(ticket, best.toPlaces(market.pair.priceDigits), market);
}

/**
 * Returns the order ticket sized by amount or by total, as `by` states; a value typed for the other size is
 * converted at the price that `workingPrice` returns.
 */
export function sizedBy(ticket: Ticket, by: Ticket['by'], market: TicketMarket): Ticket {
  return ticket.by === by ? ticket : recalculated({ ...ticket, by }, market);
}

/**
 * Recalculates the amount from the total or the total from the amount, and the take-profit and stop-loss prices that
 * are typed in percent.
 */
function recalculated(edited: Ticket, market: TicketMarket): Ticket {
  const ticket = withExitPrices(edited, market);
  const price = workingPrice(ticket, market);
  if (ticket.by === 'total') {
    return { ...ticket, amount: textOf(amountFor(numberOf(ticket.total), price, market.pair)) };
  }
  return { ...ticket, total: textOf(totalFor(numberOf(ticket.amount), price)) };
}

function textOf(value: Decimal | undefined): string {
  return value === undefined || !value.isPositive() ? '' : value.toString();
}
