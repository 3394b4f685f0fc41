import type { Side } from '@exchange/core/pair.ts';
import { readStored, store } from '../storage.ts';
import { TICKET_KINDS, type TicketKind } from './order-kinds.ts';
import type { Ticket } from './ticket.ts';

/** Storage key of the order type last chosen in a ticket, shared by all pairs. */
const KIND = 'trade-kind';

/** The last chosen order type; a limit order by default. */
export function rememberedKind(): TicketKind {
  const remembered = readStored(KIND);
  return TICKET_KINDS.find((kind) => kind === remembered) ?? 'limit';
}

/**
 * The order type that a link requests (`?kind=market`); the last chosen type when it is missing or unknown.
 */
export function kindOfLink(text: string | null): TicketKind {
  return TICKET_KINDS.find((kind) => kind === text) ?? rememberedKind();
}

export function rememberKind(kind: TicketKind): void {
  store(KIND, kind);
}

const MARKET_SIZE = { buy: 'trade-market-buy-by', sell: 'trade-market-sell-by' } as const;

/**
 * Whether a new ticket sizes its order by amount (base coin) or by total (quote coin). Market orders use the
 * last choice for that side; by default a market buy is sized by total and all other orders by amount.
 */
export function rememberedSize(side: Side, type: TicketKind): Ticket['by'] {
  if (type !== 'market') return 'amount';
  const remembered = readStored(MARKET_SIZE[side]);
  if (remembered === 'amount' || remembered === 'total') return remembered;
  return side === 'buy' ? 'total' : 'amount';
}

/** Stores how the user sizes market orders of a side; other order types are ignored. */
export function rememberSize({ side, type }: Pick<Ticket, 'side' | 'type'>, by: Ticket['by']): void {
  if (type === 'market') store(MARKET_SIZE[side], by);
}
