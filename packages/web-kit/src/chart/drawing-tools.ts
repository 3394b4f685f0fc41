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
