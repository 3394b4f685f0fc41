import { useEffect, useState, type RefObject } from 'react';
import { fittingRows, type FittingRows } from './fitting-rows.ts';

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
