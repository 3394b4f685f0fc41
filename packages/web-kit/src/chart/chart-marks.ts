import { registerOverlay, type Chart } from 'klinecharts';
import type { ChartColours } from './chart-colours.ts';

/** An own open order, drawn as a line at its price. */
export interface ChartOrder {
  readonly id: string;
  readonly tradeType: 1 | 2;
  readonly price: string;
  readonly amount: string;
}

/** An own fill, drawn as a mark at its candle. */
export interface ChartFill {
  readonly tradeId: string;
  readonly tradeType: 1 | 2;
  readonly price: string;
  /** Milliseconds UTC. */
  readonly ts: number;
}

interface Mark {
  readonly label: string;
  readonly colour: string;
  readonly paper: string;
  readonly isBuy: boolean;
}

const ORDER_LINE = 'ownOrder';
const FILL_MARK = 'ownFill';
const ORDERS = 'ownOrders';
const FILLS = 'ownFills';
/** More marks than this would only cover the candles. */
const MARKS_MAX = 100;

/** Teaches the chart library the two kinds of marks; calling it again changes nothing. */
export function registerMarks(): void {
  registerOrderLine();
  registerFillMark();
}

function registerOrderLine(): void {
  registerOverlay<Mark>({
    name: ORDER_LINE,
    totalStep: 1,
    needDefaultPointFigure: false,
    createPointFigures: ({ overlay, coordinates, bounding }) => {
      const y = coordinates[0]?.y ?? 0;
      const { colour, label, paper } = overlay.extendData;
      return [
        {
          type: 'line',
          attrs: {
            coordinates: [
              { x: 0, y },
              { x: bounding.width, y },
            ],
          },
          styles: { style: 'dashed', color: colour, size: 1, dashedValue: [4, 3] },
          ignoreEvent: true,
        },
        {
          type: 'text',
          attrs: { x: bounding.width - 6, y, text: label, align: 'right', baseline: 'middle' },
          styles: tag(paper, colour, colour),
          ignoreEvent: true,
        },
      ];
    },
    createYAxisFigures: ({ overlay, coordinates, chart }) => {
      const { colour } = overlay.extendData;
      const price = overlay.points[0]?.value ?? 0;
      const text = chart
        .getThousandsSeparator()
        .format(price.toFixed(chart.getSymbol()?.pricePrecision ?? 2));
      return {
        type: 'text',
        attrs: { x: 0, y: coordinates[0]?.y ?? 0, text, align: 'left', baseline: 'middle' },
        styles: tag(colour, '#ffffff', colour),
        ignoreEvent: true,
      };
    },
  });
}

function registerFillMark(): void {
  registerOverlay<Mark>({
    name: FILL_MARK,
    totalStep: 1,
    needDefaultPointFigure: false,
    createPointFigures: ({ overlay, coordinates }) => {
      const { x, y } = coordinates[0] ?? { x: 0, y: 0 };
      const { colour, label, isBuy } = overlay.extendData;
      const away = isBuy ? 1 : -1;
      const corners = [
        { x, y: y + away * 3 },
        { x: x - 4, y: y + away * 10 },
        { x: x + 4, y: y + away * 10 },
      ];
      return [
        {
          type: 'polygon',
          attrs: { coordinates: corners },
          styles: { style: 'fill', color: colour },
          ignoreEvent: true,
        },
        {
          type: 'text',
          attrs: { x, y: y + away * 17, text: label, align: 'center', baseline: 'middle' },
          styles: {
            ...tag(colour, '#ffffff', colour),
            size: 9,
            paddingLeft: 3,
            paddingRight: 3,
            paddingTop: 1,
            paddingBottom: 1,
          },
          ignoreEvent: true,
        },
      ];
    },
  });
}

/** Draws the own open orders anew. `labelOf` words one, e.g. "Buy 0.5". */
export function drawOrders(
  chart: Chart,
  orders: readonly ChartOrder[],
  colours: ChartColours,
  labelOf: (order: ChartOrder) => string,
): void {
  chart.removeOverlay({ groupId: ORDERS });
  for (const order of orders.slice(0, MARKS_MAX)) {
    if (order.price === '') continue;
    const isBuy = order.tradeType === 1;
    chart.createOverlay({
      name: ORDER_LINE,
      groupId: ORDERS,
      lock: true,
      points: [{ value: Number(order.price) }],
      extendData: markOf(isBuy, labelOf(order), colours),
    });
  }
}

/**
 * Draws the own fills anew, each on the candle of `barTimeOf` its time; `labelOf` gives its letter. Gives those
 * that the chart has taken.
 */
export function drawFills(
  chart: Chart,
  fills: readonly ChartFill[],
  colours: ChartColours,
  labelOf: (fill: ChartFill) => string,
  barTimeOf: (atMs: number) => number,
): readonly ChartFill[] {
  chart.removeOverlay({ groupId: FILLS });
  return fills.slice(0, MARKS_MAX).filter((fill) => {
    const mark = chart.createOverlay({
      name: FILL_MARK,
      groupId: FILLS,
      lock: true,
      points: [{ timestamp: barTimeOf(fill.ts), value: Number(fill.price) }],
      extendData: markOf(fill.tradeType === 1, labelOf(fill), colours),
    });
    return mark !== null;
  });
}

function markOf(isBuy: boolean, label: string, colours: ChartColours): Mark {
  return { label, isBuy, colour: isBuy ? colours.up : colours.down, paper: colours.paper };
}

function tag(backgroundColor: string, color: string, borderColor: string) {
  return {
    style: 'stroke_fill',
    color,
    backgroundColor,
    borderColor,
    borderSize: 1,
    borderRadius: 2,
    size: 11,
    paddingLeft: 4,
    paddingRight: 4,
    paddingTop: 2,
    paddingBottom: 2,
  };
}
