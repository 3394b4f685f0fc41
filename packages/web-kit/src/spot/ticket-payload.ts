import { Decimal } from '@exchange/core/decimal.ts';
import { percentOfTrail, type OrderRequest } from '@exchange/core/spot.ts';
import { instant } from '@exchange/core/time.ts';
import type { createOco, createOrder } from '@exchange/wire/spot.ts';
import type { CallFields } from '../api/client.ts';
import { isByTotal, trailOf } from './ticket-figures.ts';
import { expireAtOf, hasExits, ticketFields, timeInForceOf, type Ticket, type TicketPair } from './ticket.ts';

export type OrderPayload = CallFields<typeof createOrder>;
export type OcoPayload = CallFields<typeof createOco>;

/** A ticket that places a single order; excludes tickets for an OCO. */
export type OrderTicket = Ticket & { readonly type: OrderRequest['type'] };

export function isOrderTicket(ticket: Ticket): ticket is OrderTicket {
  return ticket.type !== 'oco';
}

/**
 * Converts a ticket to the order request that client and server validate with the same code. `now` is the time of the
 * order in milliseconds UTC.
 */
export function requestOf(ticket: OrderTicket, now: number): OrderRequest {
  const fields = ticketFields(ticket);
  const byTotal = isByTotal(ticket);
  const expireAt = expireAtOf(ticket, now);
  return {
    side: ticket.side,
    type: ticket.type,
    price: fields.hasPrice ? Decimal.tryParse(ticket.price) : undefined,
    amount: byTotal ? undefined : Decimal.tryParse(ticket.amount),
    total: byTotal ? Decimal.tryParse(ticket.total) : undefined,
    timeInForce: timeInForceOf(ticket),
    postOnly: fields.canPostOnly && ticket.postOnly,
    stopPrice: fields.hasStopPrice ? Decimal.tryParse(ticket.stopPrice) : undefined,
    direction: fields.hasDirection && ticket.direction !== '' ? ticket.direction : undefined,
    trail: fields.hasTrail ? trailOf(ticket) : undefined,
    activation: fields.hasTrail ? Decimal.tryParse(ticket.activation) : undefined,
    expireAt: expireAt === undefined ? undefined : instant(expireAt),
    exits: exitsOf(ticket),
  };
}

function exitsOf(ticket: Ticket): OrderRequest['exits'] {
  if (!hasExits(ticket)) return undefined;
  return {
    takeProfit: Decimal.tryParse(ticket.takeProfit),
    stopLoss: Decimal.tryParse(ticket.stopLoss),
    stopLossLimit: Decimal.tryParse(ticket.stopLossLimit),
  };
}

/**
 * Returns the request fields that place the ticket's order. `now` is the time of the order in milliseconds
 * UTC.
 */
export function payloadOf(ticket: OrderTicket, pair: TicketPair, now: number): OrderPayload {
  const request = requestOf(ticket, now);
  return {
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: request.side === 'buy' ? '1' : '2',
    orderType: request.type,
    price: request.price ?? null,
    amount: request.amount ?? null,
    total: request.total ?? null,
    timeInForce: request.timeInForce,
    expireTime: request.expireAt ?? null,
    postOnly: request.postOnly ? '1' : null,
    stopPrice: request.stopPrice ?? null,
    direction: request.direction ?? null,
    trailPct: request.trail === undefined ? null : percentOfTrail(request.trail),
    activationPrice: request.activation ?? null,
    takeProfitPrice: request.exits?.takeProfit ?? null,
    stopLossPrice: request.exits?.stopLoss ?? null,
    stopLossLimitPrice: request.exits?.stopLossLimit ?? null,
    stp: ticket.stp,
  };
}

/** Returns the request fields that place the OCO of the ticket. */
export function ocoPayloadOf(ticket: Ticket, pair: TicketPair): OcoPayload {
  return {
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: ticket.side === 'buy' ? '1' : '2',
    amount: ticket.amount,
    limitPrice: ticket.price,
    stopPrice: ticket.stopPrice,
    stopLimitPrice: ticket.stopLimitPrice,
    stp: ticket.stp,
  };
}
