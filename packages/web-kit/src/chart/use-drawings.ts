import type { Chart } from 'klinecharts';
import { useEffect, useRef, useState } from 'react';
import type { DrawingTool } from './drawing-tools.ts';
import { Drawings } from './drawings.ts';

export interface DrawingControl {
  /** The tool that is drawing. */
  readonly active: DrawingTool | undefined;
  readonly start: (tool: DrawingTool) => void;
  readonly clear: () => void;
}

/** The drawings of one pair on a chart, once its candles are drawn. */
export function useDrawings(chart: Chart | undefined, symbol: string, isDrawn: boolean): DrawingControl {
  const [active, setActive] = useState<DrawingTool>();
  const drawings = useRef<Drawings | undefined>(undefined);

  useEffect(() => {
    if (chart === undefined || !isDrawn) return undefined;
    const shown = new Drawings(chart, symbol);
    drawings.current = shown;
    shown.show();
    return () => {
      shown.hide();
      drawings.current = undefined;
      setActive(undefined);
    };
  }, [chart, symbol, isDrawn]);

  return {
    active,
    start: (tool) => {
      if (drawings.current === undefined) return;
      setActive(tool);
      drawings.current.start(tool, () => setActive(undefined));
    },
    clear: () => drawings.current?.clear(),
  };
}
