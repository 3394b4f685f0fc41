import type { Side } from '@exchange/core/pair.ts';
import type { OrderType, StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import {
  resultingType,
  isStop as isStopType,
  defaultDirection as usualDirectionOf,
} from '@exchange/core/stop.ts';

/** What a ticket can place: a single order of any type, or an OCO. */
export type TicketKind = OrderType | 'oco';

/** All kinds in the order in which tickets offer them. */
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

/** Inputs and choices of a kind. */
export interface KindFields {
  /** A limit price; for an OCO the price of its limit leg. */
  readonly hasPrice: boolean;
  readonly hasStopPrice: boolean;
  /** Optional limit price of an OCO's stop leg. */
  readonly hasStopLimitPrice: boolean;
  /** Whether the kind has a trailing distance. */
  readonly hasTrail: boolean;
  /** Whether the trigger's direction can be chosen. */
  readonly hasDirection: boolean;
  /** Whether the user sizes the order by amount or by total (`by`); otherwise each follows from the other. */
  readonly choosesTotal: boolean;
  /** The first is the default; empty when there is no choice. */
  readonly timesInForce: readonly TimeInForce[];
  readonly canPostOnly: boolean;
  /** Whether take-profit and stop-loss can be attached. */
  readonly canHaveExits: boolean;
}

const LIMIT_TIMES: readonly TimeInForce[] = ['GTC', 'GTT', 'IOC', 'FOK'];
const MARKET_TIMES: readonly TimeInForce[] = ['IOC', 'FOK'];

/** Inputs of a kind on a side. A sale can be sized by total only as a market order; waiting sales have an amount. */
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

/** Whether a kind waits for the last price to reach a trigger; an OCO does through its stop leg. */
export function isStop(type: TicketKind): boolean {
  return type === 'oco' || isStopType(type);
}

/** Default direction of the trigger. */
export function usualDirection(type: TicketKind, side: Side): StopDirection {
  return usualDirectionOf(type === 'oco' ? 'stopMarket' : type, side);
}
