import { type RefObject, useEffect, useState } from 'react';

/** The height of a row where there is no room to spare. */
export const LEAST_PX = 20;
const MOST_PX = 24;
/** What stands between the sides. */
export const MIDDLE_PX = 36;
/** No side of the book is longer than this, however high the window is. */
const MOST_ROWS = 50;

interface FittingRows {
  /** Of each side. */
  readonly rows: number;
  /** Whole pixels, so that a line of text begins where its row does. */
  readonly rowPx: number;
}

/** How many whole rows each of `sides` sides has in a box of `height` pixels, and how high they are: half a row is never drawn. */
export function fittingRows(height: number, sides: 1 | 2): FittingRows {
  const sidePx = Math.max(0, height - MIDDLE_PX) / sides;
  const rows = Math.min(MOST_ROWS, Math.max(1, Math.floor(sidePx / LEAST_PX)));
  const rowPx = Math.min(MOST_PX, Math.max(LEAST_PX, Math.floor(sidePx / rows)));
  return { rows, rowPx };
}

/** How the rows of `sides` sides of the book fill the box. */
export function useFittingRows(box: RefObject<HTMLElement | null>, sides: 1 | 2): FittingRows {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return fittingRows(height, sides);
}
