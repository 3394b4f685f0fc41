import type { Chart } from 'klinecharts';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { CANDLE_PANE } from './indicators.ts';
import type { LineHandle, LineHandling } from './price-line-overlay.ts';
import {
  type ChartOrder,
  type LineField,
  linesOf,
  type LinesShown,
  type LineWords,
  type MovingLine,
  type PriceLine,
} from './price-lines.ts';
import { TAG_HEIGHT_PX } from './tags.ts';

/** What the user can do with orders in the chart. Prices are decimal text with the pair's number of decimals. */
export interface ChartActions {
  /** Returns whether the user can change this price of an order by dragging the price's line. */
  readonly canMove: (order: ChartOrder, field: LineField) => boolean;
  /**
   * Called with the new price when the user has dragged an order's line and dropped it. The new price may be equal to
   * the old one.
   */
  readonly move: (order: ChartOrder, field: LineField, price: string) => void;
  /** Called when the user has pressed the cancel cross of an order's line. */
  readonly cancel: (order: ChartOrder) => void;
  /**
   * Called when the user has pressed the plus at the price axis. The screen then fills the price into the form for a
   * new order.
   */
  readonly place: (price: string) => void;
}

/** The user drags a line only if the pointer moves by at least this many pixels while pressed. */
const DRAG_PX = 3;

/**
 * The area of a price line that is under the pointer, and what a press there does: `move` starts to drag the line,
 * `cancel` cancels the order.
 */
interface Grip {
  readonly handle: LineHandle;
  readonly action: 'move' | 'cancel';
}

interface Drag extends Grip {
  /** Vertical distance in pixels from the pointer to the line, which stays the same during the drag. */
  readonly offsetY: number;
  readonly startY: number;
  readonly price: string;
  readonly hasMoved: boolean;
}

interface LineHandles {
  /** Functions that the drawing of the price lines calls; undefined if the user cannot change the lines. */
  readonly handling: LineHandling | undefined;
  readonly moving: MovingLine | undefined;
  /**
   * Returns, for a vertical position of the pointer in the window, the price there and the position of the
   * plus at the price axis, in pixels from the top of the candle pane. Returns undefined if no plus is shown:
   * near a tag that can be dragged or cancelled, while a line is dragged, and outside of the pane.
   */
  readonly freePriceAt: (clientY: number) => { readonly price: string; readonly y: number } | undefined;
}

interface CurrentLines {
  /** The price lines in the chart, by key. */
  readonly lines: ReadonlyMap<string, PriceLine>;
  readonly actions: ChartActions | undefined;
}

/** Converts between prices and vertical positions in the chart, which are in pixels. */
class PriceHeights {
  private readonly chart: Chart;
  private readonly digits: number;

  constructor(chart: Chart, digits: number) {
    this.chart = chart;
    this.digits = digits;
  }

