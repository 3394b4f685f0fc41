import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { Amount, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { DigitsOf } from '@exchange/web-kit/market/digits.ts';
import { useFills, type Fill, type OrderFilter } from '@exchange/web-kit/spot/queries.ts';
import { WhyLink } from '@exchange/web-kit/replay/replay-link.tsx';
import { DataTable, type Column } from '@exchange/web-kit/ui/data-table.tsx';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { OrderTime, SideName } from './order-columns.tsx';
import { DetailButton } from './row-actions.tsx';

interface FillsTableProps {
  readonly filter: OrderFilter;
  /** True when a filter is active; an empty list then states that no record matches it. */
  readonly isNarrowed: boolean;
  readonly digitsOf: DigitsOf;
  readonly onOpen: (orderId: string) => void;
  readonly dense?: boolean;
}

/**
 * Table of the user's fills with price, fee and role (maker or taker); a click on a row opens the details of its order.
 */
export function FillsTable({ filter, isNarrowed, digitsOf, onOpen, dense = true }: FillsTableProps) {
  const tOrders = useWords('orders');
  const fills = useFills(filter);
  return (
    <ListBody
      isLoading={fills.isLoading}
      error={fills.error}
      onRetry={() => void fills.reload()}
      isEmpty={fills.rows.length === 0}
      empty={tOrders(isNarrowed ? 'filterNone' : 'fillsNone')}
    >
      <DataTable
        dense={dense}
        caption={tOrders('fills')}
        columns={[
          ...columnsOf(tOrders, digitsOf, dense),
          {
            key: 'action',
            title: <span className="visually-hidden">{tOrders('detail')}</span>,
            align: 'end',
            width: 64,
            cell: (fill) => (
              <>
                <WhyLink fill={fill} isIcon />
                <DetailButton onPress={() => onOpen(fill.orderId)} />
              </>
            ),
          },
        ]}
        rows={fills.rows}
        rowKey={({ tradeId, orderId }) => `${tradeId} ${orderId}`}
        onRowClick={({ orderId }) => onOpen(orderId)}
      />
      <ListEnd list={fills} auto />
    </ListBody>
  );
}

function columnsOf(
  tOrders: ReturnType<typeof useWords<'orders'>>,
  digitsOf: DigitsOf,
  dense: boolean,
): Column<Fill>[] {
  const end = { align: 'end' } as const;
  return [
    {
      key: 'time',
      title: tOrders('time'),
      cell: ({ ts }) => <OrderTime at={ts} dense={dense} />,
    },
    { key: 'pair', title: tOrders('pair'), cell: ({ baseCoin, quoteCoin }) => `${baseCoin}/${quoteCoin}` },
    { key: 'side', title: tOrders('side'), cell: ({ tradeType }) => <SideName tradeType={tradeType} /> },
    {
      key: 'price',
      title: tOrders('price'),
      ...end,
      cell: ({ price, symbol }) => <Price value={price} digits={digitsOf(symbol).price} />,
    },
    {
      key: 'amount',
      title: tOrders('amount'),
      ...end,
      cell: ({ amount, symbol, baseCoin }) => (
        <Amount value={amount} digits={digitsOf(symbol).amount} coin={baseCoin} />
      ),
    },
    {
      key: 'total',
      title: tOrders('total'),
      ...end,
      cell: ({ total, quoteCoin }) => <Amount value={total} kind="sum" coin={quoteCoin} />,
    },
    {
      key: 'fee',
      title: tOrders('fee'),
      ...end,
      cell: ({ fee, feeCoin }) => <Amount value={fee} kind="fee" coin={feeCoin} />,
    },
    { key: 'role', title: tOrders('role'), ...end, cell: ({ role }) => tOrders(role) },
  ];
}
