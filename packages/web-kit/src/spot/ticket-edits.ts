import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { StopDirection, TimeInForce } from '@exchange/core/spot.ts';
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

/** Amount from total or total from amount, whichever was not typed. */
function followed(ticket: Ticket, moment: TicketMoment): Ticket {
  const price = workingPrice(ticket, moment);
  if (ticket.by === 'total') {
    return { ...ticket, amount: textOf(amountFor(numberOf(ticket.total), price, moment.pair)) };
  }
  return { ...ticket, total: textOf(totalFor(numberOf(ticket.amount), price)) };
}

function textOf(value: Decimal | undefined): string {
  return value === undefined || !value.isPositive() ? '' : value.toString();
}
