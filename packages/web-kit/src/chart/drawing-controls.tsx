import classes from './drawing-controls.module.css';
import type { Chart } from 'klinecharts';
import {
  Brush,
  type LucideIcon,
  Minus,
  MoveUpRight,
  MoveVertical,
  Rows3,
  Slash,
  Tag,
  Trash2,
  TrendingUp,
  Triangle,
} from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useWords } from '../i18n/words.ts';
import { DRAWING_TOOLS, type DrawingTool } from './drawing-memory.ts';
import { Drawings, type ShownDrawing, registerDrawings } from './drawings.ts';

export interface DrawingControl {
  readonly active: DrawingTool | undefined;
  /** Activates a drawing tool, or deactivates it if it is active. */
  readonly start: (tool: DrawingTool) => void;
  readonly shown: readonly ShownDrawing[];
  readonly select: (place: number) => void;
  readonly remove: () => void;
  readonly clear: () => void;
  /**
   * Handles keys in the chart. Delete and Backspace remove the selected drawing. Escape deselects it or abandons an
   * unfinished drawing.
   */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Distance in pixels from a drawing's line within which the user can grab it: with a mouse (`pointed`) and with a
 * finger (`touched`).
 */
const GRAB_DISTANCE_PX = { pointed: 6, touched: 14 } as const;
const NONE: readonly never[] = [];

/** The user's drawings of one pair on a chart. They are shown once the candles are drawn. */
export function useDrawings(chart: Chart | undefined, symbol: string, isDrawn: boolean): DrawingControl {
  const [active, setActive] = useState<DrawingTool>();
  const [shown, setShown] = useState<readonly ShownDrawing[]>(NONE);
  const drawings = useRef<Drawings | undefined>(undefined);

  useEffect(() => {
    if (chart === undefined || !isDrawn) return undefined;
    const isTouched = matchMedia('(pointer: coarse)').matches;
    registerDrawings(isTouched ? GRAB_DISTANCE_PX.touched : GRAB_DISTANCE_PX.pointed);
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
    // If the focused element belonged to the removed drawing, it no longer exists. The chart therefore gets the focus,
    // so that it receives further key presses.
    if (isRemoved) chart?.getDom()?.focus({ preventScroll: true });
    return isRemoved;
  };

  return {
    active,
    shown,
    start: (tool) => {
      const wasActive = active === tool;
      drawings.current?.abandon();
      if (wasActive || drawings.current === undefined) return;
      setActive(tool);
      drawings.current.start(tool, () => setActive(undefined));
    },
    select: (place) => drawings.current?.select(place),
    remove,
    clear: () => drawings.current?.clear(),
    onKeyDown: (event) => {
      if (!handleKey(event.key, drawings.current, remove)) return;
      event.preventDefault();
      // If Escape has changed a drawing, the same key press must not also end full screen mode or close an overlay.
      event.stopPropagation();
    },
  };
}

function handleKey(key: string, drawings: Drawings | undefined, remove: () => boolean): boolean {
  if (key === 'Delete' || key === 'Backspace') return remove();
  return key === 'Escape' && drawings !== undefined && (drawings.abandon() || drawings.deselect());
}

const ICONS: Readonly<Record<DrawingTool, LucideIcon>> = {
  segment: TrendingUp,
  rayLine: MoveUpRight,
  straightLine: Slash,
  horizontalStraightLine: Minus,
  verticalStraightLine: MoveVertical,
  parallelStraightLine: Triangle,
  priceLine: Tag,
  fibonacciLine: Rows3,
  brush: Brush,
};

/**
 * Buttons of the drawing tools at the chart's left edge. The active tool is highlighted until its drawing is finished.
 */
export function DrawingBar({ drawings }: { readonly drawings: DrawingControl }) {
  const t = useWords('chart');
  return (
    <div className={classes.bar} role="group" aria-label={t('drawing')}>
      {DRAWING_TOOLS.map((tool) => {
        const Icon = ICONS[tool];
        return (
          <button
            key={tool}
            type="button"
            className={classes.tool}
            aria-label={t(tool)}
            aria-pressed={drawings.active === tool}
            title={t(tool)}
            onClick={() => drawings.start(tool)}
          >
            <Icon size={15} aria-hidden="true" />
          </button>
        );
      })}
      <button
        type="button"
        className={classes.tool}
        aria-label={t('clear')}
        title={t('clear')}
        onClick={drawings.clear}
      >
        <Trash2 size={15} aria-hidden="true" />
      </button>
    </div>
  );
}

interface SelectedDrawingProps {
  readonly tool: DrawingTool;
  readonly onRemove: () => void;
}

/** Shows the name of the selected drawing, and a button that removes the drawing. */
export function SelectedDrawing({ tool, onRemove }: SelectedDrawingProps) {
  const t = useWords('chart');
  return (
    <div className={classes.selected} role="group" aria-label={t('selectedDrawing')}>
      <span className={classes.name}>{t(tool)}</span>
      <button
        type="button"
        className={classes.remove}
        aria-label={t('removeDrawing')}
        title={t('removeDrawing')}
        onClick={onRemove}
      >
        <Trash2 size={15} aria-hidden="true" />
      </button>
    </div>
  );
}
