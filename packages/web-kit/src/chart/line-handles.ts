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

/** What may be done to orders in the chart. Prices are plain decimal text in the pair's digits. */
export interface ChartActions {
  /** Whether a price of an order may be changed by dragging its line. */
  readonly canMove: (order: ChartOrder, field: LineField) => boolean;
  /** A line was dropped at another price. */
  readonly move: (order: ChartOrder, field: LineField, price: string) => void;
  /** The cross of a line was pressed. */
  readonly cancel: (order: ChartOrder) => void;
  /** The plus at the price axis was pressed: the price is meant for a new order. */
  readonly place: (price: string) => void;
}

/** A press that moves less than this is no drag: the order stays as it is. */
const DRAG_PX = 3;

/** What is at a place of the pane. */
interface Grip {
  readonly handle: LineHandle;
  readonly does: 'move' | 'cancel';
}

interface Drag extends Grip {
  /** From the pointer to the height of the line's own price. */
  readonly offsetY: number;
  readonly startY: number;
  readonly price: string;
  readonly hasMoved: boolean;
}

interface LineHandles {
  /** For the drawing of the lines; undefined where nothing may be done. */
  readonly handling: LineHandling | undefined;
  readonly moving: MovingLine | undefined;
  /** The plus's part: the price at a height of the page, where no line's tag is in the way. */
  readonly freePriceAt: (clientY: number) => { readonly price: string; readonly y: number } | undefined;
}

interface Held {
  /** By the key of the line. */
  readonly lines: ReadonlyMap<string, PriceLine>;
  readonly actions: ChartActions | undefined;
}

/** The prices of a chart by their height on the page. */
class PriceHeights {
  private readonly chart: Chart;
  private readonly digits: number;

  constructor(chart: Chart, digits: number) {
    this.chart = chart;
    this.digits = digits;
  }

  /** A place of the page as pixels from the top left corner of the pane with the candles. */
  inPane({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) {
    const box = this.chart.getDom(CANDLE_PANE, 'main')?.getBoundingClientRect();
    return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
  }

  /** The price at a height of the pane, on the pair's grid; undefined beyond the pane and below the smallest price. */
  priceAt(y: number): string | undefined {
    const height = this.chart.getSize(CANDLE_PANE, 'main')?.height ?? 0;
    if (y < 0 || y > height) return undefined;
    const [point] = [this.chart.convertFromPixel([{ y }], { paneId: CANDLE_PANE })].flat();
    const text = point?.value?.toFixed(this.digits);
    return text !== undefined && Number(text) > 0 ? text : undefined;
  }

  /** The height of a price in the pane. */
  heightOf(price: string): number {
    const [place] = [this.chart.convertToPixel([{ value: Number(price) }], { paneId: CANDLE_PANE })].flat();
    return place?.y ?? 0;
  }
}

/** The chart that lines are drawn on, and the element that it is on. */
export interface DrawnChart {
  readonly chart: Chart | undefined;
  readonly canvas: RefObject<HTMLElement | null>;
}

interface LineSettings {
  readonly actions: ChartActions | undefined;
  /** Decimals of the pair's prices. */
  readonly digits: number;
  readonly lineWords: LineWords;
}

/** The lines of a chart, with the one that is being dragged where the pointer is by now, and how they are taken hold of. */
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
 * Lets the pointer drag lines by their tags and press the cross at their ends. Escape, or a drop where there is no price,
 * leaves the order as it is. Where a tag is pressed the chart itself gets nothing of the press.
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
  const held = useRef<Held>({ lines: new Map(), actions });
  const [moving, setMoving] = useState<MovingLine>();
  useEffect(() => {
    held.current = { lines: new Map(lines.map((line) => [line.key, line])), actions };
  }, [lines, actions]);

  const isUsed = actions !== undefined;
  const handling = useMemo(
    (): LineHandling | undefined =>
      isUsed
        ? {
            canMove: ({ order, field }) =>
              order !== undefined &&
              field !== undefined &&
              held.current.actions?.canMove(order, field) === true,
            // The exits of a buy have no order of their own that could be cancelled.
            canCancel: ({ order, field }) =>
              order !== undefined && (field === 'price' || field === 'stopPrice'),
            onPlaced: (placed) => {
              handles.current = placed;
            },
          }
        : undefined,
    [isUsed],
  );

