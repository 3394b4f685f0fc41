import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { useCancelOrder } from '@exchange/web-kit/spot/actions.ts';
import { useOpenOrders, type Order, type OrderFilter } from '@exchange/web-kit/spot/queries.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { ListBody } from './list-body.tsx';
import { orderColumns, type DigitsOf } from './order-columns.tsx';

interface OpenOrdersTableProps {
  readonly filter: OrderFilter;
  readonly digitsOf: DigitsOf;
}

/** The open orders, each with its way out. */
export function OpenOrdersTable({ filter, digitsOf }: OpenOrdersTableProps) {
  const tOrders = useWords('orders');
  const words = { tOrders, t: useWords('trade') };
  const orders = useOpenOrders(filter);
  const columns = [
    ...orderColumns(words, digitsOf),
    {
      key: 'action',
      title: tOrders('action'),
      align: 'end' as const,
      cell: (order: Order) => <CancelButton order={order} />,
    },
  ];
  const rows = orders.data ?? [];
  return (
    <ListBody
      isLoading={orders.isPending}
      error={orders.error}
      onRetry={() => void orders.refetch()}
      isEmpty={rows.length === 0}
      empty={tOrders('openNone')}
    >
      <DataTable dense caption={tOrders('open')} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </ListBody>
  );
}

function CancelButton({ order }: { readonly order: Order }) {
  const tOrders = useWords('orders');
  const t = useWords('trade');
  const cancel = useCancelOrder();
  // The feed takes the row away as soon as the order is cancelled, often before the answer is here: what is
  // said then must not depend on this button being still on screen.
  const press = async (): Promise<void> => {
    try {
      await cancel.mutateAsync(order.id);
      notify.success(tOrders('orderCancelled'));
    } catch (failure) {
      // It was filled or cancelled meanwhile, or the call did not come through; the list shows which.
      notify.failure(failure);
    }
  };
  return (
    <Button
      look="quiet"
      size="s"
      busy={cancel.isPending}
      aria-label={tOrders('cancelOrder', {
        side: t(order.tradeType === 1 ? 'buy' : 'sell'),
        amount: `${order.amount} ${order.baseCoin}`,
        price: order.price,
      })}
      onClick={() => void press()}
    >
      {tOrders('cancel')}
    </Button>
  );
}
