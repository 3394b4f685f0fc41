import type { Side } from '@exchange/core/pair.ts';
import type { OrderType, StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import {
  resultingType,
  isStop as isStopType,
  defaultDirection as usualDirectionOf,
} from '@exchange/core/stop.ts';

/** What an order ticket can place: a single order of any type, or an OCO. */
export type TicketKind = OrderType | 'oco';

/** All order types and OCO, in the sequence in which order tickets offer them. */
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

/** Which inputs and choices an order ticket shows for an order type and a side. */
export interface KindFields {
  /** True if the ticket has a limit price; for an OCO it is the price of the limit leg. */
  readonly hasPrice: boolean;
  readonly hasStopPrice: boolean;
  /** True if the ticket has the optional limit price of an OCO's stop leg. */
  readonly hasStopLimitPrice: boolean;
  /** True if the ticket has the distance of a trailing stop. */
  readonly hasTrail: boolean;
  /** True if the user can choose in which direction the last price must cross the trigger. */
  readonly hasDirection: boolean;
  /**
   * True if the user chooses whether the order is sized by amount or by total (`by`). If false, the ticket calculates
   * each of them from the other.
   */
  readonly choosesTotal: boolean;
  /** Times in force that the user can select, the default first; empty if there is no choice. */
  readonly timesInForce: readonly TimeInForce[];
  readonly canPostOnly: boolean;
  /** Whether the user can attach take-profit and stop-loss to the order. */
  readonly canHaveExits: boolean;
}

const LIMIT_TIMES: readonly TimeInForce[] = ['GTC', 'GTT', 'IOC', 'FOK'];
const MARKET_TIMES: readonly TimeInForce[] = ['IOC', 'FOK'];

/**
 * Returns the inputs of an order ticket for an order type and side. Only market orders, and buy orders that
 * are executed as market orders after their trigger, can be sized by total; all others are sized by amount.
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

/**
 * Returns whether an order of this type waits until the last price reaches a trigger; true also for an OCO,
 * whose stop leg waits.
 */
export function isStop(type: TicketKind): boolean {
  return type === 'oco' || isStopType(type);
}

/**
 * Returns the direction in which the last price must cross an order's trigger if the user has not chosen a
 * direction.
 */
export function usualDirection(type: TicketKind, side: Side): StopDirection {
  return usualDirectionOf(type === 'oco' ? 'stopMarket' : type, side);
}
