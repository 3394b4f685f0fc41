import {
  type Chart,
  type Coordinate,
  type DeepPartial,
  type Overlay,
  type OverlayCreate,
  type OverlayFigure,
  type OverlayStyle,
  type OverlayTemplate,
  getOverlayClass,
  registerFigure,
  registerOverlay,
} from 'klinecharts';
import {
  DRAWING_TOOLS,
  type DrawingTool,
  type DrawnPoint,
  type KeptDrawing,
  keepDrawings,
  keptDrawings,
  pointOf,
} from './drawing-memory.ts';

/** A drawing of the pair, for those who are to choose one. */
export interface ShownDrawing {
  readonly tool: DrawingTool;
  /** Of its first point; a vertical line has none. */
  readonly price: number | undefined;
  readonly isSelected: boolean;
}

/** Who is to know of drawings, and what holds them. */
interface Surroundings {
  readonly isTouched: boolean;
  readonly onChange: (shown: readonly ShownDrawing[]) => void;
}

const DRAWINGS = 'drawings';
const LINE_PX = 1.5;
const SELECTED_LINE_PX = 2.5;
/** A handle for a finger. */
const TOUCHED_POINT = { radius: 9, activeRadius: 11 };

/** What a person draws on one pair's chart: shown when the pair is, kept on the device after every change. */
export class Drawings {
  private readonly chart: Chart;
  private readonly symbol: string;
  private readonly surroundings: Surroundings;
  /** Finished ones by the library's names of them, in the order of their making. */
  private drawn: { readonly id: string; readonly tool: DrawingTool }[] = [];
  private begun: { readonly id: string; readonly onDone: () => void } | undefined;
  private selected: string | undefined;
  private isQuiet = false;

  constructor(chart: Chart, symbol: string, surroundings: Surroundings) {
    this.chart = chart;
    this.symbol = symbol;
    this.surroundings = surroundings;
  }

  /** Draws what this device keeps of the pair. */
  show(): void {
    this.drawn = keptDrawings(this.symbol).flatMap(({ tool, points }) => {
      const id = this.draw(tool, points);
      return id === undefined ? [] : [{ id, tool }];
    });
    this.publish();
  }

  /** Starts drawing: the next clicks on the chart place the points. `onDone` is called when it ends. */
  start(tool: DrawingTool, onDone: () => void): void {
    this.deselect();
    const id = this.create(tool, {
      onDrawEnd: ({ overlay }) => {
        this.drawn.push({ id: overlay.id, tool });
        this.begun = undefined;
        onDone();
        this.changeSoon();
      },
    });
    this.begun = id === undefined ? undefined : { id, onDone };
  }

  /** Gives up the drawing that was begun; says whether there was one. */
  giveUp(): boolean {
    if (this.begun === undefined) return false;
    this.chart.removeOverlay({ id: this.begun.id });
    return true;
  }

  /** Selects the drawing at a place of those shown. */
  select(place: number): void {
    const id = this.drawn[place]?.id;
    if (id === undefined || id === this.selected) return;
    this.deselect();
    this.mark(id, true);
  }

  /** Takes the selection off again; says whether there was one. */
  deselect(): boolean {
    const id = this.selected;
    if (id === undefined) return false;
    this.selected = undefined;
    this.redraw(id);
    this.publish();
    return true;
  }

  /** Removes the selected drawing, from the device too; says whether there was one. */
  remove(): boolean {
    return this.selected !== undefined && this.chart.removeOverlay({ id: this.selected });
  }

  /** Removes everything drawn by hand, from the device too. */
  clear(): void {
    this.chart.removeOverlay({ groupId: DRAWINGS });
    keepDrawings(this.symbol, []);
  }

  /** Takes the drawings off the chart, which goes on to another pair; the device keeps them. */
  hide(): void {
    this.isQuiet = true;
    this.chart.removeOverlay({ groupId: DRAWINGS });
    this.surroundings.onChange([]);
  }

  private draw(tool: DrawingTool, points: readonly DrawnPoint[]): string | undefined {
    return this.create(tool, { points: points.map((point) => ({ ...point })) });
  }

  private create(tool: DrawingTool, more: Partial<OverlayCreate>): string | undefined {
    const id = this.chart.createOverlay({
      name: overlayOf(tool),
      groupId: DRAWINGS,
      // A finger that means to move the chart must not take a drawing along.
      lock: this.surroundings.isTouched,
      styles: this.stylesOf(tool),
      onPressedMoveEnd: this.changeSoon,
      onSelected: ({ overlay }) => {
        this.mark(overlay.id, true);
        this.chart.getDom()?.focus({ preventScroll: true });
      },
      onDeselected: ({ overlay }) => {
        if (overlay.id === this.selected) this.mark(overlay.id, false);
      },
      onRemoved: ({ overlay }) => this.forget(overlay.id),
      ...more,
    });
    return typeof id === 'string' ? id : undefined;
  }

  private mark(id: string, isSelected: boolean): void {
    this.selected = isSelected ? id : undefined;
    const size = isSelected ? SELECTED_LINE_PX : LINE_PX;
    const lock = this.surroundings.isTouched && !isSelected;
    this.chart.overrideOverlay({ id, lock, styles: { line: { size } } });
    this.publish();
  }

  /** The library shows the handles of what was clicked last until something else is: only a new drawing has none. */
  private redraw(id: string): void {
    const place = this.drawn.findIndex((one) => one.id === id);
    const tool = this.drawn[place]?.tool;
    const points = this.overlay(id)?.points;
    if (tool === undefined || points === undefined) return;
    this.isQuiet = true;
    this.chart.removeOverlay({ id });
    this.isQuiet = false;
    const fresh = this.draw(tool, pointsOf(points));
    if (fresh !== undefined) this.drawn[place] = { id: fresh, tool };
  }

  private forget(id: string): void {
    if (this.isQuiet) return;
    if (this.selected === id) this.selected = undefined;
    if (this.begun?.id === id) {
      this.begun.onDone();
      this.begun = undefined;
    }
    this.drawn = this.drawn.filter((one) => one.id !== id);
    this.changeSoon();
  }

  /** Fibonacci levels lie close together: their labels, on grounds of their own, would cover each other. */
  private stylesOf(tool: DrawingTool): DeepPartial<OverlayStyle> {
    const point = this.surroundings.isTouched ? TOUCHED_POINT : {};
    if (tool !== 'fibonacciLine') return { point };
    const accent = this.chart.getStyles().overlay.line.color;
    return { point, text: { color: accent, backgroundColor: 'transparent', borderColor: 'transparent' } };
  }

  // The library reports a change while it is still at it.
  private readonly changeSoon = (): void => {
    queueMicrotask(() => {
      if (this.isQuiet) return;
      keepDrawings(
        this.symbol,
        this.drawn.map(({ id, tool }): KeptDrawing => ({ tool, points: pointsOf(this.overlay(id)?.points) })),
      );
      this.publish();
    });
  };

  private publish(): void {
    this.surroundings.onChange(
      this.drawn.map(({ id, tool }) => ({
        tool,
        price: this.overlay(id)?.points[0]?.value,
        isSelected: id === this.selected,
      })),
    );
  }

  private overlay(id: string): Overlay | undefined {
    return this.chart.getOverlays({ id })[0];
  }
}

function pointsOf(points: Overlay['points'] = []): readonly DrawnPoint[] {
  return points.map(pointOf).filter((point) => point !== undefined);
}

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
