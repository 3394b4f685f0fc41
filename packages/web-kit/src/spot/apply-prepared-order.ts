import type { Side } from '@exchange/core/pair.ts';
import { useEffect } from 'react';
import type { OrderCommand } from './order-command.ts';
import type { TicketKind } from './order-kinds.ts';
import { consumePreparedOrder, usePreparedOrder } from './prepared-order.ts';
import { withAmount, withPrice, withTotal } from './ticket-edits.ts';
import type { Ticket, TicketMarket } from './ticket.ts';
import type { TicketControl } from './use-ticket.ts';

/** Fills the ticket once with the prepared order of its pair, if that order has the ticket's side and type. */
export function useApplyPreparedOrder(
  control: TicketControl,
  market: TicketMarket,
  { side, kind }: { readonly side: Side; readonly kind: TicketKind },
): void {
  const order = usePreparedOrder(market.pair.symbol);
  useEffect(() => {
    if (order === undefined || order.side !== side || order.kind !== kind) return;
    control.change(withCommand(control.ticket, order, market));
    consumePreparedOrder(order);
  });
}

/** Returns the ticket with the price and size of a prepared order, which has the same side and type. */
export function withCommand(ticket: Ticket, order: OrderCommand, market: TicketMarket): Ticket {
  const priced = order.price === undefined ? ticket : withPrice(ticket, order.price, market);
  return order.by === 'total'
    ? withTotal(priced, order.size, market)
    : withAmount(priced, order.size, market);
}
