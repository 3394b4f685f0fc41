import type { OrderType } from '@exchange/core/spot.ts';
import { registerOverlay, type Chart, type OverlayFigure } from 'klinecharts';
import type { ChartColours } from './chart-colours.ts';
import { tagStyle } from './tag-style.ts';

/** An own open order as the chart draws it; the wire's orders fit. */
export interface ChartOrder {
  readonly id: string;
  readonly tradeType: 1 | 2;
  readonly price: string;
  readonly amount: string;
  /** Of orders by total, with `quoteCoin`. */
  readonly total?: string;
  readonly quoteCoin?: string;
  /** Where a stop triggers; drawn instead of the price while the order waits. */
  readonly stopPrice?: string;
  readonly stopStatus?: '' | 'waiting' | 'triggered';
  readonly orderType?: OrderType;
  /** Not empty for the legs of an OCO. */
  readonly groupId?: string;
}

/** A level across the chart with a tag that names it. */
export interface PriceLine {
  readonly key: string;
  /** Plain decimal text. */
  readonly price: string;
  readonly look: 'buy' | 'sell' | 'alert';
  /** A level that is only watched is drawn with points, an order on the book with dashes. */
  readonly isWatched: boolean;
  readonly label: string;
}

/** How orders and alerts are named on their lines. */
export interface LineWords {
  readonly order: (order: ChartOrder) => string;
  readonly alert: string;
}

/** More lines than this would only cover the candles. */
const LINES_MAX = 100;
/** Nearer to the last price than this its tag on the axis would be covered, so ours gives way. */
const TAG_HEIGHT_PX = 18;
const PRICE_LINE = 'priceLevel';
const LINES = 'priceLevels';

/** The lines of orders and alerts: a resting order at its price, a waiting one where it triggers. */
export function linesOf(
  orders: readonly ChartOrder[],
  alerts: readonly string[],
  words: LineWords,
): readonly PriceLine[] {
  const ofOrders = orders.map((order): PriceLine => {
    const isWatched = order.stopStatus === 'waiting';
    return {
      key: order.id,
      price: isWatched ? (order.stopPrice ?? '') : order.price,
      look: order.tradeType === 1 ? 'buy' : 'sell',
      isWatched,
      label: words.order(order),
    };
  });
  const ofAlerts = alerts.map((price): PriceLine => {
    return { key: `alert ${price}`, price, look: 'alert', isWatched: true, label: words.alert };
  });
  return [...ofOrders, ...ofAlerts].filter(({ price }) => price !== '').slice(0, LINES_MAX);
}

interface Drawn {
  readonly label: string;
  readonly colour: string;
  readonly paper: string;
  readonly dashes: readonly [number, number];
}

/** Teaches the chart library the lines; calling it again changes nothing. */
export function registerPriceLine(): void {
  registerOverlay<Drawn>({
    name: PRICE_LINE,
    totalStep: 1,
    needDefaultPointFigure: false,
    createPointFigures: ({ overlay, coordinates, bounding }) =>
      lineFigures(overlay.extendData, coordinates[0]?.y ?? 0, bounding.width),
    createYAxisFigures: ({ overlay, coordinates, chart, yAxis }) => {
      const { colour } = overlay.extendData;
      const y = coordinates[0]?.y ?? 0;
      const last = chart.getDataList().at(-1)?.close;
      if (last !== undefined && yAxis && Math.abs(yAxis.convertToPixel(last) - y) < TAG_HEIGHT_PX) return [];
      const price = overlay.points[0]?.value ?? 0;
      const text = chart
        .getThousandsSeparator()
        .format(price.toFixed(chart.getSymbol()?.pricePrecision ?? 2));
      return {
        type: 'text',
        attrs: { x: 0, y, text, align: 'left', baseline: 'middle' },
        styles: tagStyle(colour, '#ffffff', colour),
        ignoreEvent: true,
      };
    },
  });
}

function lineFigures({ colour, label, paper, dashes }: Drawn, y: number, width: number): OverlayFigure[] {
  return [
    {
      type: 'line',
      attrs: {
        coordinates: [
          { x: 0, y },
          { x: width, y },
        ],
      },
      styles: { style: 'dashed', color: colour, size: 1, dashedValue: dashes },
      ignoreEvent: true,
    },
    {
      type: 'text',
      attrs: { x: width - 6, y, text: label, align: 'right', baseline: 'middle' },
      styles: tagStyle(paper, colour, colour),
      ignoreEvent: true,
    },
  ];
}

/** Draws all lines anew. */
export function drawLines(chart: Chart, lines: readonly PriceLine[], colours: ChartColours): void {
  chart.removeOverlay({ groupId: LINES });
  const colourOf = { buy: colours.up, sell: colours.down, alert: colours.accent };
  for (const { price, look, isWatched, label } of lines) {
    chart.createOverlay({
      name: PRICE_LINE,
      groupId: LINES,
      lock: true,
      points: [{ value: Number(price) }],
      extendData: {
        label,
        colour: colourOf[look],
        paper: colours.paper,
        dashes: isWatched ? [2, 3] : [6, 3],
      } satisfies Drawn,
    });
  }
}
