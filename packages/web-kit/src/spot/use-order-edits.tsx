import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import type { LineField } from '../chart/price-lines.ts';
import type { MarketPair } from '../market/pair.ts';
import { notify } from '../notify.ts';
import { useCancelOrder } from './actions.ts';
import { amendableExits } from './amend-exits.ts';
import { amendableFields } from './amend-form.ts';
import { OrderMoves, useOrderMoves, withMoves } from './order-moves.tsx';
import { useCancelledSentences } from './order-words.ts';
import { useOpenOrders } from './queries.ts';
import type { Order } from './shapes.ts';

/** The user's changes of open orders in a view that draws the orders at their prices: the chart or the price ladder. */
interface OrderEdits {
  /** Open orders of the pair with their current values. */
  readonly openOrders: readonly Order[];
  /** Open orders with the pending changes applied. */
  readonly orders: readonly Order[];
  /**
   * Returns whether the price in `field` of the order with this ID can be changed by dragging; false if the
   * order is no longer open.
   */
  readonly canMove: (id: string, field: LineField) => boolean;
  /** Makes a change of an order's price pending; it is sent after a few seconds in which the user can undo it. */
  readonly move: (id: string, field: LineField, price: string) => void;
  /** Cancels an order at once and shows the outcome in a notification. */
  readonly cancel: (id: string) => void;
  /** Element that lists the pending changes, with buttons to undo or send each. */
  readonly notice: ReactNode;
}

const NO_ORDERS: readonly Order[] = [];

/** Lets the user change and cancel the open orders of a pair where they are drawn at their prices. */
export function useOrderEdits(pair: MarketPair): OrderEdits {
  const sentences = useCancelledSentences();
  const latestSentences = useRef(sentences);
  useEffect(() => {
    latestSentences.current = sentences;
  });
  const openOrders = useOpenOrders({ baseCoin: pair.base, quoteCoin: pair.quote }).data ?? NO_ORDERS;
  const { moves, move: moveOrder, end } = useOrderMoves();
  const { mutateAsync: cancelOrder } = useCancelOrder();
  const orderOf = useCallback((id: string) => openOrders.find((order) => order.id === id), [openOrders]);

  const canMove = useCallback(
    (id: string, field: LineField): boolean => {
      const order = orderOf(id);
      return order !== undefined && movableFields(order).includes(field);
    },
    [orderOf],
  );
  const move = useCallback(
    (id: string, field: LineField, price: string): void => {
      const order = orderOf(id);
      if (order !== undefined) moveOrder(order, field, price);
    },
    [orderOf, moveOrder],
  );
  const cancel = useCallback(
    (id: string): void => {
      const cancelOne = async (): Promise<void> => {
        try {
          const order = orderOf(id);
          const cancelled = await cancelOrder(id);
          if (order !== undefined) notify.success(latestSentences.current.one(order, cancelled));
        } catch (failure) {
          notify.failure(failure);
        }
      };
      end(id);
      void cancelOne();
    },
    [orderOf, cancelOrder, end],
  );

  return {
    openOrders,
    orders: useMemo(() => withMoves(openOrders, moves), [openOrders, moves]),
    canMove,
    move,
    cancel,
    notice: <OrderMoves moves={moves} end={end} pair={pair} orders={openOrders} />,
  };
}

/** Returns the names of the price fields of an order that the user can change by dragging. */
function movableFields(order: Order): readonly LineField[] {
  const fields: readonly string[] = [...amendableFields(order), ...amendableExits(order)];
  return (['price', 'stopPrice', 'takeProfitPrice', 'stopLossPrice'] as const).filter((field) =>
    fields.includes(field),
  );
}
