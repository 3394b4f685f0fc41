import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { DigitsOf, PairDigits } from '@exchange/web-kit/market/digits.ts';
import { useLastPrice } from '@exchange/web-kit/market/live.ts';
import { useExitWords } from '@exchange/web-kit/spot/exit-words.ts';
import { type OrderWords, statusTone, useOrderWords } from '@exchange/web-kit/spot/order-words.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import type { Column } from '@exchange/web-kit/ui/data-table.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { Fragment, useMemo } from 'react';
import { distanceOf, orderTotal } from './order-figures.ts';
import classes from './orders.module.css';

type ColumnName =
  | 'time'
  | 'pair'
  | 'type'
  | 'side'
  | 'trigger'
  | 'distance'
  | 'price'
  | 'amount'
  | 'worth'
  | 'validity'
  | 'filled'
  | 'progress'
  | 'average'
  | 'total'
  | 'fee'
  | 'status';

/** The word for the order's side (buy or sell) in the side's colour. */
export function SideName({ tradeType }: { readonly tradeType: 1 | 2 }) {
  const t = useWords('trade');
  return (
    <span className={tradeType === 1 ? classes.buy : classes.sell}>
      {t(tradeType === 1 ? 'buy' : 'sell')}
    </span>
  );
}

/**
 * Hook that returns the definitions of the columns with the given names, in the sequence of the names, for
 * tables of orders. In a dense table the times omit the year.
 */
export function useOrderColumns(
  names: readonly ColumnName[],
  digitsOf: DigitsOf,
  dense: boolean,
): Column<Order>[] {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const tTrade = useWords('trade');
  const words = useOrderWords();
  return useMemo(() => {
    const columns = {
      ...termColumns(tOrders, tDesk, words, digitsOf, dense),
      ...lifetimeColumn(tOrders, tTrade, words),
      ...resultColumns(tOrders, words, digitsOf),
    };
    return names.map((key) => ({ key, ...columns[key] }));
  }, [names, tOrders, tDesk, tTrade, words, digitsOf, dense]);
}

type OrdersT = ReturnType<typeof useWords<'orders'>>;
type TradeT = ReturnType<typeof useWords<'trade'>>;
type DesktopT = ReturnType<typeof useWords<'desktop-orders'>>;
type Drawn = Omit<Column<Order>, 'key'>;

/** Returns the table columns with the terms of an order, such as its price, by the name of the column. */
function termColumns(
  tOrders: OrdersT,
  tDesk: DesktopT,
  words: OrderWords,
  digitsOf: DigitsOf,
  dense: boolean,
) {
  const end = { align: 'end' } as const;
  return {
    time: {
      title: tOrders('time'),
      cell: ({ createTime }) => <OrderTime at={createTime} dense={dense} />,
    },
    pair: { title: tOrders('pair'), cell: ({ baseCoin, quoteCoin }) => `${baseCoin}/${quoteCoin}` },
    type: {
      title: tOrders('type'),
      cell: (order) => <Kind order={order} words={words} digits={digitsOf(order.symbol).price} />,
    },
    side: { title: tOrders('side'), cell: ({ tradeType }) => <SideName tradeType={tradeType} /> },
    trigger: {
      ...end,
      title: tOrders('trigger'),
      cell: (order) => <Trigger order={order} words={words} digits={digitsOf(order.symbol).price} />,
    },
    distance: { ...end, title: tDesk('away'), cell: (order) => <Distance order={order} /> },
    price: {
      ...end,
      title: tOrders('price'),
      cell: ({ price, symbol }) =>
        price === '' ? tOrders('marketPrice') : <Price value={price} digits={digitsOf(symbol).price} />,
    },
    amount: {
      ...end,
      title: tOrders('amount'),
      cell: (order) => <OrderedAmount order={order} digits={digitsOf(order.symbol)} />,
    },
    worth: {
      ...end,
      title: tOrders('total'),
      cell: (order) => <Amount value={orderTotal(order)} kind="sum" figureCoin={order.quoteCoin} />,
    },
  } satisfies Partial<Record<ColumnName, Drawn>>;
}

/**
 * Returns a table column with an order's time in force. A post-only order shows that it is post-only, and its
 * time in force only if that is not GTC.
 */
function lifetimeColumn(tOrders: OrdersT, tTrade: TradeT, words: OrderWords) {
  const expiryLines = (order: Order): readonly string[] => {
    if (order.postOnly !== 1) return [words.validity(order)];
    const postOnly = tTrade('postOnly');
    return order.timeInForce === 'GTC' ? [postOnly] : [`${words.validity(order)} ·`, postOnly];
  };
  return {
    validity: {
      title: tOrders('validityShort'),
      cell: (order) => (
        <span className={order.timeInForce === 'GTC' && order.postOnly !== 1 ? classes.quiet : undefined}>
          <FoldingText parts={expiryLines(order)} />
        </span>
      ),
    },
  } satisfies Partial<Record<ColumnName, Drawn>>;
}

