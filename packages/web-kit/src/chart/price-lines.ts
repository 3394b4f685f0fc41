import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import { useMemo } from 'react';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';

/** An open order as the chart draws it; orders of the API fit this type. */
export interface ChartOrder {
  readonly id: string;
  readonly tradeType: 1 | 2;
  readonly price: string;
  /** Amount of the order; empty for an order by total. */
  readonly amount: string;
  readonly baseCoin?: string;
  /** Filled amount, and the amount removed by self-trade prevention; absent for none. */
  readonly filledAmount?: string;
  readonly cancelledAmount?: string;
  /** Total of an order by total, in `quoteCoin`. */
  readonly total?: string;
  readonly quoteCoin?: string;
  /** Trigger price; drawn instead of the limit price while the stop order waits. */
  readonly stopPrice?: string;
  readonly stopStatus?: '' | 'waiting' | 'triggered';
  readonly orderType?: OrderType;
  /** Set for both legs of an OCO. */
  readonly groupId?: string;
  /** Id of the entry order; set for a take-profit or stop-loss order. */
  readonly entryId?: string;
  /**
   * Role of the order in a list of orders (OTO). A pending order has no line, because it is not on the market
   * yet.
   */
  readonly listRole?: string;
  /** Take-profit price of an open order; empty for none. */
  readonly takeProfitPrice?: string;
  readonly stopLossPrice?: string;
}

/** Which of an order's prices a line shows. */
export type LineField = 'price' | 'stopPrice' | 'takeProfitPrice' | 'stopLossPrice';

/** The user's holding of the pair's base coin, drawn as a line at its average purchase price. */
export interface ChartPosition {
  /** Average purchase price in the quote coin, as decimal text. */
  readonly averagePrice: string;
  readonly text: string;
}

/** A horizontal price line in the chart, with a tag that names it. */
export interface PriceLine {
  readonly key: string;
  readonly price: string;
  readonly look: 'buy' | 'sell' | 'alert' | 'position';
  /**
   * True for a dotted line: a price that triggers something (stop, take-profit, stop-loss, alert). Other lines are
   * dashed.
   */
  readonly isWatched: boolean;
  readonly label: string;
  /** The order that the line belongs to; undefined for the lines of alerts and of the position. */
  readonly order?: ChartOrder;
  readonly field?: LineField;
  /** True while the line is being dragged; it then shares no tag while there is room. */
  readonly isMoving?: boolean;
}

/** Sum of the orders that share a price line's tag, in one coin. */
export interface LineSum {
  readonly value: string;
  readonly coin: string;
}

/** Functions that return the text of price lines, single ones and several that share a tag. */
export interface LineWords {
  readonly order: (order: ChartOrder) => string;
  /** Text of the take-profit or stop-loss of an open order. */
  readonly exit: (order: ChartOrder, field: 'takeProfitPrice' | 'stopLossPrice') => string;
  readonly position: (position: ChartPosition) => string;
  /** Text of a line while it is dragged to another price. */
  readonly moving: (label: string, price: string) => string;
  readonly orders: (side: 'buy' | 'sell', count: number, sums: readonly LineSum[]) => string;
  /**
   * Text of a tag at the chart's edge for price lines outside of the visible range; `price` is set for a
   * single line.
   */
  readonly beyond: (direction: 'above' | 'below', label: string, price: string | undefined) => string;
  readonly alert: string;
  readonly alerts: (count: number) => string;
}

/** Maximum number of price lines; more would cover the candles. */
const LINES_MAX = 100;
const LOOKS = ['buy', 'sell', 'alert', 'position'] as const;
const EXITS = ['takeProfitPrice', 'stopLossPrice'] as const;

/** Formats the estimated profit or loss of an order if it were filled at a price; undefined when unknown. */
export type ResultOf = (order: ChartOrder, field: LineField, price: string) => string | undefined;

/** The price line that is being dragged, with its current price. */
export interface MovingLine {
  readonly key: string;
  readonly price: string;
}

export interface LinesShown {
  readonly orders: readonly ChartOrder[];
  /** Prices of the user's price alerts. */
  readonly alerts: readonly string[];
  readonly position?: ChartPosition | undefined;
  readonly resultOf?: ResultOf | undefined;
  readonly moving?: MovingLine | undefined;
}

const SIDES = { 1: 'buy', 2: 'sell' } as const;

/** The side of an order's exits as on the wire: a purchase is sold again, a sale is bought back. */
function exitTypeOf({ tradeType }: Pick<ChartOrder, 'tradeType'>): 1 | 2 {
  return tradeType === 1 ? 2 : 1;
}

/**
 * The price lines of a chart: open orders at their limit price, waiting stops at their trigger, take-profits,
 * stop-losses and alerts at their price, the position at its average price.
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

/** Label of a shared tag: `3 buys · 0.12 BTC`. */
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

/** Open amount of an order in the base coin; empty for an order by total. */
export function openAmountOf({ amount, filledAmount = '0', cancelledAmount = '0' }: ChartOrder): string {
  if (amount === '') return '';
  const doneAmount = Decimal.parse(filledAmount).plus(Decimal.parse(cancelledAmount));
  return Decimal.parse(amount).minus(doneAmount).toString();
}

/**
 * Sums the orders' open amounts, or totals for orders by total. The legs of an OCO and the exits of an order count
 * once, because one cancels the other.
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
 * Names lines in the current language: `Sell 0.5`, `OCO · Stop-market · Sell 0.5`, `TP/SL · Sell 0.5`, `3 buys · 0.12
 * BTC`.
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
