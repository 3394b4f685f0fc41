import { withUnit } from '@exchange/web-kit/format/decimals.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useCancelOrder } from '@exchange/web-kit/spot/actions.ts';
import { useCancelledSentences } from '@exchange/web-kit/spot/order-words.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { endsItsList } from '@exchange/web-kit/spot/shapes.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { ChevronRight, Pencil } from 'lucide-react';
import type { MouseEvent } from 'react';
import classes from './orders.module.css';

interface OrderButtonProps {
  readonly order: Order;
  readonly onPress: (order: Order) => void;
}

/**
 * Hook that returns a function that gives the words by which screen readers distinguish the buttons of
 * orders: side, amount or total, and price, trigger price or "market".
 */
function useOrderName() {
  const t = useWords('trade');
  const tOrders = useWords('orders');
  return ({ tradeType, amount, total, baseCoin, quoteCoin, price, stopPrice }: Order) => ({
    side: t(tradeType === 1 ? 'buy' : 'sell'),
    amount: amount === '' ? withUnit(total, quoteCoin) : withUnit(amount, baseCoin),
    price: price !== '' ? price : stopPrice !== '' ? stopPrice : tOrders('marketPrice'),
  });
}

/**
 * Button that cancels an order without a confirmation. For an order of an OCO the server also cancels the other order;
 * for the working or a pending order of an OTO it cancels all orders of the OTO.
 */
export function CancelButton({ order }: { readonly order: Order }) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const nameOf = useOrderName();
  const cancel = useCancelOrder();
  const sentences = useCancelledSentences();
  // The live feed often removes the cancelled order's row before the response arrives, so the notification
  // must not depend on this button being mounted.
  const cancelOrder = async (): Promise<void> => {
    try {
      const cancelled = await cancel.mutateAsync(order.id);
      notify.success(sentences.one(order, cancelled));
    } catch (failure) {
      // The cancellation failed because the order was filled or cancelled meanwhile, or because the request failed. The
      // notification says why, and the order list shows the order's present state.
      notify.failure(failure);
    }
  };
  const name = nameOf(order);
  const isOco = order.groupId !== '' && !endsItsList(order);
  const label = isOco ? tDesk('cancelOcoOf', name) : tOrders('cancelOrder', name);
  const ocoWarning = isOco ? tOrders('cancelOcoAsk') : undefined;
  const warning = endsItsList(order) ? tOrders('cancelOtoAsk') : ocoWarning;
  return (
    <Button
      look="quiet"
      size="s"
      busy={cancel.isPending}
      aria-label={label}
      title={warning}
      onClick={withoutRowClick(() => void cancelOrder())}
    >
      {tOrders('cancel')}
    </Button>
  );
}

/** Button that opens the dialog to amend an order. */
export function ChangeButton({ order, onPress }: OrderButtonProps) {
  const tOrders = useWords('orders');
  const nameOf = useOrderName();
  const label = tOrders('amendOrder', nameOf(order));
  return (
    <button
      type="button"
      className={classes.action}
      aria-label={label}
      title={tOrders('amend')}
      onClick={withoutRowClick(() => onPress(order))}
    >
      <Pencil size={14} aria-hidden="true" />
    </button>
  );
}

/**
 * Button that opens the order's details. A click on the table row opens them too, but the keyboard cannot reach the
 * row.
 */
export function DetailButton({ onPress }: { readonly onPress: () => void }) {
  const tOrders = useWords('orders');
  return (
    <button
      type="button"
      className={classes.action}
      aria-label={tOrders('detail')}
      title={tOrders('detail')}
      onClick={withoutRowClick(onPress)}
    >
      <ChevronRight size={16} aria-hidden="true" />
    </button>
  );
}

/**
 * Wraps the click handler of a button in a table row, so that a click on the button does not also trigger the click
 * handler of the row.
 */
function withoutRowClick(act: () => void) {
  return (event: MouseEvent): void => {
    event.stopPropagation();
    act();
  };
}
