import type { Chart, DeepPartial, OverlayStyle } from 'klinecharts';
import { keepDrawings, keptDrawings, pointOf, type KeptDrawing } from './drawing-memory.ts';
import { DRAWING_TOOLS, type DrawingTool } from './drawing-tools.ts';

const DRAWINGS = 'drawings';
/** What the library calls the step of an overlay whose points are all set. */
const FINISHED = -1;

/** What a person draws on one pair's chart: shown when the pair is, kept on the device after every change. */
export class Drawings {
  private readonly chart: Chart;
  private readonly symbol: string;
  private isHiding = false;

  constructor(chart: Chart, symbol: string) {
    this.chart = chart;
    this.symbol = symbol;
  }

  /** Draws what this device keeps of the pair. */
  show(): void {
    for (const { tool, points } of keptDrawings(this.symbol)) {
      this.chart.createOverlay({
        name: tool,
        groupId: DRAWINGS,
        points: points.map((point) => ({ ...point })),
        styles: this.stylesOf(tool),
        onPressedMoveEnd: this.keepSoon,
        onRemoved: this.keepSoon,
      });
    }
  }

  /** Starts drawing: the next clicks on the chart place the points. `onDone` is told when it ends. */
  start(tool: DrawingTool, onDone: () => void): void {
    const done = (): void => {
      onDone();
      this.keepSoon();
    };
    this.chart.createOverlay({
      name: tool,
      groupId: DRAWINGS,
      styles: this.stylesOf(tool),
      onDrawEnd: done,
      onPressedMoveEnd: this.keepSoon,
      onRemoved: done,
    });
  }

  /** Removes everything drawn by hand, from the device too. */
  clear(): void {
    this.chart.removeOverlay({ groupId: DRAWINGS });
    keepDrawings(this.symbol, []);
  }

  /** Takes the drawings off the chart, which goes on to another pair; the device keeps them. */
  hide(): void {
    this.isHiding = true;
    this.chart.removeOverlay({ groupId: DRAWINGS });
  }

  /** Fibonacci levels lie close together: their labels, on grounds of their own, would cover each other. */
  private stylesOf(tool: DrawingTool): DeepPartial<OverlayStyle> {
    if (tool !== 'fibonacciLine') return {};
    const accent = this.chart.getStyles().overlay.line.color;
    return { text: { color: accent, backgroundColor: 'transparent', borderColor: 'transparent' } };
  }

  // The library tells of a change while it is still at it.
  private readonly keepSoon = (): void => {
    if (!this.isHiding) queueMicrotask(() => this.keep());
  };

  private keep(): void {
    if (this.isHiding) return;
    const finished = this.chart
      .getOverlays({ groupId: DRAWINGS })
      .filter(({ currentStep }) => currentStep === FINISHED);
    keepDrawings(
      this.symbol,
      finished.flatMap(({ name, points }): KeptDrawing[] => {
        const tool = DRAWING_TOOLS.find((known) => known === name);
        return tool === undefined
          ? []
          : [{ tool, points: points.map(pointOf).filter((point) => point !== undefined) }];
      }),
    );
  }
}
