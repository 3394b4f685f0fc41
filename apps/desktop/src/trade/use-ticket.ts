import type { Side } from '@exchange/core/pair.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import {
  initialTicket,
  withPrice,
  type Ticket,
  type TicketMoment,
} from '@exchange/web-kit/spot/ticket-form.ts';
import { useStartPrice } from '@exchange/web-kit/spot/use-start-price.ts';
import { useState } from 'react';
import type { TakenPrice } from './taken-price.ts';

/**
 * What somebody has typed into one side of the ticket. A limit ticket starts at the price of the moment it
 * becomes known and then stays; a price taken from the book replaces it.
 */
export function useTicket(side: Side, type: OrderType, moment: TicketMoment, taken: TakenPrice | undefined) {
  const [typed, setTicket] = useState<Ticket>();
  const start = useStartPrice(moment);
  const ticket = typed ?? initialTicket(side, type, type === 'limit' ? start : '');

  const [applied, setApplied] = useState<TakenPrice>();
  if (taken !== undefined && taken !== applied) {
    setApplied(taken);
    if (type === 'limit') setTicket(withPrice(ticket, taken.price, moment));
  }
  return [ticket, setTicket] as const;
}
