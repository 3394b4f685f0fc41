import { create } from 'zustand';
import { onUserChange } from '../session/user-keys.ts';
import type { OrderCommand } from './order-command.ts';

const usePrepared = create<{ readonly order: OrderCommand | undefined }>(() => ({ order: undefined }));
// Removes the prepared order when another user signs in or the user signs out, because it belongs to the user who typed
// it.
onUserChange(() => usePrepared.setState({ order: undefined }));

/** Stores an order with which the order ticket of its pair is filled next. The user places the order there. */
export function prepareOrder(order: OrderCommand): void {
  usePrepared.setState({ order });
}

/** Removes the prepared order after a ticket was filled with it. */
export function consumePreparedOrder(order: OrderCommand): void {
  if (usePrepared.getState().order === order) usePrepared.setState({ order: undefined });
}

/** The prepared order of a pair; undefined if there is none, or a ticket has already been filled with it. */
export function usePreparedOrder(symbol: string): OrderCommand | undefined {
  return usePrepared(({ order }) => (order?.pair.symbol === symbol ? order : undefined));
}
