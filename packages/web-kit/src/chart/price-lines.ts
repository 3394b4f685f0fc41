import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import { useMemo } from 'react';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';

/** An open order with the fields that the chart draws. The API's orders have all of these fields. */
export interface ChartOrder {
  readonly id: string;
  readonly tradeType: 1 | 2;
  readonly price: string;
  /** Amount of the order in the base coin; empty for an order whose total is given instead. */
  readonly amount: string;
  readonly baseCoin?: string;
  /** Filled amount of the order, in the base coin. If this field is absent, nothing is filled. */
  readonly filledAmount?: string;
  readonly cancelledAmount?: string;
  /** Total of the order in `quoteCoin`, if the total is given instead of an amount. */
  readonly total?: string;
  readonly quoteCoin?: string;
  /**
   * Trigger price in the quote coin; absent or empty for an order without a trigger. While the order waits
   * for its trigger, the line is drawn at this price instead of the limit price.
   */
  readonly stopPrice?: string;
  readonly stopStatus?: '' | 'waiting' | 'triggered';
  readonly orderType?: OrderType;
  /** Id that both legs of an OCO share; absent or empty for other orders. */
  readonly groupId?: string;
  /** Id of the entry order of a take-profit or stop-loss order; absent or empty for other orders. */
  readonly entryId?: string;
  /** Role of the order in an OTO. An order with the role `pending` has no line, because it is not placed yet. */
  readonly listRole?: string;
  /** Take-profit price of an open order, in the quote coin; empty or absent if it has none. */
  readonly takeProfitPrice?: string;
  readonly stopLossPrice?: string;
}

/** The field of an order whose price a line in the chart shows. */
export type LineField = 'price' | 'stopPrice' | 'takeProfitPrice' | 'stopLossPrice';

/** The user's holding of the pair's base coin. The chart draws a line at its average purchase price. */
export interface ChartPosition {
  /** Average purchase price in the quote coin, as decimal text. */
  readonly averagePrice: string;
  readonly text: string;
}

/** A horizontal line in the chart at a price, with a tag that contains its name. */
export interface PriceLine {
  readonly key: string;
  readonly price: string;
  readonly look: 'buy' | 'sell' | 'alert' | 'position';
  /**
   * True for a dotted line: the price triggers something (stop order, take-profit, stop-loss, alert). Lines of other
   * prices are dashed.
   */
  readonly isWatched: boolean;
  readonly label: string;
  /** The order to which the line belongs; undefined for the lines of alerts and of the position. */
  readonly order?: ChartOrder;
  readonly field?: LineField;
  /**
   * True while the user drags the line. It then shares a tag with others only if there is no room for separate tags.
   */
  readonly isMoving?: boolean;
}

/** Sum of the amounts of orders whose price lines share a tag, in one coin. */
export interface LineSum {
  readonly value: string;
  readonly coin: string;
}

/** Functions that return the texts of price lines: of single lines, and of several that share a tag. */
export interface LineWords {
  readonly order: (order: ChartOrder) => string;
  /** Returns the text of the line of an open order's take-profit or stop-loss. */
  readonly exit: (order: ChartOrder, field: 'takeProfitPrice' | 'stopLossPrice') => string;
  readonly position: (position: ChartPosition) => string;
  /** Text of a line while the user drags it to another price. */
  readonly moving: (label: string, price: string) => string;
  readonly orders: (side: 'buy' | 'sell', count: number, sums: readonly LineSum[]) => string;
  /**
   * Text of the tag at the chart's upper or lower edge for price lines outside of the visible range. `price` is defined
   * if there is only one such line.
   */
  readonly beyond: (direction: 'above' | 'below', label: string, price: string | undefined) => string;
  readonly alert: string;
  readonly alerts: (count: number) => string;
}

/**
 * Maximum number of price lines in a chart. More would cover the candles, so further ones are not drawn (see
 * `linesOf`).
 */
const LINES_MAX = 100;
const LOOKS = ['buy', 'sell', 'alert', 'position'] as const;
const EXITS = ['takeProfitPrice', 'stopLossPrice'] as const;

/**
 * Formats the estimated profit or loss of an order under the assumption that it is filled at this price. Returns
 * undefined if it is unknown.
 */
export type ResultOf = (order: ChartOrder, field: LineField, price: string) => string | undefined;

/** The price line that the user is dragging, with its current price. */
export interface MovingLine {
  readonly key: string;
  readonly price: string;
}

export interface LinesShown {
  readonly orders: readonly ChartOrder[];
  /** Prices of the user's price alerts on the pair, in the quote coin. */
  readonly alerts: readonly string[];
  readonly position?: ChartPosition | undefined;
  readonly resultOf?: ResultOf | undefined;
  readonly moving?: MovingLine | undefined;
}

const SIDES = { 1: 'buy', 2: 'sell' } as const;

