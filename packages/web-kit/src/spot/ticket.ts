import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, PairStatus, Side } from '@exchange/core/pair.ts';
import type { StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import type { SELF_TRADE_MODES } from '@exchange/wire/spot.ts';
import { fieldsOf, type KindFields, type TicketKind } from './order-kinds.ts';

export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];

/** When a GTT order expires: so long after it is placed, or at a moment of one's own. */
export type Expiry = keyof typeof EXPIRY_MS | 'own';

export const EXPIRY_MS = { '1h': HOUR_MS, '1d': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;

/** What a person has typed into the ticket. Texts are plain decimals or empty. */
export interface Ticket {
  readonly side: Side;
  readonly type: TicketKind;
  /** The limit price; of an OCO, the one of its limit leg. */
  readonly price: string;
  /** Where a stop triggers. */
  readonly stopPrice: string;
  /** The limit price of an OCO's stop leg; empty: at market. */
  readonly stopLimitPrice: string;
  /** A trailing stop's distance in percent: `1.5`. */
  readonly trail: string;
  /** Where a trailing stop begins to follow; empty: at once. */
  readonly activation: string;
  /** Whether take-profit and stop-loss are attached, and their prices; empty for the one that is not wanted. */
  readonly hasExits: boolean;
  readonly takeProfit: string;
  readonly stopLoss: string;
  /** The limit price of the stop-loss; empty: at market. */
  readonly stopLossLimit: string;
  /** Whether take-profit and stop-loss are typed as prices or in percent of the entry price, of which prices then follow. */
  readonly exitsBy: 'price' | 'percent';
  /** In percent of the entry price, without a sign: `5`. */
  readonly takeProfitPercent: string;
  readonly stopLossPercent: string;
  readonly amount: string;
  readonly total: string;
  /** The one of the two that was typed last; the other follows from it where a price is known. */
  readonly by: 'amount' | 'total';
  readonly postOnly: boolean;
  /** As chosen; what the kind does not allow counts as the kind's usual one. */
  readonly timeInForce: TimeInForce;
  /** Which way the last price must go; empty: the usual way of kind and side. */
  readonly direction: '' | StopDirection;
  readonly expiry: Expiry;
  /** Milliseconds UTC of an expiry of one's own. */
  readonly ownExpiry: number | undefined;
  readonly stp: SelfTradeMode;
}

/** What the ticket knows of the pair. */
export interface TicketPair extends Pair {
  readonly filters: PairFilters;
  readonly status: PairStatus;
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
}

/** What the ticket knows of the moment. */
export interface TicketMoment {
  readonly pair: TicketPair;
  readonly bestBid?: Decimal | undefined;
  readonly bestAsk?: Decimal | undefined;
  /** The index, or the last trade where there is no index. */
  readonly reference?: Decimal | undefined;
  /** The last trade's price: what stops watch. */
  readonly last?: Decimal | undefined;
  /** Undefined while nobody is signed in or balances are not known yet. */
  readonly baseAvailable?: Decimal | undefined;
  readonly quoteAvailable?: Decimal | undefined;
  /** How many own orders of the pair are open; undefined while unknown. */
  readonly openOrders?: { readonly resting: number; readonly waiting: number } | undefined;
}

/** An empty ticket; one with a limit price may start at a price. */
export function initialTicket(side: Side, type: TicketKind = 'limit', price = ''): Ticket {
  return {
    side,
    type,
    price,
    stopPrice: '',
    stopLimitPrice: '',
    trail: '',
    activation: '',
    hasExits: false,
    takeProfit: '',
    stopLoss: '',
    stopLossLimit: '',
    exitsBy: 'price',
    takeProfitPercent: '',
    stopLossPercent: '',
    amount: '',
    total: '',
    by: 'amount',
    postOnly: false,
    timeInForce: 'GTC',
    direction: '',
    expiry: '1d',
    ownExpiry: undefined,
    stp: 'cancelTaker',
  };
}

/** The ticket after its order was placed: prices and choices stay, amounts are cleared. */
export function afterPlacing(ticket: Ticket): Ticket {
  return { ...ticket, amount: '', total: '' };
}

/** The inputs and choices that the ticket has as it stands. */
export function ticketFields({ type, side }: Ticket): KindFields {
  return fieldsOf(type, side);
}

/** Whether the order takes its exits with it. */
export function hasExits(ticket: Ticket): boolean {
  return ticket.hasExits && ticketFields(ticket).canHaveExits;
}

/** The time in force the order will have; an OCO rests until cancelled. */
export function timeInForceOf(ticket: Ticket): TimeInForce {
  const { timesInForce } = ticketFields(ticket);
  return timesInForce.includes(ticket.timeInForce) ? ticket.timeInForce : (timesInForce[0] ?? 'GTC');
}

/** The expiries that a pair allows to choose, each with its length. */
export function expiriesOf(pair: TicketPair): readonly Expiry[] {
  const { maxLifetimeMs } = pair.filters;
  const lengths = Object.keys(EXPIRY_MS) as (keyof typeof EXPIRY_MS)[];
  return [...lengths.filter((name) => EXPIRY_MS[name] <= maxLifetimeMs), 'own'];
}

/** When the order would expire if placed at `now` (milliseconds UTC); undefined unless it is GTT. */
export function expireAtOf(ticket: Ticket, now: number): number | undefined {
  if (timeInForceOf(ticket) !== 'GTT') return undefined;
  return ticket.expiry === 'own' ? ticket.ownExpiry : now + EXPIRY_MS[ticket.expiry];
}
