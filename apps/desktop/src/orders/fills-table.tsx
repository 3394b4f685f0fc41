import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useFills, type Fill, type OrderFilter } from '@exchange/web-kit/spot/queries.ts';
import { DataTable, type Column } from '@exchange/web-kit/ui/data-table.tsx';
import { Pager } from '@exchange/web-kit/ui/parts.tsx';
import { ListBody } from './list-body.tsx';
import { SideName, type DigitsOf, type OrderWords } from './order-columns.tsx';

interface FillsTableProps {
  readonly filter: OrderFilter;
  readonly digitsOf: DigitsOf;
  readonly dense?: boolean;
}

/** Own executions with price, fee and role, ten at a time. */
export function FillsTable({ filter, digitsOf, dense = true }: FillsTableProps) {
  const tOrders = useWords('orders');
  const tShell = useWords('shell');
  const words = { tOrders, t: useWords('trade') };
  const fills = useFills(filter);
  return (
    <ListBody
      isLoading={fills.isLoading}
      error={fills.error}
      onRetry={() => void fills.reload()}
      isEmpty={fills.rows.length === 0}
      empty={tOrders('fillsNone')}
    >
      <DataTable
        dense={dense}
        caption={tOrders('fills')}
        columns={columnsOf(words, digitsOf)}
        rows={fills.rows}
        rowKey={({ tradeId, orderId }) => `${tradeId} ${orderId}`}
      />
      <Pager
        hasMore={fills.hasMore}
        isLoading={fills.isLoadingMore}
        onMore={fills.loadMore}
        moreLabel={tShell('loadMore')}
      />
    </ListBody>
  );
}

function columnsOf({ tOrders, t }: OrderWords, digitsOf: DigitsOf): Column<Fill>[] {
  return [
    { key: 'time', title: tOrders('time'), cell: ({ ts }) => <When at={ts} look="full" /> },
    { key: 'pair', title: tOrders('pair'), cell: ({ baseCoin, quoteCoin }) => `${baseCoin}/${quoteCoin}` },
    {
      key: 'side',
      title: tOrders('side'),
      cell: ({ tradeType }) => <SideName tradeType={tradeType} t={t} />,
    },
    {
      key: 'price',
      title: tOrders('price'),
      align: 'end',
      cell: ({ price, symbol }) => <Price value={price} digits={digitsOf(symbol).price} />,
    },
    {
      key: 'amount',
      title: tOrders('amount'),
      align: 'end',
      cell: ({ amount, baseCoin }) => <Amount value={amount} coin={baseCoin} />,
    },
    {
      key: 'total',
      title: tOrders('total'),
      align: 'end',
      cell: ({ total, quoteCoin }) => <Amount value={total} coin={quoteCoin} />,
    },
    {
      key: 'fee',
      title: tOrders('fee'),
      align: 'end',
      cell: ({ fee, feeCoin }) => <Amount value={fee} coin={feeCoin} />,
    },
    { key: 'role', title: tOrders('role'), align: 'end', cell: ({ role }) => tOrders(role) },
  ];
}
