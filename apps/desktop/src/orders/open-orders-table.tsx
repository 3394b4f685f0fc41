import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { DigitsOf } from '@exchange/web-kit/market/digits.ts';
import { canAmend } from '@exchange/web-kit/spot/amend-form.ts';
import { entriesOf } from '@exchange/web-kit/spot/entries.ts';
import { useOpenOrders, type Order, type OrderFilter } from '@exchange/web-kit/spot/queries.ts';
import { DataTable, type Column } from '@exchange/web-kit/ui/data-table.tsx';
import { useMemo, useState } from 'react';
import { AmendDialog } from './amend-dialog.tsx';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useOrderColumns } from './order-columns.tsx';
import classes from './orders.module.css';
import { CancelButton, ChangeButton, DetailButton } from './row-actions.tsx';

const COLUMNS = ['time', 'pair', 'type', 'side', 'price', 'amount', 'worth', 'filled', 'validity'] as const;

interface OpenOrdersTableProps {
  readonly filter: OrderFilter;
  readonly digitsOf: DigitsOf;
  readonly onOpen: (order: Order) => void;
  readonly dense?: boolean;
}

/**
 * Table of the user's orders that are on the book, with a button to cancel each, and a button to amend those
 * that can be amended. The limit order of an OCO is listed in the table of stop orders instead, next to its
 * stop order.
 */
export function OpenOrdersTable({ filter, digitsOf, onOpen, dense = true }: OpenOrdersTableProps) {
  const tOrders = useWords('orders');
  const orders = useOpenOrders(filter);
  const { open } = useMemo(() => entriesOf(orders.resting, orders.waiting), [orders.resting, orders.waiting]);
  const [changing, setChanging] = useState<Order>();
  const columns: Column<Order>[] = [
    ...useOrderColumns(COLUMNS, digitsOf, dense),
    {
      key: 'action',
      title: tOrders('action'),
      align: 'end',
      cell: (order) => (
        <span className={classes.actions}>
          {canAmend(order) && <ChangeButton order={order} onPress={setChanging} />}
          <CancelButton order={order} />
          <DetailButton onPress={() => onOpen(order)} />
        </span>
      ),
    },
  ];
  return (
    <>
      <ListBody
        isLoading={orders.isPending}
        error={orders.error}
        onRetry={() => void orders.refetch()}
        isEmpty={open.length === 0}
        empty={tOrders('openNone')}
      >
        <DataTable
          dense={dense}
          caption={tOrders('open')}
          columns={columns}
          rows={open}
          rowKey={({ id }) => id}
          onRowClick={onOpen}
        />
      </ListBody>
      {changing !== undefined && <AmendDialog order={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}