/**
 * Returns the side of an order's take-profit and stop-loss in the API's notation: sell (2) for a buy, buy (1) for a
 * sale.
 */
function exitTypeOf({ tradeType }: Pick<ChartOrder, 'tradeType'>): 1 | 2 {
  return tradeType === 1 ? 2 : 1;
}

/**
 * Returns the price lines of a chart: open orders at their limit price, waiting stop orders at their trigger price,
 * take-profits, stop-losses and alerts at their price, and the position at its average price. Lines without a price,
 * and orders with the role `pending`, are left out. There are at most 100 lines: if there would be more, the position's
 * line is left out first, then those of alerts, then those of the last orders in the list.
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
      look: SIDES[isExit ? exitTypeOf(order) : order.tradeType],
      isWatched: isExit || field === 'stopPrice',
      label: result === undefined ? name : `${name} · ${result}`,
      order,
      field,
      isMoving,
    };
  };
  const shown = orders.filter(({ listRole }) => listRole !== 'pending');
  const orderLines = shown.flatMap((order) => [
    lineOf(order, order.stopStatus === 'waiting' ? 'stopPrice' : 'price'),
    ...EXITS.filter((field) => order[field]).map((field) => lineOf(order, field)),
  ]);
  const alertLines = alerts.map((price): PriceLine => {
    return { key: `alert ${price}`, price, look: 'alert', isWatched: true, label: words.alert };
  });
  const positionLines =
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
  return [...orderLines, ...alertLines, ...positionLines]
    .filter(({ price }) => price !== '')
    .slice(0, LINES_MAX);
}

/** Returns the text of a tag that several lines share, such as `3 buys · 0.12 BTC`. */
export function sharedLabel(lines: readonly PriceLine[], words: LineWords): string {
  const parts = LOOKS.map((look) => {
    const sameLook = lines.filter((line) => line.look === look);
    if (sameLook.length < 2) return sameLook[0]?.label ?? '';
    if (look === 'position') return sameLook[0]?.label ?? '';
    return look === 'alert'
      ? words.alerts(sameLook.length)
      : words.orders(look, sameLook.length, sumsOf(sameLook));
  });
  return parts.filter((part) => part !== '').join(' · ');
}

/** Returns the amount of an order that is still open, in the base coin; empty for an order whose total is given. */
export function openAmountOf({ amount, filledAmount = '0', cancelledAmount = '0' }: ChartOrder): string {
  if (amount === '') return '';
  const doneAmount = Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
  return Decimal.parse(amount).minus(doneAmount).toString();
}

/**
 * Sums the open amounts of the orders, or their totals if these are given, by coin. The two legs of an OCO count once,
 * and so do the take-profit and stop-loss of an order, because one of them cancels the other.
 */
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
 * Returns functions that name price lines in the current language, such as `Sell 0.5`, `OCO · Stop-market · Sell 0.5`,
 * `TP/SL · Sell 0.5` and `3 buys · 0.12 BTC`.
 */
export function useLineWords(): LineWords {
  const t = useWords('chart');
  const trade = useWords('trade');
  const locale = useLocale();
  return useMemo(() => {
    const sumText = ({ value, coin }: LineSum): string => withUnit(formatDecimal(value, locale), coin);
    return {
      beyond: (direction, label, price) =>
        [
          `${BEYOND_SIGNS[direction]} ${label}`,
          ...(price === undefined ? [] : [formatDecimal(price, locale)]),
        ].join(' · '),
      alert: t('alert'),
      position: ({ text }) => t('position', { amount: text }),
      moving: (label, price) =>
        `${label} → ${formatDecimal(price, locale, { minDigits: price.split('.')[1]?.length ?? 0 })}`,
      exit: (order, field) =>
        [
          trade(field === 'takeProfitPrice' ? 'takeProfitShort' : 'stopLossShort'),
          t(exitTypeOf(order) === 1 ? 'buyOrder' : 'sellOrder', {
            amount: formatDecimal(openAmountOf(order), locale),
          }),
        ].join(' · '),
      alerts: (count) => t('alertsShared', { count }),
      order: (order: ChartOrder) => {
        const amount =
          order.amount === ''
            ? sumText({ value: order.total ?? '0', coin: order.quoteCoin ?? '' })
            : formatDecimal(openAmountOf(order), locale);
        const sideAndAmount = t(order.tradeType === 1 ? 'buyOrder' : 'sellOrder', { amount });
        const isPlain = order.orderType === undefined || order.orderType === 'limit';
        const group = order.entryId ? trade('tpsl') : order.groupId ? trade('oco') : '';
        const names = [group, isPlain ? '' : trade(order.orderType), sideAndAmount];
        return names.filter((name) => name !== '').join(' · ');
      },
      orders: (side, count, sums) =>
        [t(side === 'buy' ? 'buyOrdersShared' : 'sellOrdersShared', { count }), ...sums.map(sumText)].join(
          ' · ',
        ),
    };
  }, [t, trade, locale]);
}
