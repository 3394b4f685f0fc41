import type { Side } from '@exchange/core/pair.ts';
import type { OrderType, StopDirection, TimeInForce } from '@exchange/core/spot.ts';
import { becomes, isStop as isStopType, usualDirection as usualDirectionOf } from '@exchange/core/stop.ts';

/** What a ticket can place: one order of any type, or a pair of which one cancels the other. */
export type TicketKind = OrderType | 'oco';

/** All kinds, in the order in which tickets offer them. */
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

/** Which inputs belong to a kind, and which choices it leaves. */
export interface KindFields {
  /** A limit price; of an OCO, the one of its limit leg. */
  readonly hasPrice: boolean;
  readonly hasStopPrice: boolean;
  /** An OCO's stop leg may become a limit order: optional. */
  readonly hasStopLimitPrice: boolean;
  /** The distance of a trailing stop. */
  readonly hasTrail: boolean;
  /** Whether the way of the trigger can be chosen. */
  readonly hasDirection: boolean;
  /** Whether amount or total is chosen with `by`, instead of one following from the other. */
  readonly choosesTotal: boolean;
  /** Empty where there is nothing to choose; else the first is the usual one. */
  readonly timesInForce: readonly TimeInForce[];
  readonly canPostOnly: boolean;
  /** Whether take-profit and stop-loss can be attached. */
  readonly canHaveExits: boolean;
}

const LIMIT_TIMES: readonly TimeInForce[] = ['GTC', 'GTT', 'IOC', 'FOK'];
const MARKET_TIMES: readonly TimeInForce[] = ['IOC', 'FOK'];

/** The inputs of a kind on a side. Only a market sale may name its total: a waiting one sells an amount. */
export function fieldsOf(type: TicketKind, side: Side): KindFields {
  const isOco = type === 'oco';
  const hasPrice = isOco || becomes(type) === 'limit';
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

/** Whether a kind waits for the last price; of an OCO, its stop leg does. */
export function isStop(type: TicketKind): boolean {
  return type === 'oco' || isStopType(type);
}

/** The way the last price must go through the stop where none was chosen. */
export function usualDirection(type: TicketKind, side: Side): StopDirection {
  return usualDirectionOf(type === 'oco' ? 'stopMarket' : type, side);
}
