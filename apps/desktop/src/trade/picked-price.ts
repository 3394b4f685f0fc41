import type { KindFields } from '@exchange/web-kit/spot/order-kinds.ts';
import {
  withActivation,
  withPrice,
  withStopLimitPrice,
  withStopPrice,
} from '@exchange/web-kit/spot/ticket-edits.ts';
import { type Ticket, ticketFields, type TicketMarket } from '@exchange/web-kit/spot/ticket.ts';
import type { TicketControl } from '@exchange/web-kit/spot/use-ticket.ts';
import { useState } from 'react';

/**
 * A price that the user picked in the order book, the price ladder or the chart; each pick creates a new object, so
 * that picking the same price again is recognised.
 */
export interface PickedPrice {
  readonly price: string;
}

/** The inputs of the order ticket that contain a price. */
export type PriceField =
  | ('price' | 'stopPrice' | 'stopLimitPrice' | 'activation')
  | ('takeProfit' | 'stopLoss' | 'stopLossLimit');

/**
 * Returns the ticket input into which a picked price is written: the price input that the user last used if
 * the ticket has it now, otherwise the limit price, otherwise the trigger price. Undefined when the ticket
 * has none of these.
 */
export function fieldForPrice(
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

/**
 * Hook that writes each new picked price once into the input that `fieldForPrice` selects, or nowhere if
 * there is none. Returns a function with which the caller states the price input that the user last used.
 */
export function usePickedPrice(control: TicketControl, moment: TicketMarket, taken: PickedPrice | undefined) {
  const [lastUsed, setLastUsed] = useState<PriceField>();
  const [applied, setApplied] = useState<PickedPrice>();
  if (taken !== undefined && taken !== applied) {
    setApplied(taken);
    control.change(withPickedPrice(control.ticket, taken.price, lastUsed, moment));
  }
  return setLastUsed;
}

function withPickedPrice(
  ticket: Ticket,
  price: string,
  lastUsed: PriceField | undefined,
  moment: TicketMarket,
): Ticket {
  const field = fieldForPrice(ticketFields(ticket), lastUsed);
  if (field === 'price') return withPrice(ticket, price, moment);
  if (field === 'stopPrice') return withStopPrice(ticket, price, moment);
  if (field === 'activation') return withActivation(ticket, price, moment);
  if (field === 'stopLimitPrice') return withStopLimitPrice(ticket, price);
  if (field === undefined) return ticket;
  // A price picked for the take-profit or stop-loss switches both from percent to prices.
  return { ...ticket, exitsBy: 'price', [field]: price };
}