  useEffect(() => {
    const element = canvas.current;
    if (chart === undefined || element === null || !isUsed) return undefined;
    return new LinePointer(element, {
      heights: new PriceHeights(chart, digits),
      gripAt: (place) => gripAt(handles.current, place),
      held: () => held.current,
      onMoving: setMoving,
    }).follow();
  }, [chart, canvas, isUsed, digits]);

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

/** The tag at a place of the pane, and what a press on that part of it does. */
function gripAt(
  handles: readonly LineHandle[],
  { x, y }: { readonly x: number; readonly y: number },
): Grip | undefined {
  const handle = handles.find(
    ({ left, right, y: middle }) => x >= left && x <= right && Math.abs(y - middle) <= TAG_HEIGHT_PX / 2 + 1,
  );
  if (handle === undefined) return undefined;
  if (handle.cancelLeft !== undefined && x >= handle.cancelLeft) return { handle, does: 'cancel' };
  return handle.isMovable ? { handle, does: 'move' } : undefined;
}

interface Followed {
  readonly heights: PriceHeights;
  readonly gripAt: (place: { readonly x: number; readonly y: number }) => Grip | undefined;
  readonly held: () => Held;
  readonly onMoving: (moving: MovingLine | undefined) => void;
}

/** One pointer over a chart: what it hovers, presses, drags and drops. */
class LinePointer {
  private readonly element: HTMLElement;
  private readonly followed: Followed;
  private drag: Drag | undefined;

  constructor(element: HTMLElement, followed: Followed) {
    this.element = element;
    this.followed = followed;
  }

  /** Listens until the returned function is called. */
  follow(): () => void {
    const { element } = this;
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('pointerdown', this.press, { capture: true, signal });
    for (const type of ['mousedown', 'touchstart', 'touchmove'])
      element.addEventListener(type, this.withhold, { capture: true, signal });
    window.addEventListener('pointermove', this.move, { signal });
    window.addEventListener('pointerup', this.release, { signal });
    window.addEventListener('pointercancel', this.drop, { signal });
    window.addEventListener('blur', this.drop, { signal });
    document.addEventListener('keydown', this.pressKey, { capture: true, signal });
    return () => {
      listening.abort();
      this.drop();
      delete element.dataset['line'];
    };
  }

  private readonly press = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { heights, gripAt: gripOf, held } = this.followed;
    const place = heights.inPane(event);
    const grip = gripOf(place);
    const line = grip && held().lines.get(grip.handle.key);
    if (grip === undefined || line === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.drag = {
      handle: grip.handle,
      does: grip.does,
      offsetY: heights.heightOf(line.price) - place.y,
      startY: place.y,
      price: line.price,
      hasMoved: false,
    };
  };

  private readonly move = (event: PointerEvent): void => {
    const { heights } = this.followed;
    const { drag } = this;
    const place = heights.inPane(event);
    if (drag === undefined) {
      this.hover(event.target, place);
      return;
    }
    if (drag.does === 'cancel') return;
    if (!drag.hasMoved && Math.abs(place.y - drag.startY) < DRAG_PX) return;
    const price = heights.priceAt(place.y + drag.offsetY) ?? drag.price;
    this.show({ ...drag, price, hasMoved: true });
  };

  private hover(target: EventTarget | null, place: { readonly x: number; readonly y: number }): void {
    const { element } = this;
    const isOver = target instanceof Node && element.contains(target);
    const does = isOver ? this.followed.gripAt(place)?.does : undefined;
    if (does === undefined) delete element.dataset['line'];
    else element.dataset['line'] = does;
  }

  private readonly release = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag === undefined) return;
    this.show(undefined);
    const { heights, gripAt: gripOf, held } = this.followed;
    const { lines, actions } = held();
    const line = lines.get(drag.handle.key);
    if (line?.order === undefined || line.field === undefined) return;
    const isOnCancel = drag.does === 'cancel' && gripOf(heights.inPane(event))?.does === 'cancel';
    if (isOnCancel) actions?.cancel(line.order);
    if (drag.does === 'move' && drag.hasMoved) actions?.move(line.order, line.field, drag.price);
  };

  private readonly drop = (): void => {
    if (this.drag !== undefined) this.show(undefined);
  };

  private readonly pressKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.drag === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    this.drop();
  };

  /** The chart would move with the pointer otherwise. */
  private readonly withhold = (event: Event): void => {
    if (this.drag !== undefined) event.stopPropagation();
  };

  private show(drag: Drag | undefined): void {
    this.drag = drag;
    this.followed.onMoving(drag?.hasMoved === true ? { key: drag.handle.key, price: drag.price } : undefined);
  }
}
