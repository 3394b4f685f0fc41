import type { OrderType } from '@exchange/core/spot.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { Fill, Order } from '@exchange/wire/feed.ts';
import { ORDER_STATUS, type createOco, type orderDetail } from '@exchange/wire/spot.ts';

export type { Fill, Order };

/** An order with its fee rates, its newest fills (newest first) and its newest amendments (oldest first). */
export type OrderDetail = DataOf<typeof orderDetail>;

/** The response to placing an OCO: both legs. */
export type PlacedOco = DataOf<typeof createOco>;

/** Filter of orders or fills; an omitted field excludes nothing. */
export interface OrderFilter {
  readonly baseCoin?: string | undefined;
  readonly quoteCoin?: string | undefined;
  readonly tradeType?: '1' | '2' | undefined;
  readonly orderType?: OrderType | undefined;
  /** Beginning of the period in milliseconds UTC; `endTime` is its end. Both times belong to the period. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Selects which open orders `cancelAllOrders` cancels; an omitted field excludes nothing. */
export type CancelFilter = Pick<OrderFilter, 'baseCoin' | 'quoteCoin' | 'tradeType'>;

/** Filter of the order history; without `status`, the server also returns open orders. */
export interface HistoryFilter extends OrderFilter {
  readonly status?: 'finished' | 'cancelled' | undefined;
}

/**
 * Returns true for an order on the book, for a stop that has not triggered, and for an order that waits until
 * the working order of its OTO is filled.
 */
export function isOpen({ status }: Pick<Order, 'status'>): boolean {
  return status === ORDER_STATUS.open || status === ORDER_STATUS.partlyFilled;
}

/**
 * Returns true for a stop that has not triggered, and for an order that waits until the working order of its
 * OTO is filled.
 */
export function isWaiting(order: Pick<Order, 'stopStatus' | 'listRole'>): boolean {
  return order.stopStatus === 'waiting' || isPending(order);
}

/**
 * Returns true for an order of an OTO that waits until the working order is filled. Also true for an order
 * that was cancelled or ended otherwise while it was waiting.
 */
export function isPending({ listRole }: Pick<Order, 'listRole'>): boolean {
  return listRole === 'pending';
}

/** Returns whether an order belongs to an OTO or OTOCO. */
export function isOfOto(order: Pick<Order, 'listRole'>): boolean {
  return endsItsList(order) || order.listRole === 'released';
}

/** Returns true if cancelling the order cancels all orders of its OTO or OTOCO. */
export function endsItsList({ listRole }: Pick<Order, 'listRole'>): boolean {
  return listRole === 'working' || listRole === 'pending';
}

/** Returns whether a spot order is filled completely. */
export function isFilled({ status }: Pick<Order, 'status'>): boolean {
  return status === ORDER_STATUS.filled;
}
