import type { Side } from '@exchange/core/pair.ts';
import { recall, remember } from '../storage.ts';
import { TICKET_KINDS, type TicketKind } from './order-kinds.ts';
import type { Ticket } from './ticket.ts';

/** Choices about tickets that this device remembers, for every pair. */

const KIND = 'trade-kind';

/** The order type that was chosen last; a limit order where none was. */
export function rememberedKind(): TicketKind {
  const remembered = recall(KIND);
  return TICKET_KINDS.find((kind) => kind === remembered) ?? 'limit';
}

/** The order type that an address names (`?kind=market`); the one that was chosen last where it names none that exists. */
export function kindOfLink(text: string | null): TicketKind {
  return TICKET_KINDS.find((kind) => kind === text) ?? rememberedKind();
}

/** Remembers the order type that a person chose. */
export function rememberKind(kind: TicketKind): void {
  remember(KIND, kind);
}

const MARKET_SIZE = { buy: 'trade-market-buy-by', sell: 'trade-market-sell-by' } as const;

/**
 * Whether a new order is sized by amount (base coin) or by total (quote coin). At market it is as that side was sized
 * last; without a choice a market buy spends a total, and every other order trades an amount.
 */
export function rememberedSize(side: Side, type: TicketKind): Ticket['by'] {
  if (type !== 'market') return 'amount';
  const remembered = recall(MARKET_SIZE[side]);
  if (remembered === 'amount' || remembered === 'total') return remembered;
  return side === 'buy' ? 'total' : 'amount';
}

/** Remembers how a person sizes market orders of a side; other types are not remembered. */
export function rememberSize({ side, type }: Pick<Ticket, 'side' | 'type'>, by: Ticket['by']): void {
  if (type === 'market') remember(MARKET_SIZE[side], by);
}