/** Returns table columns with the result of an order, such as filled amount and average price. */
function resultColumns(tOrders: OrdersT, words: OrderWords, digitsOf: DigitsOf) {
  const end = { align: 'end' } as const;
  return {
    filled: {
      ...end,
      title: tOrders('filled'),
      cell: ({ filledAmount, symbol }) => <Amount value={filledAmount} digits={digitsOf(symbol).amount} />,
    },
    progress: {
      ...end,
      title: `${tOrders('filled')} / ${tOrders('amount')}`,
      cell: (order) => <Progress order={order} digits={digitsOf(order.symbol)} />,
    },
    average: {
      ...end,
      title: tOrders('average'),
      cell: ({ avgPrice, symbol }) => <Price value={avgPrice} digits={digitsOf(symbol).price} />,
    },
    total: {
      ...end,
      title: tOrders('total'),
      cell: ({ filledTotal, quoteCoin }) => <Amount value={filledTotal} kind="sum" figureCoin={quoteCoin} />,
    },
    fee: {
      ...end,
      title: tOrders('fee'),
      cell: ({ fee, feeCoin }) => <Amount value={fee} kind="fee" coin={feeCoin} />,
    },
    status: {
      ...end,
      title: tOrders('status'),
      cell: (order) => (
        <span title={words.reason(order)}>
          <Badge tone={statusTone(order)}>{words.status(order)}</Badge>
        </span>
      ),
    },
  } satisfies Partial<Record<ColumnName, Drawn>>;
}

/** Table cell with the type of an order; its tooltip shows the take-profit and stop-loss prices, if there are any. */
function Kind({ order, words, digits }: TriggerProps) {
  const exits = useExitWords().prices(order, digits);
  return <FoldingText parts={words.kindParts(order)} title={exits === '' ? undefined : exits} />;
}

interface MomentProps {
  readonly at: number;
  readonly dense: boolean;
}

/**
 * Table cell with a time. A dense table omits the year, and breaks the line between day and time when the column is
 * narrow.
 */
export function OrderTime({ at, dense }: MomentProps) {
  return dense ? (
    <span className={classes.folding}>
      <When at={at} look="second" />
    </span>
  ) : (
    <When at={at} />
  );
}

interface FoldingTextProps {
  readonly parts: readonly string[];
  readonly title?: string | undefined;
}

/** Text on a single line when the column is wide enough, otherwise on one line per part. */
function FoldingText({ parts, title }: FoldingTextProps) {
  return (
    <span className={classes.folding} title={title}>
      {parts.map((part, at) => (
        <Fragment key={part}>
          {at > 0 && ' '}
          <span>{part}</span>
        </Fragment>
      ))}
    </span>
  );
}

interface OrderedProps {
  readonly order: Pick<Order, 'amount' | 'total' | 'baseCoin' | 'quoteCoin'>;
  readonly digits: PairDigits;
}

/**
 * The ordered amount in the base coin; for an order by total, whose amount is empty, the ordered total in the quote
 * coin.
 */
export function OrderedAmount({ order, digits }: OrderedProps) {
  return order.amount === '' ? (
    <Amount value={order.total} kind="sum" coin={order.quoteCoin} />
  ) : (
    <Amount value={order.amount} digits={digits.amount} coin={order.baseCoin} />
  );
}

/**
 * The filled and the ordered amount in the base coin; for an order by total, the filled and the ordered total in the
 * quote coin.
 */
function Progress({ order, digits }: { readonly order: Order; readonly digits: PairDigits }) {
  const isByTotal = order.amount === '';
  return (
    <>
      {isByTotal ? (
        <Amount value={order.filledTotal} kind="sum" figureCoin={order.quoteCoin} />
      ) : (
        <Amount value={order.filledAmount} digits={digits.amount} />
      )}
      <span className={classes.ordered}>
        {' / '}
        <OrderedAmount order={order} digits={digits} />
      </span>
    </>
  );
}

interface TriggerProps {
  readonly order: Order;
  readonly words: OrderWords;
  readonly digits: number;
}

/**
 * Table cell with the trigger condition of an order; for a trailing stop the distance comes before it and the
 * activation price after it.
 */
function Trigger({ order, words, digits }: TriggerProps) {
  const trail = words.trail(order);
  const activation = words.activation(order, digits);
  return (
    <>
      <span className={classes.condition}>
        {trail !== '' && <small className={classes.trail}>{trail}</small>}
        {words.condition(order, digits) || (activation === '' ? '–' : '')}
      </span>
      {activation !== '' && (
        <small className={classes.activation} title={words.activation(order, digits, 'withTime')}>
          {activation}
        </small>
      )}
    </>
  );
}

/**
 * Table cell with the live signed distance, in percent of the last price, from the last price to the order's
 * trigger price, to the activation price of a trailing stop that is not active yet, or, for an order without
 * either, to its limit price; a dash while one of the two prices is missing. As a separate component it lets
 * a price change re-render a single cell.
 */
function Distance({ order }: { readonly order: Order }) {
  const locale = useLocale();
  const isDormant = order.activationPrice !== '' && order.activatedTime === 0;
  const trigger = isDormant ? order.activationPrice : order.stopPrice;
  const level = trigger === '' ? order.price : trigger;
  const distance = distanceOf(useLastPrice(order.symbol), level);
  return distance === undefined ? '–' : formatPercent(distance, locale, { signed: true });
}
