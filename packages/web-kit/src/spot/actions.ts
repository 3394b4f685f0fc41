import { cancelAllOrders, cancelOrder, createOrder } from '@exchange/wire/spot.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { CallFailed } from '../api/call-error.ts';
import { queryClient } from '../api/query-client.ts';
import type { Order } from './queries.ts';
import type { OrderPayload } from './ticket-form.ts';

/** A placement: what to place, and the key under which a repetition is the same order. */
export interface Placement {
  readonly payload: OrderPayload;
  readonly clientId: string;
}

/**
 * Places an order. Where no answer came, it asks once more with the same key: the order is then placed once,
 * whichever of the two arrived.
 */
export function usePlaceOrder() {
  return useMutation({
    mutationFn: ({ payload, clientId }: Placement): Promise<Order> =>
      call(createOrder, payload, { clientId }),
    retry: (failures, error) => error instanceof CallFailed && failures < 1,
    onSettled: askForOrders,
  });
}

/** Cancels one order by its id. */
export function useCancelOrder() {
  return useMutation({
    mutationFn: (id: string): Promise<Order> => call(cancelOrder, { id }),
    onSettled: askForOrders,
  });
}

/** Cancels all open orders, of one pair when named. Gives how many. */
export function useCancelAllOrders() {
  return useMutation({
    mutationFn: (pair: { baseCoin?: string; quoteCoin?: string }) => call(cancelAllOrders, pair),
    onSettled: askForOrders,
  });
}

function askForOrders(): void {
  void queryClient.invalidateQueries({ queryKey: ['spot'] });
}
