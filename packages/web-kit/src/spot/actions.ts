import { amendOrder, cancelAllOrders, cancelOrder, createOco, createOrder } from '@exchange/wire/spot.ts';
import { useMutation } from '@tanstack/react-query';
import { refetchActive, queryClient } from '../api/query-client.ts';
import { CallRefused, call, retryOnce } from '../api/client.ts';
import { refetchBalances } from '../balance/balances.ts';
import { receivesPrivateTopic } from '../feed/feed.ts';
import { PAIRS_KEY } from '../market/pair-updates.ts';
import { SPOT } from '../market/spot-keys.ts';
import type { AmendPayload } from './amend-form.ts';
import type { CancelFilter, Order, PlacedOco } from './shapes.ts';
import type { OcoPayload, OrderPayload } from './ticket-payload.ts';

/** A request with its idempotency key; a repetition of the request uses the same key. */
export interface KeyedRequest<Payload> {
  readonly payload: Payload;
  readonly clientId: string;
}

export function usePlaceOrder() {
  return useMutation({
    mutationFn: ({ payload, clientId }: KeyedRequest<OrderPayload>): Promise<Order> =>
      retryOnce((timeoutMs) => call(createOrder, payload, { clientId, timeoutMs })),
    onSettled: refetchOrders,
  });
}

/**
 * Places an OCO: a limit order and a stop. As soon as the limit order trades, even in part, or the stop triggers, the
 * exchange cancels the other one.
 */
export function useCreateOco() {
  return useMutation({
    mutationFn: ({ payload, clientId }: KeyedRequest<OcoPayload>): Promise<PlacedOco> =>
      retryOnce((timeoutMs) => call(createOco, payload, { clientId, timeoutMs })),
    onSettled: refetchOrders,
  });
}

/** Amends a limit order in the order book or a stop that has not triggered. Resolves to the amended order. */
export function useAmendOrder() {
  return useMutation({
    mutationFn: ({ payload, clientId }: KeyedRequest<AmendPayload>): Promise<Order> =>
      retryOnce((timeoutMs) => call(amendOrder, payload, { clientId, timeoutMs })),
    onSettled: refetchOrders,
  });
}

/**
 * Cancels an order by its ID. If the order is a leg of an OCO, the exchange cancels the other leg too; if it is a
 * working or pending order of an OTO, all orders of the OTO.
 */
export function useCancelOrder() {
  return useMutation({
    mutationFn: (id: string): Promise<Order> => call(cancelOrder, { id }),
    onSettled: refetchOrders,
  });
}

/**
 * Cancels all of the user's open orders that match the filter, including stops that have not triggered. Resolves to the
 * number of cancelled orders, in `count`.
 */
export function useCancelAllOrders() {
  return useMutation({
    mutationFn: (filter: CancelFilter) => call(cancelAllOrders, filter),
    onSettled: refetchOrders,
  });
}

/** Keys of refusals which show that the pair's trading status, as cached in the page, is outdated. */
const HALTED: ReadonlySet<string | undefined> = new Set(['l.pair_closed', 'l.pair_cancel_only']);

/**
 * Called after an action on orders. If the action failed or the feed topic `order` is not received, refetches
 * the displayed orders, fills and fee tier; otherwise the feed updates them, and only an outdated fee tier is
 * refetched. If the action failed or the topic `asset` is not received, refetches the balances. A refusal in
 * `HALTED` also refetches the pairs.
 */
function refetchOrders(_done: unknown, error: Error | null): void {
  if (error === null && receivesPrivateTopic('order')) {
    void queryClient.refetchQueries({ queryKey: SPOT.forCurrentUser('fees'), type: 'active', stale: true });
  } else {
    refetchActive(SPOT.forCurrentUser());
  }
  if (error !== null || !receivesPrivateTopic('asset')) refetchBalances();
  if (error instanceof CallRefused && HALTED.has(error.errKey)) {
    void queryClient.invalidateQueries({ queryKey: PAIRS_KEY });
  }
}
