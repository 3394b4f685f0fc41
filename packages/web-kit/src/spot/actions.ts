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

/** A request with its idempotency key; a retry uses the same key. */
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

/** Places an OCO: a limit order and a stop, of which one cancels the other. */
export function useCreateOco() {
  return useMutation({
    mutationFn: ({ payload, clientId }: KeyedRequest<OcoPayload>): Promise<PlacedOco> =>
      retryOnce((timeoutMs) => call(createOco, payload, { clientId, timeoutMs })),
    onSettled: refetchOrders,
  });
}

/** Amends a limit order on the book or a waiting stop. Returns the order after the change. */
export function useAmendOrder() {
  return useMutation({
    mutationFn: ({ payload, clientId }: KeyedRequest<AmendPayload>): Promise<Order> =>
      retryOnce((timeoutMs) => call(amendOrder, payload, { clientId, timeoutMs })),
    onSettled: refetchOrders,
  });
}

/** Cancels an order by its id; cancelling an OCO leg cancels the other leg too. */
export function useCancelOrder() {
  return useMutation({
    mutationFn: (id: string): Promise<Order> => call(cancelOrder, { id }),
    onSettled: refetchOrders,
  });
}

/** Cancels all open orders that match the filter, waiting ones included. Resolves to their number, in `count`. */
export function useCancelAllOrders() {
  return useMutation({
    mutationFn: (filter: CancelFilter) => call(cancelAllOrders, filter),
    onSettled: refetchOrders,
  });
}

/** Refusal keys that show that the cached status of the pair is outdated. */
const HALTED: ReadonlySet<string | undefined> = new Set(['l.pair_closed', 'l.pair_cancel_only']);

/**
 * Refetches orders and balances after an action on orders, if the private feed does not arrive or the action
 * failed; otherwise the feed updates them.
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
