import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { DigitsOf } from '@exchange/web-kit/market/digits.ts';
import { useOrderHistory, type HistoryFilter, type Order } from '@exchange/web-kit/spot/queries.ts';
import { isOpen } from '@exchange/web-kit/spot/shapes.ts';
import { DataTable, type Column } from '@exchange/web-kit/ui/data-table.tsx';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useOrderColumns } from './order-columns.tsx';
import { DetailButton } from './row-actions.tsx';

const COLUMNS = [
  'time',
  'pair',
  'type',
  'side',
  'price',
  'amount',
  'filled',
  'average',
  'total',
  'fee',
  'status',
] as const;
/**
 * Columns of the order history in the panel below the chart; the dialog with the order's details shows all other
 * values.
 */
const FEW_COLUMNS = [
  'time',
  'pair',
  'type',
  'side',
  'price',
  'average',
  'progress',
  'total',
  'status',
] as const;

interface HistoryTableProps {
  readonly filter: HistoryFilter;
  /** True when a filter is active; an empty list then states that no record matches it. */
  readonly isNarrowed: boolean;
  readonly digitsOf: DigitsOf;
  readonly onOpen: (order: Order) => void;
  readonly dense?: boolean;
}

/**
 * Table of the user's orders that are no longer open (filled, cancelled, expired or rejected); the next page
 * is loaded when the end of the list is scrolled into view.
 */
export function HistoryTable({ filter, isNarrowed, digitsOf, onOpen, dense = true }: HistoryTableProps) {
  const tOrders = useWords('orders');
  const orders = useOrderHistory(filter);
  const columns: Column<Order>[] = [
    ...useOrderColumns(dense ? FEW_COLUMNS : COLUMNS, digitsOf, dense),
    {
      key: 'details',
      title: <span className="visually-hidden">{tOrders('detail')}</span>,
      align: 'end',
      width: 32,
      cell: (order) => <DetailButton onPress={() => onOpen(order)} />,
    },
  ];
  // Without a status filter the response also contains open orders; they are left out here, because another table lists
  // them.
  const rows = orders.rows.filter((order) => !isOpen(order));
  return (
    <ListBody
      isLoading={orders.isLoading}
      error={orders.error}
      onRetry={() => void orders.reload()}
      isEmpty={rows.length === 0 && !orders.hasMore}
      empty={tOrders(isNarrowed ? 'filterNone' : 'historyNone')}
    >
      <DataTable
        dense={dense}
        caption={tOrders('history')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        onRowClick={onOpen}
      />
      {/* A page of the response may contain open orders only, and so add no row to the table; `auto` then loads
          the next page without a click. */}
      <ListEnd list={orders} auto />
    </ListBody>
  );
}
