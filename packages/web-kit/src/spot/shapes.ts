import type { OrderType } from '@exchange/core/spot.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { Fill, Order } from '@exchange/wire/feed.ts';
import { ORDER_STATUS, type createOco, type orderDetail } from '@exchange/wire/spot.ts';
import { ownKeys } from '../session/own-key.ts';

export type { Fill, Order };

/** An order with its rates, fills (newest last) and amendments (oldest first). */
export type OrderDetail = DataOf<typeof orderDetail>;

/** Both legs of an OCO as they were placed. */
export type PlacedOco = DataOf<typeof createOco>;

/** Which orders or fills; a field left out does not narrow. */
export interface OrderFilter {
  readonly baseCoin?: string | undefined;
  readonly quoteCoin?: string | undefined;
  readonly tradeType?: '1' | '2' | undefined;
  readonly orderType?: OrderType | undefined;
  /** Milliseconds UTC, both ends included. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Which orders a cancellation of all means; a field left out does not narrow. */
export type CancelFilter = Pick<OrderFilter, 'baseCoin' | 'quoteCoin' | 'tradeType'>;

/** Finished orders, cancelled orders, or both when left out. */
export interface HistoryFilter extends OrderFilter {
  readonly status?: 'finished' | 'cancelled' | undefined;
}

/** Whether an order is still on the book, or waits to be. */
export function isOpen({ status }: Pick<Order, 'status'>): boolean {
  return status === ORDER_STATUS.open || status === ORDER_STATUS.partlyFilled;
}

/** Whether an order is a stop that has not triggered. */
export function isWaiting({ stopStatus }: Pick<Order, 'stopStatus'>): boolean {
  return stopStatus === 'waiting';
}

/** Whether all that was asked for has traded. */
export function isFilled({ status }: Pick<Order, 'status'>): boolean {
  return status === ORDER_STATUS.filled;
}

/** Orders, fills and fees in the cache. */
export const SPOT = ownKeys('spot');
