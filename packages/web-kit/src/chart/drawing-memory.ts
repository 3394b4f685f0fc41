import { jsonIn, recall, remember } from '../storage.ts';

/** A drawing as it is kept: its tool and where its points are. */
export interface KeptDrawing {
  readonly tool: DrawingTool;
  readonly points: readonly DrawnPoint[];
}

/** A price at a time (milliseconds UTC); lines across the whole chart lack one of the two. */
export interface DrawnPoint {
  readonly timestamp?: number;
  readonly value?: number;
}

/** What a device keeps of one pair at most. */
const DRAWINGS_MAX = 100;
const POINTS_MAX = 500;

/** The drawings that this device keeps of a pair; what is not sound is left out. */
export function keptDrawings(symbol: string): readonly KeptDrawing[] {
  return drawingsIn(recall(keyOf(symbol)));
}

/** Keeps the drawings of a pair on this device; none forgets them. */
export function keepDrawings(symbol: string, drawings: readonly KeptDrawing[]): void {
  const kept = drawings
    .filter(({ points }) => points.length > 0 && points.length <= POINTS_MAX)
    .slice(-DRAWINGS_MAX);
  remember(keyOf(symbol), kept.length === 0 ? null : JSON.stringify(kept));
}

/** Reads drawings out of the text they were kept as. */
export function drawingsIn(text: string | null): readonly KeptDrawing[] {
  const said = jsonIn(text);
  return Array.isArray(said) ? said.map(drawingOf).filter((drawing) => drawing !== undefined) : [];
}

function drawingOf(kept: unknown): KeptDrawing | undefined {
  if (typeof kept !== 'object' || kept === null || !('tool' in kept) || !('points' in kept)) return undefined;
  const tool = DRAWING_TOOLS.find((known) => known === kept.tool);
  if (tool === undefined || !Array.isArray(kept.points) || kept.points.length > POINTS_MAX) return undefined;
  const points = kept.points.map(pointOf);
  return points.length === 0 || points.includes(undefined)
    ? undefined
    : { tool, points: points.filter((point) => point !== undefined) };
}

/** A point of which time or price is known; undefined where neither is a number. */
export function pointOf(point: unknown): DrawnPoint | undefined {
  if (typeof point !== 'object' || point === null) return undefined;
  const timestamp = 'timestamp' in point ? numberOf(point.timestamp) : undefined;
  const value = 'value' in point ? numberOf(point.value) : undefined;
  if (timestamp === undefined && value === undefined) return undefined;
  return { ...(timestamp === undefined ? {} : { timestamp }), ...(value === undefined ? {} : { value }) };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function keyOf(symbol: string): string {
  return `chart-drawings.${symbol}`;
}

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
