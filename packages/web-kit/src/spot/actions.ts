import { amendOrder, cancelAllOrders, cancelOrder, createOco, createOrder } from '@exchange/wire/spot.ts';
import { useMutation } from '@tanstack/react-query';
import { askAnew, queryClient } from '../api/query-client.ts';
import { CallRefused, call, onceMore } from '../api/client.ts';
import { askForBalances } from '../balance/balances.ts';
import { receivesOwn } from '../feed/feed.ts';
import { PAIRS_KEY } from '../market/pair-updates.ts';
import type { AmendPayload } from './amend-form.ts';
import { type CancelFilter, type Order, type PlacedOco, SPOT } from './shapes.ts';
import type { OcoPayload, OrderPayload } from './ticket-payload.ts';

/** What to do, and the key under which a repetition is the same deed. */
export interface Keyed<Payload> {
  readonly payload: Payload;
  readonly clientId: string;
}

/** Places an order. */
export function usePlaceOrder() {
  return useMutation({
    mutationFn: ({ payload, clientId }: Keyed<OrderPayload>): Promise<Order> =>
      onceMore((timeoutMs) => call(createOrder, payload, { clientId, timeoutMs })),
    onSettled: askForOrders,
  });
}

/** Places a limit order and a stop of which one cancels the other. */
export function useCreateOco() {
  return useMutation({
    mutationFn: ({ payload, clientId }: Keyed<OcoPayload>): Promise<PlacedOco> =>
      onceMore((timeoutMs) => call(createOco, payload, { clientId, timeoutMs })),
    onSettled: askForOrders,
  });
}

/** Changes price or amount of a limit order that rests on the book. Gives the order as it is now. */
export function useAmendOrder() {
  return useMutation({
    mutationFn: ({ payload, clientId }: Keyed<AmendPayload>): Promise<Order> =>
      onceMore((timeoutMs) => call(amendOrder, payload, { clientId, timeoutMs })),
    onSettled: askForOrders,
  });
}

/** Cancels one order by its id; an OCO's other leg goes with it. */
export function useCancelOrder() {
  return useMutation({
    mutationFn: (id: string): Promise<Order> => call(cancelOrder, { id }),
    onSettled: askForOrders,
  });
}

/** Cancels all open orders and waiting stops, of one pair or one side when named. Gives how many. */
export function useCancelAllOrders() {
  return useMutation({
    mutationFn: (filter: CancelFilter) => call(cancelAllOrders, filter),
    onSettled: askForOrders,
  });
}

/** Refusals that say that a halt is not known here yet. */
const HALTED: ReadonlySet<string | undefined> = new Set(['l.pair_closed', 'l.pair_cancel_only']);

/**
 * Refreshes what an action on orders changed. The private feed does so by itself after an accepted action: orders and
 * balances are requested here only where it does not arrive or the action failed.
 */
function askForOrders(_done: unknown, error: Error | null): void {
  if (error === null && receivesOwn('order')) {
    void queryClient.refetchQueries({ queryKey: SPOT.now('fees'), type: 'active', stale: true });
  } else {
    askAnew(SPOT.now());
  }
  if (error !== null || !receivesOwn('asset')) askForBalances();
  if (error instanceof CallRefused && HALTED.has(error.errKey)) {
    void queryClient.invalidateQueries({ queryKey: PAIRS_KEY });
  }
}
