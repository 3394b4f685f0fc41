import { type Ticket, type TicketMoment, ticketFields } from '@exchange/web-kit/spot/ticket.ts';
import {
  withActivation,
  withPrice,
  withStopLimitPrice,
  withStopPrice,
} from '@exchange/web-kit/spot/ticket-edits.ts';
import type { TicketControl } from '@exchange/web-kit/spot/use-ticket.ts';
import { useState } from 'react';
import { fieldTaking, type PriceField, type TakenPrice } from './taken-price.ts';

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
  return field === undefined ? ticket : { ...ticket, [field]: price };
}
