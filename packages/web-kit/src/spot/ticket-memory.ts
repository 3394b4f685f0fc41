import type { Side } from '@exchange/core/pair.ts';
import { readStored, store } from '../storage.ts';
import { TICKET_KINDS, type TicketKind } from './order-kinds.ts';
import type { Ticket } from './ticket.ts';

/** Storage key of the order type that the user has chosen last in an order ticket of any pair. */
const KIND = 'trade-kind';

/** Returns the order type that the user has chosen last on this device; limit if none is stored. */
export function rememberedKind(): TicketKind {
  const remembered = readStored(KIND);
  return TICKET_KINDS.find((kind) => kind === remembered) ?? 'limit';
}

/**
 * Returns the order type that the link parameter requests (`?kind=market`); the type that the user has chosen
 * last if the parameter is missing or unknown.
 */
export function kindOfLink(text: string | null): TicketKind {
  return TICKET_KINDS.find((kind) => kind === text) ?? rememberedKind();
}

export function rememberKind(kind: TicketKind): void {
  store(KIND, kind);
}

const MARKET_SIZE = { buy: 'trade-market-buy-by', sell: 'trade-market-sell-by' } as const;

/**
 * Returns whether a new ticket sizes its order by amount (base coin) or by total (quote coin). For market
 * orders, the size that the user has chosen last for that side; without a choice, by total for buys and by
 * amount for sells. By amount for all other order types.
 */
export function rememberedSize(side: Side, type: TicketKind): Ticket['by'] {
  if (type !== 'market') return 'amount';
  const remembered = readStored(MARKET_SIZE[side]);
  if (remembered === 'amount' || remembered === 'total') return remembered;
  return side === 'buy' ? 'total' : 'amount';
}

/**
 * Stores on this device whether the user sizes market orders of a side by amount or by total; does nothing
 * for other order types.
 */
export function rememberSize({ side, type }: Pick<Ticket, 'side' | 'type'>, by: Ticket['by']): void {
  if (type === 'market') store(MARKET_SIZE[side], by);
}
