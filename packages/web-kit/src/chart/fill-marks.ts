import { registerOverlay, type Chart } from 'klinecharts';
import type { ChartColours } from './chart-styles.ts';
import { tagStyle } from './tags.ts';

/** A fill of the user's order. The chart shows it as a mark at the candle of its time. */
export interface ChartFill {
  readonly tradeId: string;
  readonly tradeType: 1 | 2;
  readonly price: string;
  /** Time of the fill in milliseconds UTC. */
  readonly ts: number;
}

interface Mark {
  readonly label: string;
  readonly colour: string;
  readonly isBuy: boolean;
}

const FILL_MARK = 'ownFill';
const FILLS = 'ownFills';
/**
 * Maximum number of fills that the chart marks: the first ones of the given list. More marks would cover the candles.
 */
const MARKS_MAX = 100;

/** Registers the mark of fills with the chart library. Another call has no effect. */
export function registerFillMark(): void {
  registerOverlay<Mark>({
    name: FILL_MARK,
    totalStep: 1,
    needDefaultPointFigure: false,
    createPointFigures: ({ overlay, coordinates }) => {
      const { x, y } = coordinates[0] ?? { x: 0, y: 0 };
      const { colour, label, isBuy } = overlay.extendData;
      const direction = isBuy ? 1 : -1;
      const corners = [
        { x, y: y + direction * 3 },
        { x: x - 4, y: y + direction * 10 },
        { x: x + 4, y: y + direction * 10 },
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
          attrs: { x, y: y + direction * 17, text: label, align: 'center', baseline: 'middle' },
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
 * Removes all marks and draws the first `MARKS_MAX` fills again. `barTimeOf` returns the opening time of a fill's
 * candle, and `labelOf` the letter in its mark. Returns the fills that the chart has drawn.
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
