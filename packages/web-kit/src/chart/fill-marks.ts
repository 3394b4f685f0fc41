import { registerOverlay, type Chart } from 'klinecharts';
import type { ChartColours } from './chart-styles.ts';
import { tagStyle } from './tags.ts';

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
  readonly isBuy: boolean;
}

const FILL_MARK = 'ownFill';
const FILLS = 'ownFills';
/** More marks than this would only cover the candles. */
const MARKS_MAX = 100;

/** Teaches the chart library the mark of a fill; calling it again changes nothing. */
export function registerFillMark(): void {
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
            ...tagStyle(colour, '#ffffff', colour),
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
      extendData: {
        label: labelOf(fill),
        isBuy: fill.tradeType === 1,
        colour: fill.tradeType === 1 ? colours.up : colours.down,
      } satisfies Mark,
    });
    return mark !== null;
  });
}
