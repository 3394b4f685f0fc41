import { useEffect, useState, type RefObject } from 'react';

const ROW_PX = 20;
const MIDDLE_PX = 36;

/** How many whole rows each of `sides` sides of the book has room for: half a row is never drawn. */
export function useFittingRows(box: RefObject<HTMLElement | null>, sides: 1 | 2): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return Math.max(1, Math.floor((height - MIDDLE_PX) / ROW_PX / sides));
}
