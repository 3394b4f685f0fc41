import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, PairStatus, Side } from '@exchange/core/pair.ts';
import type { StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import type { SELF_TRADE_MODES } from '@exchange/wire/spot.ts';
import { fieldsOf, type KindFields, type TicketKind } from './order-kinds.ts';

export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];

/** Lifetime of a GTT order after placement, or `own` for a custom expiry time. */
export type Expiry = keyof typeof EXPIRY_MS | 'own';

export const EXPIRY_MS = { '1h': HOUR_MS, '1d': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;

/** Typed contents of a ticket. Texts are plain decimals or empty. */
export interface Ticket {
  readonly side: Side;
  readonly type: TicketKind;
  /** Limit price; for an OCO the price of its limit leg. */
  readonly price: string;
  /** Trigger price of a stop. */
  readonly stopPrice: string;
  /** Limit price of an OCO's stop leg; empty for a market order. */
  readonly stopLimitPrice: string;
  /** A trailing stop's distance in percent: `1.5`. */
  readonly trail: string;
  /** Price at which a trailing stop starts to follow the market; empty to start immediately. */
  readonly activation: string;
  /** Whether exits are attached; their prices are empty when not wanted. */
  readonly hasExits: boolean;
  readonly takeProfit: string;
  readonly stopLoss: string;
  /** Limit price of the stop-loss; empty for a market order. */
  readonly stopLossLimit: string;
  /** Whether exits are typed as prices, or as percentages from which their prices are calculated. */
  readonly exitsBy: 'price' | 'percent';
  /** Percentage of the entry price without a sign: `5`. */
  readonly takeProfitPercent: string;
  readonly stopLossPercent: string;
  readonly amount: string;
  readonly total: string;
  /** The value typed last; the other is calculated when a price is known. */
  readonly by: 'amount' | 'total';
  readonly postOnly: boolean;
  /** The chosen value; a value that the kind does not allow is replaced by the kind's default. */
  readonly timeInForce: TimeInForce;
  /** Direction in which the last price must cross the trigger; empty for the default of kind and side. */
  readonly direction: '' | StopDirection;
  readonly expiry: Expiry;
  /** Custom expiry time in milliseconds UTC. */
  readonly ownExpiry: number | undefined;
  readonly stp: SelfTradeMode;
}

/** Pair data that a ticket needs. */
export interface TicketPair extends Pair {
  readonly filters: PairFilters;
  readonly status: PairStatus;
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
}

/** Current market and account data that a ticket needs. */
export interface TicketMarket {
  readonly pair: TicketPair;
  readonly bestBid?: Decimal | undefined;
  readonly bestAsk?: Decimal | undefined;
  /** The index price, or the last price when there is no index. */
  readonly reference?: Decimal | undefined;
  /** Price of the last trade, which triggers stops. */
  readonly last?: Decimal | undefined;
  /** Undefined for visitors and until balances are loaded. */
  readonly baseAvailable?: Decimal | undefined;
  readonly quoteAvailable?: Decimal | undefined;
  /** Number of the user's open orders of the pair; undefined until loaded. */
  readonly openOrders?: { readonly resting: number; readonly waiting: number } | undefined;
}

/** An empty ticket, with an initial limit price if given. */
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

/** The ticket after its order was placed: amounts are cleared, prices and choices stay. */
export function afterPlacing(ticket: Ticket): Ticket {
  return { ...ticket, amount: '', total: '' };
}

/** Inputs and choices of the ticket's kind and side. */
export function ticketFields({ type, side }: Ticket): KindFields {
  return fieldsOf(type, side);
}

/** Whether the order is placed with exits. */
export function hasExits(ticket: Ticket): boolean {
  return ticket.hasExits && ticketFields(ticket).canHaveExits;
}

/** Effective time in force; an OCO is always GTC. */
export function timeInForceOf(ticket: Ticket): TimeInForce {
  const { timesInForce } = ticketFields(ticket);
  return timesInForce.includes(ticket.timeInForce) ? ticket.timeInForce : (timesInForce[0] ?? 'GTC');
}

/** Expiry choices that the pair's maximum lifetime allows. */
export function expiriesOf(pair: TicketPair): readonly Expiry[] {
  const { maxLifetimeMs } = pair.filters;
  const lengths = Object.keys(EXPIRY_MS) as (keyof typeof EXPIRY_MS)[];
  return [...lengths.filter((name) => EXPIRY_MS[name] <= maxLifetimeMs), 'own'];
}

/** Expiry time in milliseconds UTC if placed at `now` (milliseconds UTC); undefined unless GTT. */
export function expireAtOf(ticket: Ticket, now: number): number | undefined {
  if (timeInForceOf(ticket) !== 'GTT') return undefined;
  return ticket.expiry === 'own' ? ticket.ownExpiry : now + EXPIRY_MS[ticket.expiry];
}
