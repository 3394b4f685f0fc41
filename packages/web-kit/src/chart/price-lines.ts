import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import { useMemo } from 'react';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';

/** An own open order as the chart draws it; the wire's orders fit. */
export interface ChartOrder {
  readonly id: string;
  readonly tradeType: 1 | 2;
  readonly price: string;
  /** Empty where the order is by total. */
  readonly amount: string;
  readonly baseCoin?: string;
  /** What of the amount has traded, and what was taken off by self-trade prevention. */
  readonly filledAmount?: string;
  readonly cancelledAmount?: string;
  /** Of orders by total, with `quoteCoin`. */
  readonly total?: string;
  readonly quoteCoin?: string;
  /** Where a stop triggers; drawn instead of the price while the order waits. */
  readonly stopPrice?: string;
  readonly stopStatus?: '' | 'waiting' | 'triggered';
  readonly orderType?: OrderType;
  /** Not empty for the legs of an OCO. */
  readonly groupId?: string;
  /** Not empty for the take-profit and stop-loss of an entry, which is this order. */
  readonly entryId?: string;
  /** Exit price of an order that has not ended: where its coins are traded back; empty for none. */
  readonly takeProfitPrice?: string;
  readonly stopLossPrice?: string;
}

/** Which price of its order a line stands for. */
export type LineField = 'price' | 'stopPrice' | 'takeProfitPrice' | 'stopLossPrice';

/** Own coins of the pair that were bought: drawn at what they cost on average. */
export interface ChartPosition {
  /** In the quote coin, plain decimal text. */
  readonly averagePrice: string;
  /** As it is written on the line: `0.5 BTC · +12.30 USDT`. */
  readonly text: string;
}

/** A level across the chart with a tag that names it. */
export interface PriceLine {
  readonly key: string;
  /** Plain decimal text. */
  readonly price: string;
  readonly look: 'buy' | 'sell' | 'alert' | 'position';
  /** A level that is only watched is drawn with points, an order on the book with dashes. */
  readonly isWatched: boolean;
  readonly label: string;
  /** What the line stands for, unless it is an alert or a position, and which of its prices. */
  readonly order?: ChartOrder;
  readonly field?: LineField;
  /** Whether somebody is dragging it: it then shares its tag with no other. */
  readonly isMoving?: boolean;
}

/** What orders that share a tag come to in one coin. */
export interface LineSum {
  /** Plain decimal text. */
  readonly value: string;
  readonly coin: string;
}

/** How orders and alerts are named on their lines, each by itself and several that share a tag. */
export interface LineWords {
  readonly order: (order: ChartOrder) => string;
  /** The take-profit or the stop-loss of a buy that has not ended. */
  readonly exit: (order: ChartOrder, field: 'takeProfitPrice' | 'stopLossPrice') => string;
  readonly position: (position: ChartPosition) => string;
  /** A line that is being dragged, with the price that it has by now. */
  readonly moving: (label: string, price: string) => string;
  readonly orders: (side: 'buy' | 'sell', count: number, sums: readonly LineSum[]) => string;
  /** A tag at the chart's edge for lines that are above or below what it shows; the price of a single one. */
  readonly beyond: (way: 'above' | 'below', label: string, price: string | undefined) => string;
  readonly alert: string;
  readonly alerts: (count: number) => string;
}

/** More lines than this would only cover the candles. */
const LINES_MAX = 100;
const LOOKS = ['buy', 'sell', 'alert', 'position'] as const;
const EXITS = ['takeProfitPrice', 'stopLossPrice'] as const;

/** What an order would earn or lose if it were filled at a price, as it is written on its line; undefined where that is not known. */
export type ResultOf = (order: ChartOrder, field: LineField, price: string) => string | undefined;

/** A line that is being dragged, and where it is by now. */
export interface MovingLine {
  readonly key: string;
  readonly price: string;
}

export interface LinesShown {
  readonly orders: readonly ChartOrder[];
  /** Prices at which somebody wants to be notified. */
  readonly alerts: readonly string[];
  readonly position?: ChartPosition | undefined;
  readonly resultOf?: ResultOf | undefined;
  readonly moving?: MovingLine | undefined;
}

/**
 * The lines of a chart: a resting order at its price, a waiting one where it triggers, the exits of a buy where they would
 * sell, alerts where they notify, the own position at its average price.
 */
