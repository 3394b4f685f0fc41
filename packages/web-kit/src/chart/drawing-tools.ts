import type { Chart } from 'klinecharts';

/** The drawing tools offered, by the chart library's names, in the order of the toolbar. */
export const DRAWING_TOOLS = [
  'segment',
  'rayLine',
  'straightLine',
  'horizontalStraightLine',
  'verticalStraightLine',
  'parallelStraightLine',
  'priceLine',
  'fibonacciLine',
  'brush',
] as const;
export type DrawingTool = (typeof DRAWING_TOOLS)[number];

const DRAWINGS = 'drawings';

/** Starts drawing: the next clicks on the chart place the points. `onDone` is told when it ends. */
export function startDrawing(chart: Chart, tool: DrawingTool, onDone: () => void): void {
  chart.createOverlay({ name: tool, groupId: DRAWINGS, onDrawEnd: onDone, onRemoved: onDone });
}

/** Removes everything drawn by hand. */
export function clearDrawings(chart: Chart): void {
  chart.removeOverlay({ groupId: DRAWINGS });
}
