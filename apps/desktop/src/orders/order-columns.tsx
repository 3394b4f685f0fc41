import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import type { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { Badge, type Tone } from '@exchange/web-kit/ui/parts.tsx';
import type { Column } from '@exchange/web-kit/ui/data-table.tsx';
import classes from './orders.module.css';

export interface OrderWords {
  readonly tOrders: ReturnType<typeof useWords<'orders'>>;
  readonly t: ReturnType<typeof useWords<'trade'>>;
}
export type DigitsOf = (symbol: string) => { readonly price: number; readonly amount: number };

const STATUS_KEYS = ['status0', 'status1', 'status2', 'status3', 'status4', 'status5'] as const;
const TONES: readonly Tone[] = ['accent', 'accent', 'good', 'neutral', 'neutral', 'bad'];

/** A side in its colour and in words. */
export function SideName({ tradeType, t }: { readonly tradeType: 1 | 2; readonly t: OrderWords['t'] }) {
  return (
    <span className={tradeType === 1 ? classes.buy : classes.sell}>
      {t(tradeType === 1 ? 'buy' : 'sell')}
    </span>
  );
}

/** The columns that open and past orders have in common. */
export function orderColumns({ tOrders, t }: OrderWords, digitsOf: DigitsOf): Column<Order>[] {
  return [
    { key: 'time', title: tOrders('time'), cell: (order) => <When at={order.createTime} look="full" /> },
    { key: 'pair', title: tOrders('pair'), cell: ({ baseCoin, quoteCoin }) => `${baseCoin}/${quoteCoin}` },
    { key: 'type', title: tOrders('type'), cell: (order) => t(order.orderType) },
    {
      key: 'side',
      title: tOrders('side'),
      cell: ({ tradeType }) => <SideName tradeType={tradeType} t={t} />,
    },
    {
      key: 'price',
      title: tOrders('price'),
      align: 'end',
      cell: (order) =>
        order.price === '' ? (
          tOrders('marketPrice')
        ) : (
          <Price value={order.price} digits={digitsOf(order.symbol).price} />
        ),
    },
    {
      key: 'amount',
      title: tOrders('amount'),
      align: 'end',
      cell: ({ amount, total, baseCoin, quoteCoin }) =>
        amount === '' ? <Amount value={total} coin={quoteCoin} /> : <Amount value={amount} coin={baseCoin} />,
    },
    {
      key: 'filled',
      title: tOrders('filled'),
      align: 'end',
      cell: ({ filledAmount }) => <Amount value={filledAmount} />,
    },
  ];
}

/** What only past orders have: the average reached, the total, the fee and how they ended. */
export function pastColumns({ tOrders }: OrderWords, digitsOf: DigitsOf): Column<Order>[] {
  return [
    {
      key: 'average',
      title: tOrders('average'),
      align: 'end',
      cell: ({ avgPrice, symbol }) => <Price value={avgPrice} digits={digitsOf(symbol).price} />,
    },
    {
      key: 'total',
      title: tOrders('total'),
      align: 'end',
      cell: ({ filledTotal, quoteCoin }) => <Amount value={filledTotal} coin={quoteCoin} />,
    },
    {
      key: 'fee',
      title: tOrders('fee'),
      align: 'end',
      cell: ({ fee, feeCoin }) => <Amount value={fee} coin={feeCoin} />,
    },
    {
      key: 'status',
      title: tOrders('status'),
      align: 'end',
      cell: ({ status }) => <Badge tone={TONES[status]}>{tOrders(STATUS_KEYS[status] ?? 'status5')}</Badge>,
    },
  ];
}
