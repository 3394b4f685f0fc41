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
  type StoredDrawing,
  storeDrawings,
  storedDrawings,
  pointOf,
} from './drawing-memory.ts';

/** A chart drawing in the list for users of a screen reader or a keyboard. */
export interface ShownDrawing {
  readonly tool: DrawingTool;
  /** Price of the drawing's first point; undefined for a vertical line, which has none. */
  readonly price: number | undefined;
  readonly isSelected: boolean;
}

/** Whether the user touches the screen instead of using a mouse, and a callback for changes of the drawings. */
interface Environment {
  readonly isTouched: boolean;
  readonly onChange: (shown: readonly ShownDrawing[]) => void;
}

const DRAWINGS = 'drawings';
const LINE_PX = 1.5;
const SELECTED_LINE_PX = 2.5;
/** Radius in pixels of a drawing's handles on a touch screen; `activeRadius` is that of a touched handle. */
const TOUCHED_POINT = { radius: 9, activeRadius: 11 };

/** The user's drawings on the chart of one pair. They are stored on the device after every change. */
export class Drawings {
  private readonly chart: Chart;
  private readonly symbol: string;
  private readonly environment: Environment;
  /** Finished drawings with their ids in the chart library, in order of creation. */
  private drawings: { readonly id: string; readonly tool: DrawingTool }[] = [];
  private unfinished: { readonly id: string; readonly onDone: () => void } | undefined;
  private selected: string | undefined;
  private isSilent = false;

  constructor(chart: Chart, symbol: string, environment: Environment) {
    this.chart = chart;
    this.symbol = symbol;
    this.environment = environment;
  }

  /** Draws the user's drawings of the pair, which are stored on this device, on the chart. */
  show(): void {
    this.drawings = storedDrawings(this.symbol).flatMap(({ tool, points }) => {
      const id = this.draw(tool, points);
      return id === undefined ? [] : [{ id, tool }];
    });
    this.publish();
  }

  /**
   * Starts a drawing. The next clicks on the chart set its points. `onDone` is called when the drawing is finished or
   * abandoned.
   */
  start(tool: DrawingTool, onDone: () => void): void {
    this.deselect();
    const id = this.create(tool, {
      onDrawEnd: ({ overlay }) => {
        this.drawings.push({ id: overlay.id, tool });
        this.unfinished = undefined;
        onDone();
        this.storeSoon();
      },
    });
    this.unfinished = id === undefined ? undefined : { id, onDone };
  }

  /** Abandons the unfinished drawing. Returns false if there is none. */
  abandon(): boolean {
    if (this.unfinished === undefined) return false;
    this.chart.removeOverlay({ id: this.unfinished.id });
    return true;
  }

  /** Selects a drawing by its index in the list that was passed to `onChange`. */
  select(index: number): void {
    const id = this.drawings[index]?.id;
    if (id === undefined || id === this.selected) return;
    this.deselect();
    this.setSelected(id, true);
  }

  /** Deselects the selected drawing. Returns false if none is selected. */
  deselect(): boolean {
    const id = this.selected;
    if (id === undefined) return false;
    this.selected = undefined;
    this.redraw(id);
    this.publish();
    return true;
  }

  /**
   * Removes the selected drawing from the chart and from this device's storage. Returns false if none is
   * selected.
   */
  remove(): boolean {
    return this.selected !== undefined && this.chart.removeOverlay({ id: this.selected });
  }

  /** Removes all drawings of the pair from the chart and from this device's storage. */
  clear(): void {
    this.chart.removeOverlay({ groupId: DRAWINGS });
    storeDrawings(this.symbol, []);
  }

  /**
   * Removes the drawings from the chart before the chart shows another pair. They stay stored on this device.
   */
  hide(): void {
    this.isSilent = true;
    this.chart.removeOverlay({ groupId: DRAWINGS });
    this.environment.onChange([]);
  }

  private draw(tool: DrawingTool, points: readonly DrawnPoint[]): string | undefined {
    return this.create(tool, { points: points.map((point) => ({ ...point })) });
  }

  private create(tool: DrawingTool, options: Partial<OverlayCreate>): string | undefined {
    const id = this.chart.createOverlay({
      name: overlayOf(tool),
      groupId: DRAWINGS,
      // On a touch screen a drawing that is not selected is locked, so that scrolling the chart does not move the
      // drawing.
      lock: this.environment.isTouched,
      styles: this.stylesOf(tool),
      onPressedMoveEnd: this.storeSoon,
      onSelected: ({ overlay }) => {
        this.setSelected(overlay.id, true);
        this.chart.getDom()?.focus({ preventScroll: true });
      },
      onDeselected: ({ overlay }) => {
        if (overlay.id === this.selected) this.setSelected(overlay.id, false);
      },
      onRemoved: ({ overlay }) => this.onRemoved(overlay.id),
      ...options,
    });
    return typeof id === 'string' ? id : undefined;
  }