  /** Converts coordinates of the browser window to pixels from the top left corner of the candle pane. */
  inPane({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) {
    const box = this.chart.getDom(CANDLE_PANE, 'main')?.getBoundingClientRect();
    return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
  }

  /**
   * Returns the price at a vertical position in the candle pane, rounded to the pair's decimals. Returns undefined
   * outside of the pane and for a price that rounds to zero.
   */
  priceAt(y: number): string | undefined {
    const height = this.chart.getSize(CANDLE_PANE, 'main')?.height ?? 0;
    if (y < 0 || y > height) return undefined;
    const [point] = [this.chart.convertFromPixel([{ y }], { paneId: CANDLE_PANE })].flat();
    const text = point?.value?.toFixed(this.digits);
    return text !== undefined && Number(text) > 0 ? text : undefined;
  }

  /** Returns the vertical position of a price in the candle pane, in pixels from its top. */
  heightOf(price: string): number {
    const [position] = [
      this.chart.convertToPixel([{ value: Number(price) }], { paneId: CANDLE_PANE }),
    ].flat();
    return position?.y ?? 0;
  }
}

/** The chart and the DOM element that contains it. */
export interface DrawnChart {
  readonly chart: Chart | undefined;
  readonly canvas: RefObject<HTMLElement | null>;
}

interface LineSettings {
  readonly actions: ChartActions | undefined;
  /** Number of decimals of the pair's prices. */
  readonly digits: number;
  readonly lineWords: LineWords;
}

/**
 * Returns the price lines of a chart, and the functions for the pointer. While the user drags a line, it has the price
 * at the pointer.
 */
export function useChartLines(
  { chart, canvas }: DrawnChart,
  { orders, alerts, position, resultOf }: Omit<LinesShown, 'moving'>,
  { actions, digits, lineWords }: LineSettings,
) {
  const resting = useMemo(
    () => linesOf({ orders, alerts, position, resultOf }, lineWords),
    [orders, alerts, position, resultOf, lineWords],
  );
  const { handling, moving, freePriceAt } = useLineHandles(chart, canvas, {
    actions,
    lines: resting,
    digits,
  });
  const lines = useMemo(
    () =>
      moving === undefined ? resting : linesOf({ orders, alerts, position, resultOf, moving }, lineWords),
    [resting, orders, alerts, position, resultOf, moving, lineWords],
  );
  return { lines, handling, freePriceAt };
}

/**
 * With the pointer the user can drag movable price lines by their tags and press the cancel crosses. Escape, the loss
 * of the pointer and the loss of the window's focus cancel the drag. If the user drops a line outside of the pane, its
 * last price inside the pane is used. The chart does not receive a press that drags or cancels.
 */
function useLineHandles(
  chart: Chart | undefined,
  canvas: RefObject<HTMLElement | null>,
  {
    actions,
    lines,
    digits,
  }: { actions: ChartActions | undefined; lines: readonly PriceLine[]; digits: number },
): LineHandles {
  const handles = useRef<readonly LineHandle[]>([]);
  const latest = useRef<CurrentLines>({ lines: new Map(), actions });
  const [moving, setMoving] = useState<MovingLine>();
  useEffect(() => {
    latest.current = { lines: new Map(lines.map((line) => [line.key, line])), actions };
  }, [lines, actions]);

  const isInteractive = actions !== undefined;
  const handling = useMemo(
    (): LineHandling | undefined =>
      isInteractive
        ? {
            canMove: ({ order, field }) =>
              order !== undefined &&
              field !== undefined &&
              latest.current.actions?.canMove(order, field) === true,
            // Only the line of an order's own price has a cancel cross. A take-profit or stop-loss is no separate order
            // until the entry order has ended.
            canCancel: ({ order, field }) =>
              order !== undefined && (field === 'price' || field === 'stopPrice'),
            onPlaced: (placedHandles) => {
              handles.current = placedHandles;
            },
          }
        : undefined,
    [isInteractive],
  );

  useEffect(() => {
    const element = canvas.current;
    if (chart === undefined || element === null || !isInteractive) return undefined;
    return new LinePointer(element, {
      heights: new PriceHeights(chart, digits),
      gripAt: (position) => gripAt(handles.current, position),
      current: () => latest.current,
      onMoving: setMoving,
    }).follow();
  }, [chart, canvas, isInteractive, digits]);

  return {
    handling,
    moving,
    freePriceAt: (clientY) => {
      if (chart === undefined || moving !== undefined) return undefined;
      const heights = new PriceHeights(chart, digits);
      const { y } = heights.inPane({ clientX: 0, clientY });
      if (handles.current.some((handle) => Math.abs(handle.y - y) <= TAG_HEIGHT_PX)) return undefined;
      const price = heights.priceAt(y);
      return price === undefined ? undefined : { price, y };
    },
  };
}

/**
 * Returns the area of the price line at a position in the candle pane, and whether a press there moves or cancels the
 * order; undefined if there is none.
 */
function gripAt(
  handles: readonly LineHandle[],
  { x, y }: { readonly x: number; readonly y: number },
): Grip | undefined {
  const handle = handles.find(
    ({ left, right, y: handleY }) =>
      x >= left && x <= right && Math.abs(y - handleY) <= TAG_HEIGHT_PX / 2 + 1,
  );
  if (handle === undefined) return undefined;
  if (handle.cancelLeft !== undefined && x >= handle.cancelLeft) return { handle, action: 'cancel' };
  return handle.isMovable ? { handle, action: 'move' } : undefined;
}

interface PointerOptions {
  readonly heights: PriceHeights;
  readonly gripAt: (position: { readonly x: number; readonly y: number }) => Grip | undefined;
  readonly current: () => CurrentLines;
  readonly onMoving: (moving: MovingLine | undefined) => void;
}

/** Handles the pointer over a chart with price lines: hovering, pressing, dragging and dropping. */
class LinePointer {
  private readonly element: HTMLElement;
  private readonly options: PointerOptions;
  private drag: Drag | undefined;

