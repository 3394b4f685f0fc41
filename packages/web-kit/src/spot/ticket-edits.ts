import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import {
  type StopDirection,
  type TimeInForce,
  trailOfPercent,
  TRAIL_PCT_PLACES,
} from '@exchange/core/spot.ts';
import type { TicketKind } from './order-kinds.ts';
import type { Expiry, SelfTradeMode, Ticket, TicketMoment } from './ticket.ts';
import { totalDigits } from '../market/pair.ts';
import { amountFor, isByTotal, maxAmountOf, numberOf, totalFor, workingPrice } from './ticket-figures.ts';

/**
 * What typing does to a ticket. Of amount and total, the one that was typed last stays and the other
 * follows whenever something that joins them changes.
 */

export function withSide(ticket: Ticket, side: Side, moment: TicketMoment): Ticket {
  return followed({ ...ticket, side, direction: '' }, moment);
}

export function withType(ticket: Ticket, type: TicketKind, moment: TicketMoment): Ticket {
  return followed({ ...ticket, type, direction: '' }, moment);
}

export function withPrice(ticket: Ticket, price: string, moment: TicketMoment): Ticket {
  return followed({ ...ticket, price }, moment);
}

export function withStopPrice(ticket: Ticket, stopPrice: string, moment: TicketMoment): Ticket {
  return followed({ ...ticket, stopPrice }, moment);
}

export function withStopLimitPrice(ticket: Ticket, stopLimitPrice: string): Ticket {
  return { ...ticket, stopLimitPrice };
}

/** `trail` in percent. */
export function withTrail(ticket: Ticket, trail: string, moment: TicketMoment): Ticket {
  return followed({ ...ticket, trail }, moment);
}

export function withActivation(ticket: Ticket, activation: string, moment: TicketMoment): Ticket {
  return followed({ ...ticket, activation }, moment);
}

export function withAmount(ticket: Ticket, amount: string, moment: TicketMoment): Ticket {
  return followed({ ...ticket, amount, by: 'amount' }, moment);
}

export function withTotal(ticket: Ticket, total: string, moment: TicketMoment): Ticket {
  return followed({ ...ticket, total, by: 'total' }, moment);
}

/** Switches an order at market between amount and total; both start anew. */
export function withBy(ticket: Ticket, by: Ticket['by']): Ticket {
  return { ...ticket, by, amount: '', total: '' };
}

/** The ticket with this whole percentage of what is available; empty while that is unknown. */
export function withPercent(ticket: Ticket, percent: number, moment: TicketMoment): Ticket {
  const { pair } = moment;
  const fraction = Decimal.ofScaled(BigInt(Math.round(percent)), 2);
  if (ticket.side === 'buy' && isByTotal(ticket)) {
    const total = moment.quoteAvailable?.times(fraction, 'down', totalDigits(pair));
    return withTotal(ticket, textOf(total), moment);
  }
  const most = maxAmountOf(ticket, moment);
  return withAmount(ticket, textOf(most?.times(fraction, 'down', pair.amountDigits)), moment);
}

/** Post-only orders rest, so nothing immediate goes with them. */
export function withPostOnly(ticket: Ticket, postOnly: boolean): Ticket {
  const isResting = ticket.timeInForce === 'GTC' || ticket.timeInForce === 'GTT';
  return { ...ticket, postOnly, timeInForce: postOnly && !isResting ? 'GTC' : ticket.timeInForce };
}

export function withTimeInForce(ticket: Ticket, timeInForce: TimeInForce): Ticket {
  const isResting = timeInForce === 'GTC' || timeInForce === 'GTT';
  return { ...ticket, timeInForce, postOnly: ticket.postOnly && isResting };
}

/** An expiry; for `own` with its moment (milliseconds UTC, undefined while it is not chosen). */
export function withExpiry(ticket: Ticket, expiry: Expiry, ownExpiry?: number): Ticket {
  return { ...ticket, expiry, ownExpiry: expiry === 'own' ? ownExpiry : undefined };
}

export function withDirection(ticket: Ticket, direction: '' | StopDirection): Ticket {
  return { ...ticket, direction };
}

export function withSelfTrade(ticket: Ticket, stp: SelfTradeMode): Ticket {
  return { ...ticket, stp };
}

/** The exits that can be typed in percent. */
export type Exit = 'takeProfit' | 'stopLoss';

const PERCENT_FIELDS = { takeProfit: 'takeProfitPercent', stopLoss: 'stopLossPercent' } as const;

/** An exit as it is typed: a price, or a percentage of the entry price. */
export function typedExit(ticket: Ticket, exit: Exit): string {
  return ticket.exitsBy === 'percent' ? ticket[PERCENT_FIELDS[exit]] : ticket[exit];
}

/** The ticket after an exit was typed in the way that it is typed in; in percent its price follows. */
export function withExit(ticket: Ticket, exit: Exit, text: string, moment: TicketMoment): Ticket {
  if (ticket.exitsBy === 'price') return { ...ticket, [exit]: text };
  return withExitPrices({ ...ticket, [PERCENT_FIELDS[exit]]: text }, moment);
}

/** The ticket with another way of typing its exits; what is typed already stays the same price. */
export function withExitsBy(ticket: Ticket, exitsBy: Ticket['exitsBy'], moment: TicketMoment): Ticket {
  if (exitsBy === 'price') return { ...ticket, exitsBy };
  const entry = workingPrice(ticket, moment);
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
  return withExitPrices({ ...ticket, ...percents, exitsBy }, moment);
}

/** Prices of exits that are typed in percent, on the pair's grid and never nearer to the entry than was typed. */
function withExitPrices(ticket: Ticket, moment: TicketMoment): Ticket {
  if (ticket.exitsBy === 'price') return ticket;
  const { priceDigits } = moment.pair;
  const entry = workingPrice(ticket, moment);
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

/** The ticket at the best price of a side of the book; unchanged while nothing rests there. */
export function withBestPrice(ticket: Ticket, side: 'bid' | 'ask', moment: TicketMoment): Ticket {
  const best = side === 'bid' ? moment.bestBid : moment.bestAsk;
  return best === undefined ? ticket : withPrice(ticket, best.toPlaces(moment.pair.priceDigits), moment);
}

/** Sizes a market order by amount or by total; what is typed already is converted at the best price. */
export function sizedBy(ticket: Ticket, by: Ticket['by'], moment: TicketMoment): Ticket {
  return ticket.by === by ? ticket : followed({ ...ticket, by }, moment);
}

/** Amount from total or total from amount, whichever was not typed; and the prices of exits in percent. */
function followed(edited: Ticket, moment: TicketMoment): Ticket {
  const ticket = withExitPrices(edited, moment);
  const price = workingPrice(ticket, moment);
  if (ticket.by === 'total') {
    return { ...ticket, amount: textOf(amountFor(numberOf(ticket.total), price, moment.pair)) };
  }
  return { ...ticket, total: textOf(totalFor(numberOf(ticket.amount), price)) };
}

function textOf(value: Decimal | undefined): string {
  return value === undefined || !value.isPositive() ? '' : value.toString();
}
