import type { Side } from '@exchange/core/pair.ts';
import type { OrderType, StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import {
  resultingType,
  isStop as isStopType,
  defaultDirection as usualDirectionOf,
} from '@exchange/core/stop.ts';

/** The kinds of orders that an order ticket can place: a single order of any type, or an OCO. */
export type TicketKind = OrderType | 'oco';

/** All order types and OCO, in the sequence in which tickets offer them. */
export const TICKET_KINDS = [
  'limit',
  'market',
  'stopLimit',
  'stopMarket',
  'takeProfitLimit',
  'takeProfitMarket',
  'trailing',
  'oco',
] as const satisfies readonly TicketKind[];

/** Inputs and choices that an order ticket has for an order type. */
export interface KindFields {
  /** True for a limit price; for an OCO it is the price of the limit leg. */
  readonly hasPrice: boolean;
  readonly hasStopPrice: boolean;
  /** True for an optional limit price of an OCO's stop leg. */
  readonly hasStopLimitPrice: boolean;
  /** True for the distance of a trailing stop. */
  readonly hasTrail: boolean;
  /** True when the user can choose the direction in which the trigger must be crossed. */
  readonly hasDirection: boolean;
  /**
   * True when the user sizes the order either by amount or by total (`by`); otherwise each follows from the
   * other.
   */
  readonly choosesTotal: boolean;
  /** Selectable times in force, the default first; empty when there is no choice. */
  readonly timesInForce: readonly TimeInForce[];
  readonly canPostOnly: boolean;
  /** Whether take-profit and stop-loss can be attached. */
  readonly canHaveExits: boolean;
}

const LIMIT_TIMES: readonly TimeInForce[] = ['GTC', 'GTT', 'IOC', 'FOK'];
const MARKET_TIMES: readonly TimeInForce[] = ['IOC', 'FOK'];

/**
 * Inputs of an order ticket for an order type and side. A sell can be sized by total only as a market order;
 * waiting sells have an amount.
 */
export function fieldsOf(type: TicketKind, side: Side): KindFields {
  const isOco = type === 'oco';
  const hasPrice = isOco || resultingType(type) === 'limit';
  return {
    hasPrice,
    hasStopPrice: isOco || (isStopType(type) && type !== 'trailing'),
    hasStopLimitPrice: isOco,
    hasTrail: type === 'trailing',
    hasDirection: !isOco && isStopType(type) && type !== 'trailing',
    choosesTotal: !hasPrice && (type === 'market' || side === 'buy'),
    timesInForce: isOco ? [] : hasPrice ? LIMIT_TIMES : MARKET_TIMES,
    canPostOnly: hasPrice && !isOco,
    canHaveExits: type === 'limit' || type === 'market',
  };
}

/** Whether an order type waits for the last price to reach a trigger; an OCO does through its stop leg. */
export function isStop(type: TicketKind): boolean {
  return type === 'oco' || isStopType(type);
}

/** Default direction in which the last price must cross an order's trigger. */
export function usualDirection(type: TicketKind, side: Side): StopDirection {
  return usualDirectionOf(type === 'oco' ? 'stopMarket' : type, side);
}