export function linesOf(
  { orders, alerts, position, resultOf, moving }: LinesShown,
  words: Pick<LineWords, 'order' | 'exit' | 'alert' | 'position'>,
): readonly PriceLine[] {
  const lineOf = (order: ChartOrder, field: LineField): PriceLine => {
    const isExit = field === 'takeProfitPrice' || field === 'stopLossPrice';
    const key = isExit ? `${order.id} ${field}` : order.id;
    const isMoving = moving?.key === key;
    const price = isMoving ? moving.price : (order[field] ?? '');
    const name = isExit ? words.exit(order, field) : words.order(order);
    const result = price === '' ? undefined : resultOf?.(order, field, price);
    return {
      key,
      price,
      look: isExit || order.tradeType === 2 ? 'sell' : 'buy',
      isWatched: isExit || field === 'stopPrice',
      label: result === undefined ? name : `${name} · ${result}`,
      order,
      field,
      isMoving,
    };
  };
  const ofOrders = orders.flatMap((order) => [
    lineOf(order, order.stopStatus === 'waiting' ? 'stopPrice' : 'price'),
    ...EXITS.filter((field) => order[field]).map((field) => lineOf(order, field)),
  ]);
  const ofAlerts = alerts.map((price): PriceLine => {
    return { key: `alert ${price}`, price, look: 'alert', isWatched: true, label: words.alert };
  });
  const ofPosition =
    position === undefined
      ? []
      : [
          {
            key: 'position',
            price: position.averagePrice,
            look: 'position',
            isWatched: false,
            label: words.position(position),
          } as const,
        ];
  return [...ofOrders, ...ofAlerts, ...ofPosition].filter(({ price }) => price !== '').slice(0, LINES_MAX);
}

/** What a tag says of the lines that share it: `3 buys · 0.12 BTC`. */
export function sharedLabel(lines: readonly PriceLine[], words: LineWords): string {
  const parts = LOOKS.map((look) => {
    const alike = lines.filter((line) => line.look === look);
    if (alike.length < 2) return alike[0]?.label ?? '';
    if (look === 'position') return alike[0]?.label ?? '';
    return look === 'alert' ? words.alerts(alike.length) : words.orders(look, alike.length, sumsOf(alike));
  });
  return parts.filter((part) => part !== '').join(' · ');
}

/** What of an order's amount is still open, in the base coin; empty where the order is by total. */
export function openAmountOf({ amount, filledAmount = '0', cancelledAmount = '0' }: ChartOrder): string {
  if (amount === '') return '';
  const gone = Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
  return Decimal.parse(amount).minus(gone).toString();
}

/** What orders come to: amounts, and totals of those without one. The legs of an OCO, or the exits of a buy, count once, for one of them ends the other. */
function sumsOf(lines: readonly PriceLine[]): readonly LineSum[] {
  const sums = new Map<string, Decimal>();
  const counted = new Set<string>();
  for (const { order, field } of lines) {
    if (order === undefined) continue;
    const isExit = field === 'takeProfitPrice' || field === 'stopLossPrice';
    const group = isExit ? `exits ${order.id}` : order.groupId;
    if (group && counted.has(group)) continue;
    if (group) counted.add(group);
    const isByTotal = order.amount === '';
    const coin = (isByTotal ? order.quoteCoin : order.baseCoin) ?? '';
    const value = Decimal.tryParse((isByTotal ? order.total : openAmountOf(order)) ?? '') ?? Decimal.zero;
    sums.set(coin, (sums.get(coin) ?? Decimal.zero).plus(value));
  }
  return [...sums].map(([coin, sum]) => ({ coin, value: sum.toString() }));
}

const BEYOND_SIGNS = { above: '▲', below: '▼' } as const;

/**
 * How the lines of orders and alerts are named in the language in use: `Sell 0.5`, `OCO · Stop-market · Sell 0.5`,
 * `TP/SL · Sell 0.5`,
 * `3 buys · 0.12 BTC`.
 */
export function useLineWords(): LineWords {
  const t = useWords('chart');
  const trade = useWords('trade');
  const locale = useLocale();
  return useMemo(() => {
    const inCoin = ({ value, coin }: LineSum): string => withUnit(formatDecimal(value, locale), coin);
    return {
      beyond: (way, label, price) =>
        [
          `${BEYOND_SIGNS[way]} ${label}`,
          ...(price === undefined ? [] : [formatDecimal(price, locale)]),
        ].join(' · '),
      alert: t('alert'),
      position: ({ text }) => t('position', { amount: text }),
      moving: (label, price) =>
        `${label} → ${formatDecimal(price, locale, { minDigits: price.split('.')[1]?.length ?? 0 })}`,
      exit: (order, field) =>
        [
          trade(field === 'takeProfitPrice' ? 'takeProfitShort' : 'stopLossShort'),
          t('sellOrder', { amount: formatDecimal(openAmountOf(order), locale) }),
        ].join(' · '),
      alerts: (count) => t('alertsShared', { count }),
      order: (order: ChartOrder) => {
        const amount =
          order.amount === ''
            ? inCoin({ value: order.total ?? '0', coin: order.quoteCoin ?? '' })
            : formatDecimal(openAmountOf(order), locale);
        const deed = t(order.tradeType === 1 ? 'buyOrder' : 'sellOrder', { amount });
        const isPlain = order.orderType === undefined || order.orderType === 'limit';
        const group = order.entryId ? trade('tpsl') : order.groupId ? trade('oco') : '';
        const names = [group, isPlain ? '' : trade(order.orderType), deed];
        return names.filter((name) => name !== '').join(' · ');
      },
      orders: (side, count, sums) =>
        [t(side === 'buy' ? 'buyOrdersShared' : 'sellOrdersShared', { count }), ...sums.map(inCoin)].join(
          ' · ',
        ),
    };
  }, [t, trade, locale]);
}
