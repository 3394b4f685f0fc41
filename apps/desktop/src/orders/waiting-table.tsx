import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import type { DigitsOf } from '@exchange/web-kit/market/digits.ts';
import { canAmend } from '@exchange/web-kit/spot/amend-form.ts';
import { type Order, type OrderFilter, useOpenOrders } from '@exchange/web-kit/spot/queries.ts';
import { type Column, DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { useMemo, useState } from 'react';
import { AmendDialog } from './amend-dialog.tsx';
import { useOrderColumns } from './order-columns.tsx';
import classes from './orders.module.css';
import { CancelButton, ChangeButton, DetailButton } from './row-actions.tsx';

const COLUMNS = ['time', 'pair', 'type', 'side', 'trigger', 'distance', 'price', 'amount'] as const;
/**
 * Columns of the table of stop orders in the panel below the chart; the dialog with the order's details shows all other
 * values.
 */
const FEW_COLUMNS = ['pair', 'type', 'side', 'trigger', 'distance', 'price', 'amount'] as const;

interface WaitingTableProps {
  readonly filter: OrderFilter;
  readonly digitsOf: DigitsOf;
  readonly onOpen: (order: Order) => void;
  readonly dense?: boolean;
}

/**
 * Table of stop orders that are not triggered yet, and of orders that wait until the working order of their OTO is
 * filled. The limit order of an OCO follows its stop order.
 */
export function WaitingTable({ filter, digitsOf, onOpen, dense = true }: WaitingTableProps) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const orders = useOpenOrders(filter);
  const rows = useMemo(() => waitingRows(orders.waiting, orders.resting), [orders.waiting, orders.resting]);
  const [changing, setChanging] = useState<Order>();
  const shown = useOrderColumns(dense ? FEW_COLUMNS : COLUMNS, digitsOf, dense);
  const columns: Column<WaitingRow>[] = [
    ...shown.map((column, index) => ({
      key: column.key,
      title: column.title,
      align: column.align,
      cell: ({ order, leg }: WaitingRow) =>
        index === 0 ? (
          <span className={classes.leg} data-leg={leg} title={leg === 'alone' ? undefined : tDesk('leg')}>
            {column.cell(order)}
          </span>
        ) : (
          column.cell(order)
        ),
    })),
    {
      key: 'action',
      title: tOrders('action'),
      align: 'end',
      cell: ({ order }) => (
        <span className={classes.actions}>
          {canAmend(order) && <ChangeButton order={order} onPress={setChanging} />}
          {/* Both orders of an OCO have a cancel button; either button cancels both orders. */}
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
        isEmpty={rows.length === 0}
        empty={tOrders('waitingNone')}
      >
        <DataTable
          dense={dense}
          caption={tOrders('waiting')}
          columns={columns}
          rows={rows}
          rowKey={({ order }) => order.id}
          onRowClick={({ order }) => onOpen(order)}
        />
      </ListBody>
      {changing !== undefined && <AmendDialog order={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}

/** A row of the table of stop orders: a single order, or the first or second order of an OCO. */
interface WaitingRow {
  readonly order: Order;
  readonly leg: 'alone' | 'first' | 'second';
}

/**
 * Returns the rows of the table of stop orders, in the sequence of `waiting`. An OCO has two consecutive
 * rows, its stop order and its limit order, if `resting` contains the latter.
 */
export function waitingRows(waiting: readonly Order[], resting: readonly Order[]): readonly WaitingRow[] {
  const partners = new Map(
    resting.filter(({ groupId }) => groupId !== '').map((order) => [order.groupId, order]),
  );
  return waiting.flatMap((order): WaitingRow[] => {
    const partner = order.groupId === '' ? undefined : partners.get(order.groupId);
    if (partner === undefined) return [{ order, leg: 'alone' }];
    return [
      { order, leg: 'first' },
      { order: partner, leg: 'second' },
    ];
  });
}
