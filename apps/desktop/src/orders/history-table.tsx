import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useOrderHistory, type HistoryFilter } from '@exchange/web-kit/spot/queries.ts';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { Pager } from '@exchange/web-kit/ui/parts.tsx';
import { ListBody } from './list-body.tsx';
import { orderColumns, pastColumns, type DigitsOf } from './order-columns.tsx';

const PARTLY_FILLED = 1;

interface HistoryTableProps {
  readonly filter: HistoryFilter;
  readonly digitsOf: DigitsOf;
  readonly dense?: boolean;
}

/** Finished and cancelled orders, ten at a time. */
export function HistoryTable({ filter, digitsOf, dense = true }: HistoryTableProps) {
  const tOrders = useWords('orders');
  const tShell = useWords('shell');
  const words = { tOrders, t: useWords('trade') };
  const orders = useOrderHistory(filter);
  // Without a filter the call answers with open orders as well; those have a table of their own.
  const rows = orders.rows.filter(({ status }) => status > PARTLY_FILLED);
  return (
    <ListBody
      isLoading={orders.isLoading}
      error={orders.error}
      onRetry={() => void orders.reload()}
      isEmpty={rows.length === 0 && !orders.hasMore}
      empty={tOrders('historyNone')}
    >
      <DataTable
        dense={dense}
        caption={tOrders('history')}
        columns={[...orderColumns(words, digitsOf), ...pastColumns(words, digitsOf)]}
        rows={rows}
        rowKey={({ id }) => id}
      />
      <Pager
        hasMore={orders.hasMore}
        isLoading={orders.isLoadingMore}
        onMore={orders.loadMore}
        moreLabel={tShell('loadMore')}
      />
    </ListBody>
  );
}
