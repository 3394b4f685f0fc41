import { parseJson, readStored, store } from '../storage.ts';

/** A drawing of the user in a chart, as it is stored on the device: its tool and its points. */
export interface StoredDrawing {
  readonly tool: DrawingTool;
  readonly points: readonly DrawnPoint[];
}

/**
 * A point of a chart drawing: time in milliseconds UTC (`timestamp`) and price (`value`). The point of a horizontal or
 * vertical line has only one of the two.
 */
export interface DrawnPoint {
  readonly timestamp?: number;
  readonly value?: number;
}

/** Maximum number of chart drawings of a pair that are stored on this device; older ones are not stored. */
const DRAWINGS_MAX = 100;
const POINTS_MAX = 500;

/** Returns the user's chart drawings of a pair that are stored on this device. Invalid entries are omitted. */
export function storedDrawings(symbol: string): readonly StoredDrawing[] {
  return drawingsIn(readStored(keyOf(symbol)));
}

/**
 * Stores the user's chart drawings of a pair on this device. Drawings without points or with more than `POINTS_MAX` are
 * left out, and only the newest `DRAWINGS_MAX` are stored. An empty list removes the entry.
 */
export function storeDrawings(symbol: string, drawings: readonly StoredDrawing[]): void {
  const storable = drawings
    .filter(({ points }) => points.length > 0 && points.length <= POINTS_MAX)
    .slice(-DRAWINGS_MAX);
  store(keyOf(symbol), storable.length === 0 ? null : JSON.stringify(storable));
}

/**
 * Parses the JSON text with which chart drawings are stored on this device. Invalid drawings are omitted; the
 * list is empty if nothing is stored or the text is no JSON list.
 */
export function drawingsIn(text: string | null): readonly StoredDrawing[] {
  const parsed = parseJson(text);
  return Array.isArray(parsed) ? parsed.map(drawingOf).filter((drawing) => drawing !== undefined) : [];
}

function drawingOf(stored: unknown): StoredDrawing | undefined {
  if (typeof stored !== 'object' || stored === null || !('tool' in stored) || !('points' in stored))
    return undefined;
  const tool = DRAWING_TOOLS.find((name) => name === stored.tool);
  if (tool === undefined || !Array.isArray(stored.points) || stored.points.length > POINTS_MAX)
    return undefined;
  const points = stored.points.map(pointOf);
  return points.length === 0 || points.includes(undefined)
    ? undefined
    : { tool, points: points.filter((point) => point !== undefined) };
}

/** Returns the point if it is valid; undefined if neither its time nor its price is a number. */
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

/** The chart library's names of the drawing tools that are offered, in the order of the toolbar. */
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
