import { create } from 'zustand';
import { onUserChange } from '../session/user-keys.ts';
import type { OrderCommand } from './order-command.ts';

const usePrepared = create<{ readonly order: OrderCommand | undefined }>(() => ({ order: undefined }));
// A prepared order belongs to the user who typed it.
onUserChange(() => usePrepared.setState({ order: undefined }));

/** Stores an order that the ticket of its pair shows next. The user places it there. */
export function prepareOrder(order: OrderCommand): void {
  usePrepared.setState({ order });
}

/** Removes a prepared order that a ticket has applied. */
export function consumePreparedOrder(order: OrderCommand): void {
  if (usePrepared.getState().order === order) usePrepared.setState({ order: undefined });
}

/** The prepared order of a pair that no ticket has applied yet. */
export function usePreparedOrder(symbol: string): OrderCommand | undefined {
  return usePrepared(({ order }) => (order?.pair.symbol === symbol ? order : undefined));
}
