import type { Decimal } from '@exchange/core/decimal.ts';
import type { Pair, PairFilters, PairStatus, Side } from '@exchange/core/pair.ts';
import type { StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import type { SELF_TRADE_MODES } from '@exchange/wire/spot.ts';
import { fieldsOf, type KindFields, type TicketKind } from './order-kinds.ts';

export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];

/** Time from placement to expiry of a GTT order, or `own` for an expiry time that the user enters. */
export type Expiry = keyof typeof EXPIRY_MS | 'own';

export const EXPIRY_MS = { '1h': HOUR_MS, '1d': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;

/**
 * The values that the user has typed or chosen in an order ticket. Texts of numbers are as typed, so they can be empty
 * or no valid number.
 */
export interface Ticket {
  readonly side: Side;
  readonly type: TicketKind;
  /** Limit price of the order; for an OCO the price of its limit leg. */
  readonly price: string;
  /** Trigger price of a stop or of an OCO's stop leg. */
  readonly stopPrice: string;
  /** Limit price of an OCO's stop leg; empty if that leg is a market order. */
  readonly stopLimitPrice: string;
  /** Distance of a trailing stop in percent: `1.5` is 1.5 %. */
  readonly trail: string;
  /** Price at which a trailing stop begins to follow the market price; if empty, it begins immediately. */
  readonly activation: string;
  /** Whether take-profit and stop-loss are switched on; the price of either is empty if the user does not want it. */
  readonly hasExits: boolean;
  readonly takeProfit: string;
  readonly stopLoss: string;
  /** Limit price of the stop-loss; empty if the stop-loss is executed as a market order. */
  readonly stopLossLimit: string;
  /**
   * Whether the user types take-profit and stop-loss as prices, or as percentages of the entry price from which the
   * prices are calculated.
   */
  readonly exitsBy: 'price' | 'percent';
  /** Distance between take-profit and entry price in percent of the entry price, without a sign: `5` is 5 %. */
  readonly takeProfitPercent: string;
  readonly stopLossPercent: string;
  readonly amount: string;
  readonly total: string;
  /**
   * Whether the order's size is the amount or the total: the one that the user has typed last, or that the user has
   * selected for an order type that can be sized by either. The other value is calculated from it once a price is
   * known.
   */
  readonly by: 'amount' | 'total';
  readonly postOnly: boolean;
  /**
   * The time in force that the user has chosen; if the order type does not allow it, the order is placed with the
   * default of its type.
   */
  readonly timeInForce: TimeInForce;
  /** Direction in which the last price must cross the trigger; if empty, the default of order type and side applies. */
  readonly direction: '' | StopDirection;
  readonly expiry: Expiry;
  /**
   * Expiry time that the user has entered for a GTT order, in milliseconds UTC; undefined until entered, and
   * unless `expiry` is `own`.
   */
  readonly ownExpiry: number | undefined;
  readonly stp: SelfTradeMode;
}

/** The data of a pair that an order ticket uses. */
export interface TicketPair extends Pair {
  readonly filters: PairFilters;
  readonly status: PairStatus;
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
}

/**
 * Current market and account data that an order ticket uses. A price is undefined while it is unknown; the best bid or
 * ask also while the book has no orders on that side.
 */
export interface TicketMarket {
  readonly pair: TicketPair;
  readonly bestBid?: Decimal | undefined;
  readonly bestAsk?: Decimal | undefined;
  /**
   * The index price of the pair, or the last price while no index price is known; undefined while both are
   * unknown.
   */
  readonly reference?: Decimal | undefined;
  /** Price of the last trade; stops trigger by this price. */
  readonly last?: Decimal | undefined;
  /** Available balance in the base coin; undefined for visitors and until the balances have loaded. */
  readonly baseAvailable?: Decimal | undefined;
  readonly quoteAvailable?: Decimal | undefined;
  /**
   * Numbers of the user's open orders of the pair, on the book (`resting`) and waiting for a trigger or
   * another order (`waiting`); undefined for visitors and until loaded.
   */
  readonly openOrders?: { readonly resting: number; readonly waiting: number } | undefined;
}

/** Returns an empty order ticket for a side and an order type; `price` is its initial limit price. */
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

/** Returns the ticket after its order was placed: amount and total are emptied, prices and choices stay. */
export function afterPlacing(ticket: Ticket): Ticket {
  return { ...ticket, amount: '', total: '' };
}

/** Returns the inputs and choices that the ticket shows for its order type and side. */
export function ticketFields({ type, side }: Ticket): KindFields {
  return fieldsOf(type, side);
}

/**
 * Returns whether the ticket's order is placed with take-profit or stop-loss: they are switched on and the
 * order type allows them.
 */
export function hasExits(ticket: Ticket): boolean {
  return ticket.hasExits && ticketFields(ticket).canHaveExits;
}

/**
 * Returns the time in force with which the ticket's order is placed: the chosen one if the order type allows
 * it, otherwise the default of the type. An OCO is always GTC.
 */
export function timeInForceOf(ticket: Ticket): TimeInForce {
  const { timesInForce } = ticketFields(ticket);
  return timesInForce.includes(ticket.timeInForce) ? ticket.timeInForce : (timesInForce[0] ?? 'GTC');
}

/** Returns the lifetimes of a GTT order up to the maximum lifetime of the pair, and `own`. */
export function expiriesOf(pair: TicketPair): readonly Expiry[] {
  const { maxLifetimeMs } = pair.filters;
  const lengths = Object.keys(EXPIRY_MS) as (keyof typeof EXPIRY_MS)[];
  return [...lengths.filter((name) => EXPIRY_MS[name] <= maxLifetimeMs), 'own'];
}

/**
 * Returns the expiry time in milliseconds UTC of the ticket's order if it is placed at `now`; undefined if
 * the order is not GTT, and for `own` until the user has entered a time.
 */
export function expireAtOf(ticket: Ticket, now: number): number | undefined {
  if (timeInForceOf(ticket) !== 'GTT') return undefined;
  return ticket.expiry === 'own' ? ticket.ownExpiry : now + EXPIRY_MS[ticket.expiry];
}