  private setSelected(id: string, isSelected: boolean): void {
    this.selected = isSelected ? id : undefined;
    const size = isSelected ? SELECTED_LINE_PX : LINE_PX;
    const lock = this.environment.isTouched && !isSelected;
    this.chart.overrideOverlay({ id, lock, styles: { line: { size } } });
    this.publish();
  }

  /**
   * Draws a drawing again. This hides its handles, which the chart library would show until another drawing is clicked.
   */
  private redraw(id: string): void {
    const index = this.drawings.findIndex((drawing) => drawing.id === id);
    const tool = this.drawings[index]?.tool;
    const points = this.overlay(id)?.points;
    if (tool === undefined || points === undefined) return;
    this.isSilent = true;
    this.chart.removeOverlay({ id });
    this.isSilent = false;
    const newId = this.draw(tool, pointsOf(points));
    if (newId !== undefined) this.drawings[index] = { id: newId, tool };
  }

  private onRemoved(id: string): void {
    if (this.isSilent) return;
    if (this.selected === id) this.selected = undefined;
    if (this.unfinished?.id === id) {
      this.unfinished.onDone();
      this.unfinished = undefined;
    }
    this.drawings = this.drawings.filter((drawing) => drawing.id !== id);
    this.storeSoon();
  }

  /**
   * Returns the styles of a tool's drawings. On a touch screen the handles are larger. The labels of
   * Fibonacci levels have no background, because the levels are close together and a background would cover
   * other labels.
   */
  private stylesOf(tool: DrawingTool): DeepPartial<OverlayStyle> {
    const point = this.environment.isTouched ? TOUCHED_POINT : {};
    if (tool !== 'fibonacciLine') return { point };
    const accent = this.chart.getStyles().overlay.line.color;
    return { point, text: { color: accent, backgroundColor: 'transparent', borderColor: 'transparent' } };
  }

  // The library reports a change before it has completed it. The drawings are therefore stored in a microtask.
  private readonly storeSoon = (): void => {
    queueMicrotask(() => {
      if (this.isSilent) return;
      storeDrawings(
        this.symbol,
        this.drawings.map(({ id, tool }): StoredDrawing => ({
          tool,
          points: pointsOf(this.overlay(id)?.points),
        })),
      );
      this.publish();
    });
  };

  private publish(): void {
    this.environment.onChange(
      this.drawings.map(({ id, tool }) => ({
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

const GRAB_AREA = 'grip';
const PREFIX = 'drawn ';

interface GrabArea {
  readonly coordinates: readonly Coordinate[];
}

/** Returns the name under which a drawing tool is registered with the chart library. */
export function overlayOf(tool: DrawingTool): string {
  return `${PREFIX}${tool}`;
}

/**
 * Registers drawing tools whose drawings can be grabbed within `reachPx` pixels of their lines. The library's own tools
 * require two pixels, which is too precise for a finger. Another call only changes the distance.
 */
export function registerDrawings(reachPx: number): void {
  registerFigure<GrabArea>({
    name: GRAB_AREA,
    checkEventOn: (at, attrs) => [attrs].flat().some(({ coordinates }) => isNear(at, coordinates, reachPx)),
    draw: () => undefined,
  });
  for (const tool of DRAWING_TOOLS) {
    const Overlay = getOverlayClass(tool);
    if (Overlay === null) continue;
    const { createPointFigures, ...overlay } = new Overlay();
    registerOverlay({
      name: overlayOf(tool),
      totalStep: overlay.totalStep,
      drawingMode: overlay.drawingMode,
      needDefaultPointFigure: overlay.needDefaultPointFigure,
      needDefaultXAxisFigure: overlay.needDefaultXAxisFigure,
      needDefaultYAxisFigure: overlay.needDefaultYAxisFigure,
      performEventPressedMove: overlay.performEventPressedMove,
      performEventMoveForDrawing: overlay.performEventMoveForDrawing,
      createPointFigures: (at) => withGrabAreas([createPointFigures?.(at) ?? []].flat()),
    } satisfies OverlayTemplate);
  }
}

/**
 * Adds an invisible grab area to each line. Labels react to the pointer as well, because otherwise they would block
 * clicks on the line under them.
 */
function withGrabAreas(figures: readonly OverlayFigure[]): OverlayFigure[] {
  const lines = figures.filter(({ type }) => type === 'line');
  return [
    ...lines.map(({ attrs }): OverlayFigure => ({ type: GRAB_AREA, attrs })),
    ...figures.map((figure) => ({ ...figure, ignoreEvent: false })),
  ];
}

/**
 * Returns whether the position `at` is within `reachPx` pixels of one of the line segments between successive `points`.
 */
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
