import type { KindFields } from '@exchange/web-kit/spot/order-kinds.ts';
import {
  withActivation,
  withPrice,
  withStopLimitPrice,
  withStopPrice,
} from '@exchange/web-kit/spot/ticket-edits.ts';
import { type Ticket, ticketFields, type TicketMoment } from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl } from '@exchange/web-kit/spot/use-ticket.ts';
import { useState } from 'react';

/** A price taken from the book; each click makes a new one, also of the same price. */
export interface TakenPrice {
  readonly price: string;
}

/** The inputs of a ticket that hold a price. */
export type PriceField =
  | ('price' | 'stopPrice' | 'stopLimitPrice' | 'activation')
  | ('takeProfit' | 'stopLoss' | 'stopLossLimit');

/**
 * Which input a price out of the book goes to: the one that was worked on last, else the limit price, else the
 * trigger. Undefined where the ticket has no price at all.
 */
export function fieldTaking(
  fields: Pick<KindFields, 'hasPrice' | 'hasStopPrice' | 'hasStopLimitPrice' | 'hasTrail' | 'canHaveExits'>,
  lastUsed: PriceField | undefined,
): PriceField | undefined {
  const present: Readonly<Record<PriceField, boolean>> = {
    price: fields.hasPrice,
    stopPrice: fields.hasStopPrice,
    stopLimitPrice: fields.hasStopLimitPrice,
    activation: fields.hasTrail,
    takeProfit: fields.canHaveExits,
    stopLoss: fields.canHaveExits,
    stopLossLimit: fields.canHaveExits,
  };
  if (lastUsed !== undefined && present[lastUsed]) return lastUsed;
  return present.price ? 'price' : present.stopPrice ? 'stopPrice' : undefined;
}

/** Puts a price taken from the book into the ticket, once. Gives the way to set which price input is in use. */
export function useTaken(control: TicketControl, moment: TicketMoment, taken: TakenPrice | undefined) {
  const [lastUsed, setLastUsed] = useState<PriceField>();
  const [applied, setApplied] = useState<TakenPrice>();
  if (taken !== undefined && taken !== applied) {
    setApplied(taken);
    control.change(withTaken(control.ticket, taken.price, lastUsed, moment));
  }
  return setLastUsed;
}

function withTaken(
  ticket: Ticket,
  price: string,
  lastUsed: PriceField | undefined,
  moment: TicketMoment,
): Ticket {
  const field = fieldTaking(ticketFields(ticket), lastUsed);
  if (field === 'price') return withPrice(ticket, price, moment);
  if (field === 'stopPrice') return withStopPrice(ticket, price, moment);
  if (field === 'activation') return withActivation(ticket, price, moment);
  if (field === 'stopLimitPrice') return withStopLimitPrice(ticket, price);
  if (field === undefined) return ticket;
  // A price out of the book is a price, also where exits were typed in percent.
  return { ...ticket, exitsBy: 'price', [field]: price };
}
