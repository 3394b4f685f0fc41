import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Instant } from '@exchange/core/time.ts';
import { eventKind } from '../../platform/events.ts';
import type { SpotOrder, StatusSet, mutableState } from './domain/order.ts';

/** A trade from the view of one of its two orders. */
export interface OrderFill {
  readonly tradeId: string;
  /** The number of the trade, counted over all pairs. */
  readonly sequence: number;
  readonly price: Decimal;
  readonly amount: Decimal;
  readonly total: Decimal;
  readonly fee: Decimal;
  readonly role: 'maker' | 'taker';
  readonly at: Instant;
}

/** An order was placed, changed, filled or ended: its state afterwards and the fills of this change. */
export interface OrderChanged {
  readonly order: SpotOrder;
  readonly state: ReturnType<typeof mutableState>;
  readonly fills: readonly OrderFill[];
}

export const orderChanged = eventKind<OrderChanged>('spot.orderChanged');

/**
 * Published when a TWAP order has changed, when an iceberg, a chase order or a grid has started, and when a ladder, an
 * iceberg, a chase order or a grid has ended.
 */
export interface AlgoChanged {
  readonly owner: UserId;
  readonly id: string;
  /** Whether a message to the algo order's owner about this change is queued in the database. */
  readonly hasNotice: boolean;
}

export const algoChanged = eventKind<AlgoChanged>('spot.algoChanged');

/** A trailing stop whose trigger price has moved; `price` is the new trigger price. */
export interface MovedTrailingStop {
  readonly id: OrderId;
  readonly owner: UserId;
  readonly pair: Pair;
  readonly price: Decimal;
}

/** Published when the trades of a command have moved the trigger prices of trailing stops. */
export const trailingMoved = eventKind<readonly MovedTrailingStop[]>('spot.trailingMoved');

export const pairStatusSet = eventKind<StatusSet>('spot.pairStatusSet');
