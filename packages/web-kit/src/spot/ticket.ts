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

/**
 * The values that the user has typed or chosen in an order ticket. Texts are plain decimals or
 * empty.
 */
export interface Ticket {
  readonly side: Side;
  readonly type: TicketKind;
  /** Limit price; for an OCO the price of its limit leg. */
  readonly price: string;
  /** Trigger price of a stop. */
  readonly stopPrice: string;
  /** Limit price of an OCO's stop leg; empty if that leg is a market order. */
  readonly stopLimitPrice: string;
  /** A trailing stop's distance in percent: `1.5`. */
  readonly trail: string;
  /** Price at which a trailing stop starts to follow the market; empty to start immediately. */
  readonly activation: string;
  /** Whether take-profit and stop-loss are attached; their prices are empty when not wanted. */
  readonly hasExits: boolean;
  readonly takeProfit: string;
  readonly stopLoss: string;
  /** Limit price of the stop-loss; empty if it executes at market. */
  readonly stopLossLimit: string;
  /**
   * Whether take-profit and stop-loss are typed as prices, or as percentages from which their prices are
   * calculated.
   */
  readonly exitsBy: 'price' | 'percent';
  /** Distance of the take-profit from the entry price in percent, without a sign: `5`. */
  readonly takeProfitPercent: string;
  readonly stopLossPercent: string;
  readonly amount: string;
  readonly total: string;
  /** Which of amount and total was typed last; the other is calculated when a price is known. */
  readonly by: 'amount' | 'total';
  readonly postOnly: boolean;
  /** The chosen time in force; one that the order type does not allow is replaced by the type's default. */
  readonly timeInForce: TimeInForce;
  /**
   * Direction in which the last price must cross the trigger; empty for the default of order type and side.
   */
  readonly direction: '' | StopDirection;
  readonly expiry: Expiry;
  /** Custom expiry time of a GTT order in milliseconds UTC. */
  readonly ownExpiry: number | undefined;
  readonly stp: SelfTradeMode;
}

/** Data of a pair that an order ticket needs. */
export interface TicketPair extends Pair {
  readonly filters: PairFilters;
  readonly status: PairStatus;
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
}

/** Current market and account data that an order ticket needs. */
export interface TicketMarket {
  readonly pair: TicketPair;
  readonly bestBid?: Decimal | undefined;
  readonly bestAsk?: Decimal | undefined;
  /** The index price, or the last price when there is no index. */
  readonly reference?: Decimal | undefined;
  /** Price of the last trade, which triggers stops. */
  readonly last?: Decimal | undefined;
  /** Available balance in the base coin; undefined for visitors and until balances are loaded. */
  readonly baseAvailable?: Decimal | undefined;
  readonly quoteAvailable?: Decimal | undefined;
  /** Number of the user's open orders of the pair; undefined until loaded, and for visitors. */
  readonly openOrders?: { readonly resting: number; readonly waiting: number } | undefined;
}

/** An empty order ticket, with an initial limit price if given. */
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

/** The order ticket after its order was placed: amounts are cleared, prices and choices stay. */
export function afterPlacing(ticket: Ticket): Ticket {
  return { ...ticket, amount: '', total: '' };
}

/** Inputs and choices that the ticket has for its order type and side. */
export function ticketFields({ type, side }: Ticket): KindFields {
  return fieldsOf(type, side);
}

/** Whether the ticket's order is placed with a take-profit or stop-loss. */
export function hasExits(ticket: Ticket): boolean {
  return ticket.hasExits && ticketFields(ticket).canHaveExits;
}

/** Time in force with which the ticket's order is placed; an OCO is always GTC. */
export function timeInForceOf(ticket: Ticket): TimeInForce {
  const { timesInForce } = ticketFields(ticket);
  return timesInForce.includes(ticket.timeInForce) ? ticket.timeInForce : (timesInForce[0] ?? 'GTC');
}

/** Lifetimes of a GTT order that the pair's limit allows, and `own`. */
export function expiriesOf(pair: TicketPair): readonly Expiry[] {
  const { maxLifetimeMs } = pair.filters;
  const lengths = Object.keys(EXPIRY_MS) as (keyof typeof EXPIRY_MS)[];
  return [...lengths.filter((name) => EXPIRY_MS[name] <= maxLifetimeMs), 'own'];
}

/**
 * Expiry time in milliseconds UTC of the ticket's order if placed at `now`; undefined unless GTT, and for
 * `own` until a time is chosen.
 */
export function expireAtOf(ticket: Ticket, now: number): number | undefined {
  if (timeInForceOf(ticket) !== 'GTT') return undefined;
  return ticket.expiry === 'own' ? ticket.ownExpiry : now + EXPIRY_MS[ticket.expiry];
}