  constructor(element: HTMLElement, options: PointerOptions) {
    this.element = element;
    this.options = options;
  }

  /** Adds the listeners for pointer and key events. Returns a function that removes them. */
  follow(): () => void {
    const { element } = this;
    const listeners = new AbortController();
    const { signal } = listeners;
    element.addEventListener('pointerdown', this.onPress, { capture: true, signal });
    for (const type of ['mousedown', 'touchstart', 'touchmove'])
      element.addEventListener(type, this.stopDuringDrag, { capture: true, signal });
    window.addEventListener('pointermove', this.onMove, { signal });
    window.addEventListener('pointerup', this.onRelease, { signal });
    window.addEventListener('pointercancel', this.cancelDrag, { signal });
    window.addEventListener('blur', this.cancelDrag, { signal });
    document.addEventListener('keydown', this.onKeyDown, { capture: true, signal });
    return () => {
      listeners.abort();
      this.cancelDrag();
      delete element.dataset['line'];
    };
  }

  private readonly onPress = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { heights, gripAt: gripAtPosition, current } = this.options;
    const position = heights.inPane(event);
    const grip = gripAtPosition(position);
    const line = grip && current().lines.get(grip.handle.key);
    if (grip === undefined || line === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.drag = {
      handle: grip.handle,
      action: grip.action,
      offsetY: heights.heightOf(line.price) - position.y,
      startY: position.y,
      price: line.price,
      hasMoved: false,
    };
  };

  private readonly onMove = (event: PointerEvent): void => {
    const { heights } = this.options;
    const { drag } = this;
    const position = heights.inPane(event);
    if (drag === undefined) {
      this.hover(event.target, position);
      return;
    }
    if (drag.action === 'cancel') return;
    if (!drag.hasMoved && Math.abs(position.y - drag.startY) < DRAG_PX) return;
    const price = heights.priceAt(position.y + drag.offsetY) ?? drag.price;
    this.setDrag({ ...drag, price, hasMoved: true });
  };

  private hover(target: EventTarget | null, position: { readonly x: number; readonly y: number }): void {
    const { element } = this;
    const isOver = target instanceof Node && element.contains(target);
    const action = isOver ? this.options.gripAt(position)?.action : undefined;
    if (action === undefined) delete element.dataset['line'];
    else element.dataset['line'] = action;
  }

  private readonly onRelease = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag === undefined) return;
    this.setDrag(undefined);
    const { heights, gripAt: gripAtPosition, current } = this.options;
    const { lines, actions } = current();
    const line = lines.get(drag.handle.key);
    if (line?.order === undefined || line.field === undefined) return;
    const isOnCancel = drag.action === 'cancel' && gripAtPosition(heights.inPane(event))?.action === 'cancel';
    if (isOnCancel) actions?.cancel(line.order);
    if (drag.action === 'move' && drag.hasMoved) actions?.move(line.order, line.field, drag.price);
  };

  private readonly cancelDrag = (): void => {
    if (this.drag !== undefined) this.setDrag(undefined);
  };

  private readonly onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.drag === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    this.cancelDrag();
  };

  /** Keeps mouse and touch events from the chart during a press on a price line, so that the chart does not scroll. */
  private readonly stopDuringDrag = (event: Event): void => {
    if (this.drag !== undefined) event.stopPropagation();
  };

  private setDrag(drag: Drag | undefined): void {
    this.drag = drag;
    this.options.onMoving(drag?.hasMoved === true ? { key: drag.handle.key, price: drag.price } : undefined);
  }
}
