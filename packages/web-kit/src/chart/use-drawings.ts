import type { Chart } from 'klinecharts';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { registerDrawings } from './drawing-overlays.ts';
import type { DrawingTool } from './drawing-tools.ts';
import { Drawings, type ShownDrawing } from './drawings.ts';

export interface DrawingControl {
  /** The tool that is drawing. */
  readonly active: DrawingTool | undefined;
  /** Takes up a tool, or puts it down when it is the one that is drawing. */
  readonly start: (tool: DrawingTool) => void;
  readonly shown: readonly ShownDrawing[];
  readonly select: (place: number) => void;
  /** Removes the selected drawing. */
  readonly remove: () => void;
  readonly clear: () => void;
  /** Delete and Backspace remove the selected drawing, Escape takes the selection off or gives up what was begun. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** From a line, in pixels: for a pointer and for a finger. */
const REACH = { pointed: 6, touched: 14 } as const;
const NONE: readonly never[] = [];

/** The drawings of one pair on a chart, once its candles are drawn. */
export function useDrawings(chart: Chart | undefined, symbol: string, isDrawn: boolean): DrawingControl {
  const [active, setActive] = useState<DrawingTool>();
  const [shown, setShown] = useState<readonly ShownDrawing[]>(NONE);
  const drawings = useRef<Drawings | undefined>(undefined);

  useEffect(() => {
    if (chart === undefined || !isDrawn) return undefined;
    const isTouched = matchMedia('(pointer: coarse)').matches;
    registerDrawings(isTouched ? REACH.touched : REACH.pointed);
    const current = new Drawings(chart, symbol, { isTouched, onChange: setShown });
    drawings.current = current;
    current.show();
    return () => {
      current.hide();
      drawings.current = undefined;
      setActive(undefined);
    };
  }, [chart, symbol, isDrawn]);

  const remove = (): boolean => {
    const isRemoved = drawings.current?.remove() ?? false;
    // What was pressed may be gone with the drawing: the next key still has to reach the chart.
    if (isRemoved) chart?.getDom()?.focus({ preventScroll: true });
    return isRemoved;
  };

  return {
    active,
    shown,
    start: (tool) => {
      const wasActive = active === tool;
      drawings.current?.giveUp();
      if (wasActive || drawings.current === undefined) return;
      setActive(tool);
      drawings.current.start(tool, () => setActive(undefined));
    },
    select: (place) => drawings.current?.select(place),
    remove,
    clear: () => drawings.current?.clear(),
    onKeyDown: (event) => {
      if (!actOn(event.key, drawings.current, remove)) return;
      event.preventDefault();
      // Escape also leaves full screen and closes what is open: one thing at a time.
      event.stopPropagation();
    },
  };
}

function actOn(key: string, drawings: Drawings | undefined, remove: () => boolean): boolean {
  if (key === 'Delete' || key === 'Backspace') return remove();
  return key === 'Escape' && drawings !== undefined && (drawings.giveUp() || drawings.deselect());
}
