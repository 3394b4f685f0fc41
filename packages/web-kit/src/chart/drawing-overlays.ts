import {
  getOverlayClass,
  registerFigure,
  registerOverlay,
  type Coordinate,
  type OverlayFigure,
  type OverlayTemplate,
} from 'klinecharts';
import { DRAWING_TOOLS, type DrawingTool } from './drawing-tools.ts';

const GRIP = 'grip';
const PREFIX = 'drawn ';

interface Grip {
  readonly coordinates: readonly Coordinate[];
}

/** The name of the overlay that draws with a tool. */
export function overlayOf(tool: DrawingTool): string {
  return `${PREFIX}${tool}`;
}

/**
 * Teaches the chart library drawings that can be taken hold of within `reachPx` of their lines; its own have to
 * be met to two pixels, which no finger does. Calling it again changes nothing but the reach.
 */
export function registerDrawings(reachPx: number): void {
  registerFigure<Grip>({
    name: GRIP,
    checkEventOn: (at, attrs) => [attrs].flat().some(({ coordinates }) => isNear(at, coordinates, reachPx)),
    draw: () => undefined,
  });
  for (const tool of DRAWING_TOOLS) {
    const Overlay = getOverlayClass(tool);
    if (Overlay === null) continue;
    const { createPointFigures, ...known } = new Overlay();
    registerOverlay({
      name: overlayOf(tool),
      totalStep: known.totalStep,
      drawingMode: known.drawingMode,
      needDefaultPointFigure: known.needDefaultPointFigure,
      needDefaultXAxisFigure: known.needDefaultXAxisFigure,
      needDefaultYAxisFigure: known.needDefaultYAxisFigure,
      performEventPressedMove: known.performEventPressedMove,
      performEventMoveForDrawing: known.performEventMoveForDrawing,
      createPointFigures: (at) => withGrips([createPointFigures?.(at) ?? []].flat()),
    } satisfies OverlayTemplate);
  }
}

/** Labels are to be taken hold of too: a click on one that listened to nothing would be lost for the line under it. */
function withGrips(figures: readonly OverlayFigure[]): OverlayFigure[] {
  const lines = figures.filter(({ type }) => type === 'line');
  return [
    ...lines.map(({ attrs }): OverlayFigure => ({ type: GRIP, attrs })),
    ...figures.map((figure) => ({ ...figure, ignoreEvent: false })),
  ];
}

/** Whether a place is at most `reachPx` from a line through points. */
export function isNear(at: Coordinate, points: readonly Coordinate[], reachPx: number): boolean {
  return points.slice(1).some((to, index) => distanceTo(at, points[index] ?? to, to) <= reachPx);
}

function distanceTo(at: Coordinate, from: Coordinate, to: Coordinate): number {
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = x * x + y * y;
  const along = length === 0 ? 0 : ((at.x - from.x) * x + (at.y - from.y) * y) / length;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(at.x - from.x - share * x, at.y - from.y - share * y);
}
